"""The pages in a real browser: what moves without a reload, what keys do, and what must never happen."""

import json
import subprocess
import sys
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from pagekin import demo
from tests.serve.hostile import ADDRESSES, PAGE

ASKED = min(demo.truth().core)
PATH = f"/demo/page?url={quote(ASKED, safe='')}&method=assisted"
QUICK = 5_000  # ms that anything may take


def listed(tab):
    return [row.get_attribute("data-key") for row in tab.query_selector_all(".kin > li[data-key]")]


def by_the_shell(kin, *words):
    run = [sys.executable, "-m", "pagekin", "related", kin, ASKED, *words, "--json"]
    found = json.loads(subprocess.run(run, capture_output=True, check=True, text=True).stdout)
    return [row["url"] for row in found["results"]]


def state(tab):
    return parse_qs(urlsplit(tab.url).query)


def until(tab, part):
    """Wait until the address has this in it."""
    tab.wait_for_url(lambda url: part in url, timeout=QUICK)


def slide(tab, value, id="alpha"):
    """Move a slider to a value, as dragging does."""
    tab.eval_on_selector(
        f"#{id}", "(field, value) => { field.value = value; field.dispatchEvent(new Event('input', {bubbles: true})) }",
        value,
    )  # fmt: skip


def test_the_slider_reorders_the_list_without_a_reload_as_the_shell_would(watched, demo_kin):
    tab = watched().go(PATH)
    tab.evaluate("window.stayed = true")
    before = listed(tab)
    assert before == by_the_shell(demo_kin, "--method", "assisted")
    for alpha in ("0.05", "0.9"):
        slide(tab, alpha)
        until(tab, f"alpha={alpha}")
        assert tab.evaluate("window.stayed")
        assert tab.text_content("output[for=alpha]") == alpha
        assert listed(tab) == by_the_shell(demo_kin, "--method", f"assisted(alpha={alpha})")
    assert listed(tab) != before
    assert tab.query_selector_all(".moved") != []
    kept = listed(tab)
    tab.reload(wait_until="networkidle")
    assert (listed(tab), tab.input_value("#alpha")) == (kept, "0.9")


def test_rows_glide_to_their_places_unless_the_reader_wants_no_movement(watched):
    script = """async (alpha) => {
      let moved = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...given) { moved += 1; return animate.apply(this, given) };
      const field = document.querySelector("#alpha");
      field.value = alpha;
      const shown = new Promise((done) => document.addEventListener("shown", done, { once: true }));
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await shown;
      return moved;
    }"""
    assert watched().go(PATH).evaluate(script, "0.9") > 0
    assert watched(reduced_motion="reduce").go(PATH).evaluate(script, "0.9") == 0


def test_the_last_of_many_movements_is_shown(watched, demo_kin):
    tab = watched().go(PATH)
    for alpha in (0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8):
        slide(tab, str(alpha))
    until(tab, "alpha=0.8")
    tab.wait_for_load_state("networkidle")
    assert listed(tab) == by_the_shell(demo_kin, "--method", "assisted(alpha=0.8)")


def test_why_opens_at_a_click_stays_open_and_leads_on(watched):
    tab = watched().go(PATH)
    tab.click(".kin li:nth-child(2) .ask")
    tab.wait_for_selector(".why", timeout=QUICK)
    second = listed(tab)[1]
    assert state(tab)["why"] == [second]
    assert tab.get_attribute(".kin li:nth-child(2) .ask", "aria-expanded") == "true"
    slide(tab, "0.45")
    until(tab, "alpha=0.45")
    assert (len(tab.query_selector_all(".why")) == 1) == (second in listed(tab))
    tab.go_back()
    tab = watched().go(PATH)
    tab.click(".kin li:nth-child(1) .ask")
    tab.click(".why a", timeout=QUICK)
    tab.wait_for_load_state("networkidle")
    assert tab.query_selector("h1").text_content()
    assert state(tab)["method"] == ["assisted"]


def test_everything_by_keyboard_alone(watched):
    tab = watched().go("/demo/")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    tab.focus("#q")
    tab.keyboard.type("the country")
    tab.wait_for_selector("[role=option]", timeout=QUICK)
    tab.keyboard.press("ArrowDown")
    chosen = tab.get_attribute("#q", "aria-activedescendant")
    assert tab.get_attribute(f"#{chosen}", "aria-selected") == "true"
    with tab.expect_navigation():
        tab.keyboard.press("Enter")
    assert urlsplit(tab.url).path == "/demo/page"
    tab.goto(tab.url + "&method=assisted", wait_until="networkidle")
    for _ in range(60):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.id") == "alpha":
            break
    tab.keyboard.press("ArrowLeft")
    until(tab, "alpha=0.49")
    assert tab.evaluate("document.activeElement.id") == "alpha"
    for _ in range(60):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.id") == "why-1":
            break
    outline = tab.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    tab.keyboard.press("Space")
    tab.wait_for_selector(".why", timeout=QUICK)
    assert tab.evaluate("document.activeElement.id") == "why-1"


def test_filters_and_parameters_change_the_list_at_once(watched, demo_kin):
    tab = watched().go(PATH.replace("assisted", "amsler"))
    tab.click("summary:has-text('Filters')")
    tab.check("[name=other_sites]")
    until(tab, "other_sites=true")
    assert listed(tab) == by_the_shell(demo_kin, "--method", "amsler", "--other-sites")
    tab.click("summary:has-text('Parameters')")
    tab.select_option("[name='amsler.direct']", "false")
    until(tab, "direct")
    assert listed(tab) == by_the_shell(demo_kin, "--method", "amsler(direct=false)", "--other-sites")
    with tab.expect_navigation():
        tab.select_option("[name=method]", "walk")
    assert state(tab)["method"] == ["walk"]


def test_the_panel_moves_with_its_slider_says_why_and_walks_on(watched, demo_kin):
    tab = watched(viewport={"width": 360, "height": 800}).go(PATH.replace("/page", "/panel"))
    tab.evaluate("window.stayed = true")
    slide(tab, "0.05")
    until(tab, "alpha=0.05")
    assert tab.evaluate("window.stayed")
    assert listed(tab) == by_the_shell(demo_kin, "--method", "assisted(alpha=0.05)")
    tab.click("#why-1")
    tab.wait_for_selector(".why a", timeout=QUICK)
    first = listed(tab)[0]
    with tab.expect_navigation():
        tab.click(".kin li:nth-child(1) .under a")
    assert (urlsplit(tab.url).path, state(tab)["url"]) == ("/demo/panel", [first])


def test_without_scripts_the_form_does_the_same(watched, demo_kin):
    tab = watched(java_script_enabled=False).go(PATH)
    tab.fill("#alpha", "0.2")
    with tab.expect_navigation():
        tab.click(".apply")
    assert state(tab) == {"url": [ASKED], "method": ["assisted"], "alpha": ["0.2"]}
    assert listed(tab) == by_the_shell(demo_kin, "--method", "assisted(alpha=0.2)")
    with tab.expect_navigation():
        tab.click("#why-1")
    assert tab.query_selector(".why li")


def test_the_map_says_why_and_walks_on(watched):
    tab = watched().go(PATH.replace("/page", "/map"))
    before = {dot.get_attribute("data-key") for dot in tab.query_selector_all(".dot")}
    tab.focus(".dot[data-why] a")
    tab.wait_for_selector("#told .why li", timeout=QUICK)
    slide(tab, "0.9", "cut")
    until(tab, "cut=0.9")
    assert {dot.get_attribute("data-key") for dot in tab.query_selector_all(".dot")} == before
    other = tab.get_attribute(".dot[data-why]", "data-key")
    with tab.expect_navigation():
        tab.press(".dot[data-why] a", "Enter")
    assert state(tab)["url"] == [other]


def test_search_moves_with_its_slider(watched):
    tab = watched().go("/demo/search?q=sourdough+starter")
    tab.evaluate("window.stayed = true")
    slide(tab, "0.9")
    until(tab, "alpha=0.9")
    assert tab.evaluate("window.stayed")
    assert tab.query_selector(".leads a")


def test_a_wrong_parameter_is_said_in_place(watched):
    opened = watched()
    tab = opened.go(PATH.replace("assisted", "walk"))
    tab.click("summary:has-text('Parameters')")
    tab.fill("[name='walk.restart']", "7")
    tab.wait_for_selector("#results .problem", timeout=QUICK)
    assert "Restart must be between 0 and 1" in tab.text_content("#results")
    opened.errors.clear()  # Chromium notes the 400 in its console
    tab.fill("[name='walk.restart']", "0.3")
    tab.wait_for_selector("#results .kin", timeout=QUICK)


def test_no_script_of_a_stranger_runs(watched):
    opened = watched()
    wide = "&method=amsler&fetched=false&fold=false&k=20"
    paths = ["/evil/", "/evil/search?q=queen", f"/evil/map?url={PAGE}{wide}", "/evil/collection"]
    paths += [f"/evil/page?url={quote(url, safe='')}{wide}" for url in (*ADDRESSES, "javascript:window.ran=1")]
    paths += [f"/evil/panel?url={quote(url, safe='')}{wide}" for url in ADDRESSES]
    paths += [f"/evil/compare?url={PAGE}&method=amsler&method=co-citation"]
    for path in paths:
        tab = opened.go(path)
        for button in range(min(3, len(tab.query_selector_all(".ask")))):
            tab.click(f".kin > li:nth-child({button + 1}) .ask")
            tab.wait_for_selector(f".kin > li:nth-child({button + 1}) .why", timeout=QUICK)
        for link in tab.query_selector_all("a[href]"):
            assert link.evaluate("link => link.protocol ?? ''") in ("http:", "https:", "")  # SVG links have none
        for summary in tab.query_selector_all("summary"):
            summary.click()
        assert tab.evaluate("window.ran") is None, path
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    tab = opened.go("/evil/")
    for typed in ("<scr", "jav", "a bad", "aaaa", "</ti", "http://evil", "{{"):
        tab.fill("#q", typed)
        tab.wait_for_load_state("networkidle")
        tab.wait_for_timeout(150)
    assert tab.evaluate("window.ran") is None


SHOWN = {
    "home": "/demo/", "page": PATH, "search": "/demo/search?q=sourdough+starter&alpha=0.4",
    "map": PATH.replace("/page", "/map"), "compare": f"/demo/compare?url={quote(ASKED, safe='')}",
    "collection": "/demo/collection", "front": "/", "docs": "/docs", "panel": PATH.replace("/page", "/panel"),
    "beside": "/demo/panel",
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_screenshots_are_written_and_nothing_sticks_out(watched, screenshots, name):
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            tab = watched(viewport={"width": width, "height": 900}, color_scheme=scheme).go(SHOWN[name])
            file = screenshots / f"{name}-{width}-{scheme}.png"
            tab.screenshot(path=file, full_page=True)
            assert file.stat().st_size > 5_000
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} at {width}"


@pytest.mark.parametrize("name", SHOWN)
def test_axe_finds_no_serious_fault(watched, axe, name):
    for scheme in ("light", "dark"):
        tab = watched(color_scheme=scheme).go(SHOWN[name])
        if name == "page":
            tab.click("#why-1")
            tab.wait_for_selector(".why", timeout=QUICK)
            tab.wait_for_timeout(500)  # rows glide, and are half transparent until they are there
        for summary in tab.query_selector_all("summary"):
            summary.click()
        tab.evaluate(axe)
        found = tab.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        serious = [
            (each["id"], node["html"][:200], node["failureSummary"])
            for each in found
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]
        assert serious == []
