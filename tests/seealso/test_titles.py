"""The site's name is cut off titles where all share it, and only there."""

from pagekin.seealso.titles import without_site


def test_what_nearly_all_titles_end_or_begin_with() -> None:
    python = [f"{name} — {name} things — Python 3.11.2 documentation" for name in ("argparse", "os", "re", "sys", "io")]
    assert without_site(python)[python[0]] == "argparse — argparse things"
    assert without_site([f"Farm: {name}" for name in "abcd"])["Farm: a"] == "Farm: a"  # no space before the sign
    assert list(without_site([f"Farm | {name}" for name in ("Bees", "Ants", "Wasps")]).values()) == [
        "Bees",
        "Ants",
        "Wasps",
    ]
    both = [f"Docs - {name} - Farm" for name in ("Bees", "Ants", "Wasps")]
    assert list(without_site(both).values()) == ["Bees", "Ants", "Wasps"]


def test_what_only_some_share_stays() -> None:
    some = ["Bees | Insects", "Ants | Insects", "Wasps | Insects", "Cows | Beasts", "Pigs | Beasts", "Farm"]
    assert without_site(some) == {title: title for title in some}
    assert without_site(["Bees | Farm", "Ants | Farm"]) == {"Bees | Farm": "Bees | Farm", "Ants | Farm": "Ants | Farm"}
    assert without_site([]) == {}


def test_a_title_is_never_cut_to_nothing() -> None:
    found = without_site(["Farm | Farm", "Bees | Farm", "Ants | Farm", "Wasps | Farm", " | Farm"])
    assert all(short.strip() for title, short in found.items())
