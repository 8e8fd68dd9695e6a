"""The page of ``jeto-mine verify`` in a real browser, without a window.

Needs playwright and a Chromium: the one that ``JETO_CHROMIUM`` names, else ``chromium`` on the
path. Without them these tests are skipped, and say so.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from synthetic_records import synthetic_records

from jeto_bench import load
from jeto_bench.encode import records_to_jsonl
from jeto_bench.records import Tier
from jeto_mine.verification.labels import read_labels
from jeto_mine.verification.model import Decision
from jeto_mine.verification.server import LOOPBACK, Site, open_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "</pre><script>document.title='owned'</script><img src='http://127.0.0.1:9/x'>"
CHROMIUM = os.environ.get("JETO_CHROMIUM") or shutil.which("chromium")
SCREENSHOTS = os.environ.get("JETO_SCREENSHOTS")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    mini = load("mini")
    first = replace(mini[0], problem_statement=f"{mini[0].problem_statement}\n{HOSTILE}")
    records = (first, mini[1])
    return Site(records=records, labels=tmp_path / "labels.jsonl", annotator="ada")


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    with open_server(site) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://{LOOPBACK}:{server.server_address[1]}{site.root}"
        server.shutdown()
        thread.join()


@pytest.fixture
def page() -> Iterator[Page]:
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("NOT RUN: playwright is not installed (pip install playwright)")
    if CHROMIUM is None:
        pytest.skip("NOT RUN: no chromium here (apt-get install chromium, or JETO_CHROMIUM)")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # only where it is

    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": 1400, "height": 1000})
        browser.close()


def shot(page: Page, name: str) -> None:
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png")


def answer(page: Page, *values: str) -> None:
    fields = ("improves", "beyond_tests", "keeps_functionality")
    for field, value in zip(fields, values, strict=True):
        page.check(f"input[name={field}][value={value}]")


def test_a_person_labels_two_records(page: Page, address: str, site: Site) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    shot(page, "record")
    assert page.title() == site.records[0].instance_id
    assert page.locator("h1").inner_text() == site.records[0].problem_statement.split("\n")[0]
    assert page.locator(".diff .added").count() > 3
    answer(page, "yes", "yes", "yes")
    page.fill("input[name=note]", "plain to see é really")
    shot(page, "answered")
    page.click("button")
    assert page.title() == site.records[1].instance_id
    answer(page, "yes", "yes", "no")
    page.click("button")
    assert "Nothing waits for ada" in page.locator("h1").inner_text()
    shot(page, "done")
    one, two = read_labels(site.labels)
    assert (one.decision, one.note) == (Decision.IMPROVEMENT, "plain to see é really")
    assert two.decision is Decision.NO_IMPROVEMENT
    assert all(url.startswith(address.partition(site.root)[0]) for url in asked)


def test_a_script_in_an_issue_does_not_run(page: Page, address: str, site: Site) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    assert page.title() == site.records[0].instance_id
    assert HOSTILE in page.locator(".prose").first.inner_text()
    assert page.locator("img").count() == page.locator("script").count() == 0
    assert [url for url in asked if ":9/" in url] == []


def test_an_unanswered_question_is_not_sent(page: Page, address: str, site: Site) -> None:
    page.goto(address)
    page.check("input[name=improves][value=yes]")
    page.click("button")
    assert page.title() == site.records[0].instance_id
    assert read_labels(site.labels) == ()


def test_skipping_shows_the_next_and_comes_back(page: Page, address: str, site: Site) -> None:
    page.goto(address)
    page.click("text=Skip for now")
    assert page.title() == site.records[1].instance_id
    page.click("text=Skip for now")
    assert page.title() == site.records[0].instance_id


def test_it_can_be_used_by_keyboard_and_on_a_narrow_screen(
    page: Page, address: str, site: Site
) -> None:
    page.set_viewport_size({"width": 480, "height": 900})
    page.goto(address)
    width = page.evaluate("document.documentElement.scrollWidth")
    shot(page, "narrow")
    assert width <= 480
    for field in ("improves", "beyond_tests", "keeps_functionality"):
        page.focus(f"input[name={field}]")
        page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_url("**after=**")
    assert [item.decision for item in read_labels(site.labels)] == [Decision.IMPROVEMENT]


def test_another_page_cannot_send_a_label(page: Page, address: str, site: Site) -> None:
    """A form elsewhere knows neither the path nor the token; here it even knows the path."""
    page.goto("about:blank")
    page.set_content(f"""
        <form method=post action="{address}label">
        <input name=instance_id value="{site.records[1].instance_id}"></form>""")
    page.evaluate("document.forms[0].submit()")
    page.wait_for_url("**/label")
    assert read_labels(site.labels) == ()


def status(url: str, **headers: str) -> int:
    try:
        with urlopen(Request(url, headers=headers)) as reply:  # noqa: S310  # our own server
            return int(reply.status)
    except HTTPError as error:
        with error:
            return error.code


def test_only_the_secret_path_and_this_host_are_answered(address: str) -> None:
    root = address.rsplit("/", 2)[0]
    assert status(address) == 200
    assert status(f"{root}/") == 404
    assert status(f"{root}/guess/") == 404
    assert status(address, Host="evil.example") == 403
    assert status(address, Origin="http://evil.example") == 403


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_and_stops(tmp_path: Path, number: signal.Signals) -> None:
    """Also where SIGINT is ignored at its start, as a shell has it for background commands."""
    records = [item for item in synthetic_records(6) if item.tier is not Tier.IDENTIFIED]
    (tmp_path / "records.jsonl").write_bytes(records_to_jsonl(records))
    command = [
        *(sys.executable, "-u", "-m", "jeto_mine", "verify", str(tmp_path / "records.jsonl")),
        *("--labels", str(tmp_path / "labels.jsonl"), "--annotator", "ada"),
    ]
    ignored = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", *command]
    with subprocess.Popen(ignored, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().removeprefix("Open ").strip()
        found = status(url)
        process.send_signal(number)
        rest = process.stdout.read()
    assert found == 200
    assert "Labels are in" in rest
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("request_line", "more", "body", "status"),
    [
        ("GET http://[x HTTP/1.1", "", b"", 404),
        ("POST {root}label HTTP/1.1", "Content-Length: \u00b2\r\n", b"", 413),
        ("POST {root}label HTTP/1.1", f"Content-Length: {'9' * 5000}\r\n", b"", 413),
        ("POST {root}label HTTP/1.1", "Content-Length: 119\r\n", b"x=1&" * 29 + b"x=1", 403),
        ("POST {root}label HTTP/1.1", "Origin: null\r\n", b"", 403),
        ("GET {root} HTTP/1.1", "Host: evil.invalid\r\n", b"", 403),
    ],
)
def test_odd_requests_are_answered_and_nothing_is_said_in_the_terminal(  # noqa: PLR0917  # a table
    site: Site,
    address: str,
    capfd: pytest.CaptureFixture[str],
    request_line: str,
    more: str,
    body: bytes,
    status: int,
) -> None:
    """Lengths and addresses that are none ended in a traceback in the annotator's terminal."""
    port = int(address.split(":")[2].split("/", maxsplit=1)[0])
    host = "" if more.startswith("Host") else f"Host: {LOOPBACK}:{port}\r\n"
    head = f"{request_line.format(root=site.root)}\r\n{host}{more}\r\n".encode("latin-1")
    with socket.create_connection((LOOPBACK, port), timeout=10) as connection:
        connection.sendall(head + body)
        answer = connection.makefile("rb").readline().decode()
    assert answer.split()[1] == str(status)
    assert capfd.readouterr().err == ""


def test_labels_that_somebody_broke_are_told_on_the_page(
    site: Site, address: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The page stayed empty, and the terminal showed a traceback."""
    site.labels.write_bytes(b"{<b>\n")
    with pytest.raises(HTTPError) as refused:
        urlopen(address)  # noqa: S310  # our own server
    page = refused.value.read().decode()
    assert "labels.jsonl:1: not JSON" in page
    assert "<b>" not in page
    assert capfd.readouterr().err == ""
