"""The extension in Chromium: what it shows, that it follows the reader, and what it never does."""

import json
import shutil
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import pytest

from extension.pack import SOURCE, pack
from pagekin import demo
from pagekin.version import VERSION
from tests.extension.browser.conftest import QUICK, answer, until
from tests.serve.hostile import PAGE as EVIL

CORE = sorted(demo.truth().core)
ASKED, OTHER = CORE[0], CORE[-1]
STILL = 1_000  # ms in which a request would have been made
LINT = "web-ext@8"


def by_the_shell(served, page, *words):
    run = [sys.executable, "-m", "pagekin", "related", served.kin, page, *words, "--json"]
    found = json.loads(subprocess.run(run, capture_output=True, check=True, text=True).stdout)
    return [row["url"] for row in found["results"]]


def listed(panel):
    return [row.get_attribute("data-key") for row in panel.query_selector_all(".kin > li[data-key]")]


def until_about(panel, where):
    """Wait until the panel is about a page."""
    until(
        panel,
        "where => document.getElementById('where').textContent === where && !document.getElementById('about').hidden",
        where.removeprefix("http://"),
    )


def until_said(panel, text):
    until(panel, "text => document.querySelector('#results [role=alert]')?.textContent.includes(text)", text)


def about(reader):
    """The parameters of every question about a page."""
    return [parse_qs(urlsplit(each).query) for each in reader.asked() if each.startswith("/panel.json?url")]


def test_the_panel_shows_the_related_pages_and_follows_the_reader_and_asks_nothing_while_it_is_closed(reader):
    reader.read(OTHER)
    reader.read(ASKED)
    reader.tab.wait_for_timeout(STILL)
    before = len(reader.asked())
    assert about(reader) == []  # it is closed

    panel = reader.panel()
    until_about(panel, ASKED)
    assert listed(panel) == by_the_shell(reader.served, ASKED)
    assert about(reader) == [{"url": [ASKED]}]

    first = listed(panel)[0]
    panel.click(".kin li:nth-child(1) .title")
    reader.tab.wait_for_url(first)
    until_about(panel, first)
    assert listed(panel) == by_the_shell(reader.served, first)

    second = reader.context.new_page()
    reader.read(OTHER, second)
    until_about(panel, OTHER)
    reader.tab.bring_to_front()
    until_about(panel, first)
    assert about(reader) == [{"url": [url]} for url in (ASKED, first, OTHER, first)]
    assert len(reader.asked()) == before + 4  # and nothing else

    panel.close()
    for url in (ASKED, OTHER):
        reader.read(url)
        reader.read(url, second)
    reader.tab.wait_for_timeout(STILL)
    assert len(reader.asked()) == before + 4


def test_method_and_alpha_are_chosen_and_kept(reader):
    reader.read(ASKED)
    panel = reader.panel()
    until_about(panel, ASKED)
    assert not panel.is_visible("#alpha")
    panel.select_option("#method", "assisted")
    panel.wait_for_selector("#alpha", state="visible", timeout=QUICK)
    assert listed(panel) == by_the_shell(reader.served, ASKED, "--method", "assisted")
    before = listed(panel)
    moved = "field => { field.value = 0.05; ['input', 'change'].forEach(each => field.dispatchEvent(new Event(each))) }"
    panel.eval_on_selector("#alpha", moved)
    expected = by_the_shell(reader.served, ASKED, "--method", "assisted(alpha=0.05)")
    until(
        panel,
        "urls => JSON.stringify([...document.querySelectorAll('.kin > li')].map(each => each.dataset.key)) === urls",
        json.dumps(expected, separators=(",", ":")),
    )
    assert expected != before
    assert panel.text_content("#alpha-value") == "0.05"
    assert panel.query_selector_all(".moved") != []
    assert about(reader)[-1] == {"url": [ASKED], "method": ["assisted"], "alpha": ["0.05"]}
    panel.close()
    panel = reader.panel()
    until_about(panel, ASKED)
    assert (panel.input_value("#method"), panel.input_value("#alpha")) == ("assisted", "0.05")
    kept = panel.evaluate("chrome.storage.local.get()")
    assert kept == {"server": reader.served.address, "method": "assisted", "alpha": "0.05"}


def test_why_opens_in_sentences_and_its_links_lead_on(reader):
    reader.read(ASKED)
    panel = reader.panel()
    until_about(panel, ASKED)
    panel.focus("#why-2")
    panel.keyboard.press("Enter")
    panel.wait_for_selector(".kin li:nth-child(2) .why li", timeout=QUICK)
    assert panel.get_attribute("#why-2", "aria-expanded") == "true"
    assert panel.evaluate("document.activeElement.id") == "why-2"
    assert about(reader)[-1] == {"url": [ASKED], "why": [listed(panel)[1]]}
    panel.click("#why-2")
    panel.wait_for_selector(".why", state="detached", timeout=QUICK)
    panel.click("#why-1")
    panel.wait_for_selector(".why a", timeout=QUICK)
    link = panel.query_selector(".why a").get_attribute("href")
    panel.click(".why a")
    reader.tab.wait_for_url(link)
    until_about(panel, link)


def test_more_results_are_shown_on_demand(reader):
    reader.read(ASKED)
    panel = reader.panel()
    until_about(panel, ASKED)
    assert len(listed(panel)) == 15
    panel.click("#more")
    until(panel, "() => document.querySelectorAll('.kin > li').length > 15")
    assert listed(panel) == by_the_shell(reader.served, ASKED, "-k", "30")


@pytest.mark.parametrize("spelled", [f"{ASKED}#part", f"{ASKED}?", ASKED.replace("http://", "http://user:secret@")])
def test_fragments_and_passwords_are_never_sent(reader, spelled):
    reader.read(spelled)
    panel = reader.panel()
    until_about(panel, ASKED)
    assert "secret" not in reader.served.log.read_text()
    assert "part" not in str(about(reader))
    reader.tab.evaluate("location.hash = '#another'")
    panel.wait_for_timeout(STILL)
    assert len(about(reader)) == 1  # it is the same page


def test_an_unknown_page_is_called_so_and_hosts_are_offered(reader):
    reader.read("http://nowhere.example/a?b=c")
    panel = reader.panel()
    until_said(panel, "This page is not in any of your collections.")
    assert "Hosts that are known" in panel.text_content("#results")
    link = panel.query_selector(".ways a").get_attribute("href")
    panel.click(".ways a")
    reader.tab.wait_for_url(link)
    panel.wait_for_selector(".kin li", timeout=QUICK)


@pytest.mark.parametrize("url", ["about:blank", "chrome://version/", "file:///", "data:text/html,<title>x</title>"])
def test_about_what_is_no_web_page_nothing_is_sent(reader, url):
    reader.read(url)
    panel = reader.panel()
    until_said(panel, f"This is not a web page: its address begins with “{url.partition(':')[0]}:”. Nothing was sent.")
    panel.wait_for_timeout(STILL)
    assert about(reader) == []
    reader.read(ASKED)
    until_about(panel, ASKED)


def test_pages_of_the_server_itself_are_not_asked_about(reader):
    reader.read(f"{reader.served.address}/demo/")
    panel = reader.panel()
    until_said(panel, "This is a page of your pagekin server itself.")
    assert about(reader) == []


def test_what_is_wrong_with_the_server_is_said_with_what_to_do(reader, web):
    reader.read(ASKED)
    there = f"http://127.0.0.1:{web.port}"
    for path, said in (("other", answer()), ("old", b'{"error": "there is nothing at /panel.json", "hint": ""}')):
        web.pages[f"{there}/{path}/panel.json"] = said
    cases = {
        "http://127.0.0.1:1": ("No answer from http://127.0.0.1:1.", "pagekin serve SITE.kin"),
        there: (f"What answers at {there} is not a pagekin server.", "Check the address."),
        f"{there}/other": (f"The server is pagekin 9.0, this extension is for {VERSION}.", "Install the extension"),
        f"{there}/old/": (f"{there}/old has no panel: there is nothing at /panel.json.", "Check the address"),
    }
    for address, (what, todo) in cases.items():
        assert what in reader.use(address)
        panel = reader.panel()
        until_said(panel, what)
        assert todo in panel.text_content("#results")
        panel.close()
    reader.use(reader.served.address + "/demo/")
    panel = reader.panel()
    until_about(panel, ASKED)
    assert panel.text_content("#collection") == "demo"
    assert reader.asked()[-1].startswith("/demo/panel.json?url=")


def test_an_address_that_was_not_permitted_is_not_asked(reader):
    reader.read(ASKED)
    panel = reader.panel()
    until_about(panel, ASKED)
    before = reader.asked()
    server = reader.served.address.replace("127.0.0.1", "localhost")  # the same server by another name
    with panel.expect_navigation():  # a policy can only be tightened, so the panel begins anew
        panel.evaluate("server => { chrome.storage.local.set({ server }) }", server)
    until_said(panel, f"This extension may not talk to {server} yet.")
    assert panel.text_content("#results button") == "Allow it"
    panel.wait_for_timeout(STILL)
    assert reader.asked() == before


def test_a_panel_that_cannot_be_seen_asks_nothing(reader):
    reader.read(ASKED)
    panel = reader.panel()
    until_about(panel, ASKED)
    hidden = """is => { Object.defineProperty(document, "hidden", { get: () => is, configurable: true });
                        document.dispatchEvent(new Event("visibilitychange")) }"""
    panel.evaluate(hidden, True)
    reader.read(OTHER)
    panel.wait_for_timeout(STILL)
    assert about(reader) == [{"url": [ASKED]}]
    panel.evaluate(hidden, False)
    until_about(panel, OTHER)
    assert about(reader) == [{"url": [ASKED]}, {"url": [OTHER]}]


def test_what_is_no_address_is_not_saved_and_plain_http_to_another_machine_is_warned_of(reader):
    assert "is not the address of a server" in reader.use("ftp://127.0.0.1")
    assert "Leave out the user name" in reader.use("http://me:secret@127.0.0.1")
    tab = reader.settings()
    assert tab.input_value("#server") == reader.served.address
    assert tab.is_hidden("#warning")
    warned = "async (server) => (await import('./server.js')).warning(server)"
    for server in ("http://kin.example", "http://192.168.0.7:8420", "http://127.0.0.1.example"):
        assert "not encrypted" in tab.evaluate(warned, server)
    for server in ("https://kin.example", "http://127.0.0.1:1", "http://localhost:8420", "http://[::1]:8420"):
        assert tab.evaluate(warned, server) == ""
    spelled = "async (text) => (await import('./server.js')).address(text)"
    assert tab.evaluate(spelled, " localhost:8420/demo/?x#y ") == "http://localhost:8420/demo"
    assert tab.evaluate(spelled, "") == "http://127.0.0.1:8420"


def test_the_browser_itself_stops_every_other_request(reader, web):
    reader.read(ASKED)
    panel = reader.panel()
    until_about(panel, ASKED)
    tried = "address => fetch(address, { mode: 'no-cors' }).then(() => 'sent', () => 'stopped')"
    assert panel.evaluate(tried, f"{reader.served.address}/healthz") == "sent"
    for address in (f"http://127.0.0.1:{web.port}/stolen", "http://a.example/stolen", "https://a.example/stolen"):
        assert panel.evaluate(tried, address) == "stopped"
    assert not [url for url in web.asked if "stolen" in url]
    reader.errors.clear()  # the policy says what it stopped


def test_no_script_of_a_stranger_runs_and_only_pages_are_links(reader):
    reader.use(f"{reader.served.address}/evil")
    reader.read(EVIL)
    panel = reader.panel()
    until_about(panel, EVIL)
    panel.select_option("#method", "amsler")
    panel.wait_for_selector(".kin li", timeout=QUICK)
    for number in range(1, 1 + min(3, len(listed(panel)))):
        panel.click(f"#why-{number}")
        panel.wait_for_selector(f".kin > li:nth-child({number}) .why", timeout=QUICK)
    assert panel.evaluate("window.ran") is None
    assert "<script>" in panel.text_content(".kin")
    assert panel.query_selector(".kin script, .kin img") is None
    links = panel.query_selector_all("#results a")
    assert {link.evaluate("link => link.protocol") for link in links} <= {"http:", "https:"}
    assert panel.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_is_left_as_it_is_by_the_panel_and_by_the_bookmarklet(reader):
    reader.read(ASKED)
    before = reader.tab.content()
    panel = reader.panel()
    until_about(panel, ASKED)
    assert reader.tab.content() == before
    panel.close()
    page = reader.context.new_page()
    page.goto(f"{reader.served.address}/panel")
    code = page.get_attribute("a.bookmarklet", "href").removeprefix("javascript:")
    reader.read(f"{ASKED}#part")
    with reader.context.expect_page() as opened:
        reader.tab.evaluate(code)
    window = opened.value
    window.wait_for_selector(".kin li")
    assert parse_qs(urlsplit(window.url).query) == {"url": [ASKED]}
    assert listed(window) == by_the_shell(reader.served, ASKED)
    assert window.evaluate("window.opener") is None
    assert reader.tab.content() == before


SHOWN = {"list": ASKED, "unknown": "http://nowhere.example/", "no-page": "about:blank"}


@pytest.mark.parametrize("name", SHOWN)
def test_screenshots_are_written_and_nothing_sticks_out(reader, screenshots, axe, name):
    reader.read(SHOWN[name])
    panel = reader.panel()
    panel.wait_for_selector("#results > *", timeout=QUICK)
    if name == "list":
        panel.select_option("#method", "assisted")
        panel.wait_for_selector("#alpha", state="visible", timeout=QUICK)
        panel.click("#why-2")
        panel.wait_for_selector(".why", timeout=QUICK)
        panel.wait_for_timeout(500)  # rows glide
    for width in (320, 400):
        panel.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            panel.emulate_media(color_scheme=scheme)
            file = screenshots / f"extension-{name}-{width}-{scheme}.png"
            panel.screenshot(path=file)
            assert file.stat().st_size > 3_000
            assert panel.evaluate("document.documentElement.scrollWidth <= innerWidth")
    session = reader.context.new_cdp_session(panel)
    session.send("Page.setBypassCSP", {"enabled": True})
    panel.evaluate(axe)
    found = panel.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")] == []


def test_the_settings_page_too(reader, screenshots):
    tab = reader.settings()
    for scheme in ("light", "dark"):
        tab.set_viewport_size({"width": 700, "height": 800})
        tab.emulate_media(color_scheme=scheme)
        tab.screenshot(path=screenshots / f"extension-settings-{scheme}.png")
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_mozilla_s_linter_finds_no_error(tmp_path):
    npx = shutil.which("npx")
    if not npx:
        pytest.skip("there is no npx here, from which web-ext is taken; on Debian: apt-get install npm")
    shutil.unpack_archive(pack("firefox", tmp_path), tmp_path / "packed")
    for folder in (tmp_path / "packed", SOURCE):
        command = [npx, "--yes", LINT, "lint", "--source-dir", folder, "--output", "json"]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
        if "{" not in ran.stdout:
            pytest.skip(f"npx does not give {LINT}: {ran.stderr[-300:]}")
        found = json.loads(ran.stdout)
        assert found["errors"] == []
        if folder != SOURCE:  # whose manifest has Chromium's keys too
            assert (found["warnings"], found["notices"]) == ([], [])
