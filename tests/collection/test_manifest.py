import json

import pytest

from pagekin.collection import manifest
from pagekin.collection.manifest import BuiltIndex, LostManifestError, Manifest, Part
from pagekin.errors import CollectionError


def test_what_is_written_is_read(tmp_path):
    made = Manifest(3, (Part("p", {"pages": 1}, {"pages": "c"}, ("f",)),), {"graph": BuiltIndex("index/g", 3, ("p",))})
    manifest.write(tmp_path, made)
    assert manifest.read(tmp_path) == made
    assert [file.name for file in tmp_path.iterdir()] == ["manifest.json"]


def test_the_previous_state_is_kept_for_one_generation():
    first = Manifest(parts=(Part("p", {}, {}, ()),))
    second = first.following(parts=(Part("q", {}, {}, ()),))
    assert second.retired == ("parts/p",)
    assert second.following(version=2).retired == ()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "is not a collection"),
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ('{"format": 1}', "not a manifest of pagekin"),
        (json.dumps({"format": 1, "version": "a", "canonical": 1}), "not a manifest of pagekin"),
        (
            json.dumps({"format": 99, "version": 1, "canonical": 1}),
            "made by a newer pagekin; this one reads up to 5: upgrade",
        ),
    ],
)
def test_a_manifest_that_cannot_be_used_says_why(tmp_path, content, words):
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(CollectionError, match=words):
        manifest.read(tmp_path)


def test_one_changed_letter_is_damage(tmp_path):
    made = Manifest(3, (Part("p", {"pages": 1}, {"pages": "c"}, ("f",)),))
    manifest.write(tmp_path, made)
    file = tmp_path / "manifest.json"
    held = file.read_bytes()
    for at in range(len(held)):
        for bit in (1, 32):
            file.write_bytes(held[:at] + bytes([held[at] ^ bit]) + held[at + 1 :])
            try:
                assert manifest.read(tmp_path) == made
            except LostManifestError:
                continue
            assert held[at : at + 1].isspace(), "only a blank between two fields may change unnoticed"


def test_a_manifest_of_before_checksums_is_read_and_a_later_one_without_is_not(tmp_path):
    manifest.write(tmp_path, Manifest(3, (Part("p", {"pages": 1}, {"pages": "c"}, ("f",)),)))
    found = json.loads((tmp_path / "manifest.json").read_text())
    del found["checksum"]
    (tmp_path / "manifest.json").write_text(json.dumps(found))
    with pytest.raises(LostManifestError, match=r"it has no checksum.*run: Collection\(.*\.scrub\(\)"):
        manifest.read(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps(found | {"format": 1}))
    assert manifest.read(tmp_path).version == 3


def test_no_collection_and_a_file_instead_of_one(tmp_path):
    with pytest.raises(CollectionError, match="there is no collection"):
        manifest.read(tmp_path / "none.kin")
    (tmp_path / "file").write_text("x")
    with pytest.raises(CollectionError, match="is a file"):
        manifest.read(tmp_path / "file")
