"""Questions to GitHub: each asked once, retried when it helps, the token nowhere to be seen."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import github_stub
import httpx
import pytest
from github_stub import HOME, SECRET, FakeClock, Stub, api, issue, pull, repository

from jeto_bench.errors import ForgeError, JetoError, UsageError
from jeto_bench.github import batches
from jeto_bench.github.api import Api, ServerTroubleError
from jeto_bench.github.cache import Cache
from jeto_bench.github.client import GitHubClient
from jeto_bench.github.export import Recorder
from jeto_bench.github.heads import files_at_heads
from jeto_bench.github.local import LocalStore
from jeto_bench.github.model import IssueRef
from jeto_bench.github.token import Token

LIMITED = b'{"message": "You have exceeded a secondary rate limit."}'


def sha(number: int) -> str:
    return f"{number:040x}"


@pytest.fixture
def stub() -> Stub:
    return Stub(
        repositories={HOME.casefold(): repository(HOME)},
        pulls={3: pull(3), 5: pull(5, merged=False)},
        issues={2: issue(2), 3: issue(3, kind="PullRequest")},
        commits={sha(n): [3] if n % 2 else [] for n in range(250)},
    )


def test_many_commits_are_asked_for_a_hundred_at_a_time_and_once(
    stub: Stub, tmp_path: Path
) -> None:
    client = GitHubClient(api(stub, tmp_path))
    commits = [sha(n) for n in range(250)]
    found = client.pulls_of_commits(HOME, commits)
    assert list(found) == [sha(n) for n in range(250) if n % 2]
    assert {one.ref.number for pulls in found.values() for one in pulls} == {3}
    assert len(stub.asked) == 3
    assert client.pulls_of_commits(HOME, commits[::-1]).keys() == found.keys()
    assert len(stub.asked) == 3


def test_another_grouping_asks_for_what_is_new_only_also_in_a_later_run(
    stub: Stub, tmp_path: Path
) -> None:
    GitHubClient(api(stub, tmp_path)).pulls_of_commits(HOME, [sha(n) for n in range(150)])
    later = GitHubClient(api(stub, tmp_path))
    later.pulls_of_commits(HOME, [sha(n) for n in range(250)])
    assert len(stub.asked) == 3
    assert set(stub.things.values()) == {1}
    assert len(stub.things) == 250


def test_numbers_of_issues_are_no_pulls_and_pulls_are_marked_among_issues(
    stub: Stub, tmp_path: Path
) -> None:
    client = GitHubClient(api(stub, tmp_path))
    assert list(client.pulls(HOME, [2, 3, 99])) == [3]
    issues = client.issues(HOME, [2, 3, 99])
    assert {number: one.is_pull_request for number, one in issues.items()} == {2: False, 3: True}
    assert issues[2].labels == ("performance",)


def test_pull_requests_that_were_not_merged_belong_to_no_commit(stub: Stub, tmp_path: Path) -> None:
    stub.commits[sha(1)] = [5, 3]
    (found,) = GitHubClient(api(stub, tmp_path)).pulls_of_commits(HOME, [sha(1)]).values()
    assert [one.ref.number for one in found] == [3]


def test_pull_requests_of_a_fork_with_the_same_commit_are_left_out(
    stub: Stub, tmp_path: Path
) -> None:
    stub.pulls[9] = pull(9, home="other/lib")
    stub.commits[sha(1)] = [9, 3]
    (found,) = GitHubClient(api(stub, tmp_path)).pulls_of_commits(HOME, [sha(1)]).values()
    assert [one.ref for one in found] == [IssueRef(repo=HOME, number=3)]


def test_lists_longer_than_a_page_are_complete(stub: Stub, tmp_path: Path) -> None:
    """A pull request of 230 commits; a discussion of 120 comments."""
    stub.pulls[3] = pull(3, commits=230)
    stub.issues[2] = issue(2, comments=120)
    client = GitHubClient(api(stub, tmp_path))
    assert client.pulls(HOME, [3])[3].commits == tuple(sha(n) for n in range(230))
    assert len(client.issues(HOME, [2], comments=True)[2].comments) == 120
    (found,) = client.pulls_of_commits(HOME, [sha(1)]).values()
    assert len(found[0].commits) == 230


@pytest.mark.parametrize("moves", [True, False])
def test_a_list_that_has_no_end_is_given_up(
    stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, moves: bool
) -> None:
    """A server that always had one more page was asked for ever."""

    def endless(nodes: list[Any], after: int, size: int) -> dict[str, Any]:
        del size
        info = {"hasNextPage": True, "endCursor": str(after + moves)}
        return {"pageInfo": info, "nodes": nodes}

    monkeypatch.setattr(github_stub, "page", endless)
    monkeypatch.setattr(batches, "_MOST_PAGES", 20)
    with pytest.raises(ForgeError, match="have no end"):
        GitHubClient(api(stub, tmp_path)).pulls(HOME, [3])
    assert len(stub.asked) < 30


def test_a_repository_that_has_vanished_is_none_and_asked_for_once(
    stub: Stub, tmp_path: Path
) -> None:
    """field.md row 115: gone repositories are an answer, not an error."""
    client = GitHubClient(api(stub, tmp_path))
    for _ in range(2):
        assert client.repository("gone/lib") is None
        assert client.pulls_of_commits("gone/lib", [sha(1)]) == {}
        assert client.issues("gone/lib", [2]) == {}
    assert len(stub.asked) == 3


@pytest.mark.parametrize("status", [404, 410, 451])
def test_taken_down_is_vanished_too(stub: Stub, tmp_path: Path, status: int) -> None:
    stub.next.append((status, {}, b"{}"))
    assert GitHubClient(api(stub, tmp_path)).repository(HOME) is None


def test_a_repository_keeps_its_number_when_it_is_renamed(stub: Stub, tmp_path: Path) -> None:
    """field.md row 115: the numeric id and the licence are facts of the record."""
    stub.repositories["old/lib"] = repository(HOME, number=7)
    found = GitHubClient(api(stub, tmp_path)).repository("old/lib")
    assert found is not None
    assert (found.full_name, found.database_id, found.license) == (HOME, 7, "MIT")


def test_what_has_not_changed_is_not_sent_again(stub: Stub, tmp_path: Path) -> None:
    first = GitHubClient(api(stub, tmp_path)).repository(HOME)
    fresh = api(stub, tmp_path)
    assert GitHubClient(fresh).repository(HOME) == first
    assert not fresh.sent
    stale = api(stub, tmp_path, fresh_for=0.0)
    assert GitHubClient(stale).repository(HOME) == first
    assert stale.sent == {"GET 304": 1}
    stub.repositories[HOME.casefold()]["stargazers_count"] = 22
    again = GitHubClient(stale).repository(HOME)
    assert again is not None
    assert again.stars == 22


def test_a_run_of_troubles_loses_nothing(stub: Stub, tmp_path: Path) -> None:
    """field.md row 103: 403 without a header, 429 with one, 5xx and cut-off JSON."""
    stub.next.extend(
        [
            (403, {}, LIMITED),
            (429, {"retry-after": "5"}, b""),
            (502, {}, b"<html>"),
            (200, {}, b'{"data": {"repository": {"nameWith'),
        ]
    )
    clock = FakeClock()
    client = GitHubClient(api(stub, tmp_path, clock))
    assert list(client.pulls(HOME, [3])) == [3]
    assert len(stub.asked) == 5
    assert clock.slept == [60, 6, 4, 8]


def test_a_limit_that_graphql_tells_inside_an_answer_is_waited_for(
    stub: Stub, tmp_path: Path
) -> None:
    clock = FakeClock()
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(clock.at) + 50)}
    told = {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}
    stub.next.append((200, headers, json.dumps(told).encode()))
    assert list(GitHubClient(api(stub, tmp_path, clock)).pulls(HOME, [3])) == [3]
    assert clock.slept == [51]


def test_texts_that_speak_of_rate_limits_are_answers(stub: Stub, tmp_path: Path) -> None:
    stub.issues[2]["body"] = '"errors": RATE_LIMITED, a secondary rate limit'
    clock = FakeClock()
    assert list(GitHubClient(api(stub, tmp_path, clock)).issues(HOME, [2, 99])) == [2]
    assert clock.slept == []


def test_when_nothing_is_left_the_next_question_waits_and_is_not_refused(
    stub: Stub, tmp_path: Path
) -> None:
    clock = FakeClock()
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(clock.at) + 120)}
    stub.next.append((200, headers, json.dumps(repository(HOME)).encode()))
    client = GitHubClient(api(stub, tmp_path, clock))
    client.repository(HOME)
    assert clock.slept == []
    client.repository("gone/lib")
    assert clock.slept == [121]


def test_plain_refusals_are_told_at_once(stub: Stub, tmp_path: Path) -> None:
    stub.next.append((401, {}, b'{"message": "Bad credentials"}'))
    with pytest.raises(ForgeError, match=r"HTTP 401: .*Bad credentials.*\n.*GITHUB_TOKEN"):
        GitHubClient(api(stub, tmp_path)).repository(HOME)
    stub.next.append((403, {}, b'{"message": "Resource not accessible"}'))
    with pytest.raises(ForgeError, match="HTTP 403"):
        GitHubClient(api(stub, tmp_path)).repository(HOME)
    assert len(stub.asked) == 2


def test_a_server_that_stays_down_is_given_up(stub: Stub, tmp_path: Path) -> None:
    stub.next.extend([(503, {}, b"")] * 6)
    clock = FakeClock()
    with pytest.raises(ServerTroubleError, match="HTTP 503, 6 times"):
        GitHubClient(api(stub, tmp_path, clock)).repository(HOME)
    assert clock.slept == [1, 2, 4, 8, 16]
    stub.next.extend([(429, {}, b"")] * 8)
    with pytest.raises(ForgeError, match="limits, 8 times"):
        GitHubClient(api(stub, tmp_path, clock)).repository(HOME)


def test_a_query_that_is_too_much_is_halved(stub: Stub, tmp_path: Path) -> None:
    stub.next.extend([(502, {}, b"")] * 6)
    client = GitHubClient(api(stub, tmp_path))
    found = client.pulls_of_commits(HOME, [sha(n) for n in range(100)])
    assert len(found) == 50
    assert len(stub.asked) == 6 + 2


def test_what_failed_inside_an_answer_is_asked_for_again_alone(stub: Stub, tmp_path: Path) -> None:
    stub.partial[sha(1)] = {"type": "INTERNAL", "message": "timed out"}
    client = GitHubClient(api(stub, tmp_path))
    found = client.pulls_of_commits(HOME, [sha(n) for n in range(4)])
    assert list(found) == [sha(1), sha(3)]
    assert stub.things == {f"commit {sha(n)}": 2 if n == 1 else 1 for n in range(4)}


def test_a_part_that_fails_always_is_an_error_and_the_rest_is_kept(
    stub: Stub, tmp_path: Path
) -> None:
    class Stubborn(dict[str, dict[str, str]]):
        def pop(self, key: str, *_default: object) -> dict[str, str]:
            return self[key]

    stub.partial = Stubborn({"3": {"type": "INTERNAL", "message": "timed out"}})
    client = GitHubClient(api(stub, tmp_path))
    with pytest.raises(ForgeError, match=r"Acme/lib: issue 3: timed out"):
        client.issues(HOME, [2, 3])
    asked = len(stub.asked)
    assert list(client.issues(HOME, [2])) == [2]
    assert len(stub.asked) == asked


def test_what_the_token_may_not_see_is_an_error_not_a_gap(stub: Stub, tmp_path: Path) -> None:
    class Closed(dict[str, dict[str, str]]):
        def pop(self, key: str, *_default: object) -> dict[str, str]:
            return self[key]

    stub.partial = Closed({"3": {"type": "FORBIDDEN", "message": "SAML"}})
    with pytest.raises(ForgeError, match=r"issue 3: SAML"):
        GitHubClient(api(stub, tmp_path)).issues(HOME, [2, 3])


def test_a_moved_repository_is_followed_and_the_token_stays_with_its_host(tmp_path: Path) -> None:
    """field.md row 115: GitHub answers 301 for a former name."""
    seen: list[tuple[str, str]] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append((request.url.host, request.headers.get("authorization", "")))
        if request.url.path == "/repos/old/lib":
            return httpx.Response(301, headers={"location": "/repositories/7"})
        if request.url.path == "/repos/bad/lib":
            return httpx.Response(301, headers={"location": "https://evil.example/x"})
        return httpx.Response(200, json=repository(HOME))

    client = GitHubClient(
        Api(cache=Cache(tmp_path), token=Token(SECRET), transport=httpx.MockTransport(handle))
    )
    found = client.repository("old/lib")
    assert found is not None
    assert found.full_name == HOME
    client.repository("bad/lib")
    assert seen[:2] == [("api.github.com", f"Bearer {SECRET}")] * 2
    assert seen[-1] == ("evil.example", "")


def test_names_that_are_none_never_reach_the_server(stub: Stub, tmp_path: Path) -> None:
    client = GitHubClient(api(stub, tmp_path))
    with pytest.raises(UsageError, match="no name of a repository"):
        client.repository('a/b"){x}')
    with pytest.raises(UsageError, match="is no commit"):
        client.pulls_of_commits(HOME, ['"'])
    with pytest.raises(UsageError, match="cannot be asked for"):
        files_at_heads(client.api, [HOME], ['mvnw"'])
    with pytest.raises(UsageError, match="no name of a repository"):
        files_at_heads(client.api, ["a"], ["mvnw"])
    assert not stub.asked


def test_files_of_many_default_branches_are_one_question(stub: Stub, tmp_path: Path) -> None:
    names = [f"acme/lib{n}" for n in range(150)]
    stub.repositories |= {name: repository(name) for name in names}
    stub.files = {"acme/lib7:mvnw"}
    stub.partial["acme/lib8"] = {"type": "INTERNAL", "message": "timed out"}
    carrier = api(stub, tmp_path)
    found = files_at_heads(carrier, [*names, "gone/lib"], ["mvnw", "pom.xml"])
    assert found == {name: {"mvnw"} if name == "acme/lib7" else set() for name in names}
    assert len(stub.asked) == 3
    assert files_at_heads(carrier, names, ["mvnw", "pom.xml"]) == found
    assert len(stub.asked) == 3
    stub.next.extend([(502, {}, b"")] * 6)
    assert files_at_heads(carrier, names[:100], ["pom.xml"]) == {n: set() for n in names[:100]}
    assert len(stub.asked) == 3 + 6 + 2


def test_graphql_without_a_token_is_refused_here(stub: Stub, tmp_path: Path) -> None:
    bare = Api(cache=Cache(tmp_path), token=Token(""), transport=stub.transport())
    with pytest.raises(UsageError, match=r"needs a token\n.*GITHUB_TOKEN"):
        GitHubClient(bare).issues(HOME, [2])
    assert GitHubClient(bare).repository(HOME) is not None
    assert stub.tokens == {""}


@pytest.mark.parametrize("url", ["https://me:pw@host", "ftp://host", "host"])
def test_addresses_with_a_password_are_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(UsageError, match="without user and password") as caught:
        Api(cache=Cache(tmp_path), token=Token(""), base_url=url)
    assert "pw" not in str(caught.value)


def test_an_enterprise_server_has_its_graphql_beside_its_rest(stub: Stub, tmp_path: Path) -> None:
    client = GitHubClient(api(stub, tmp_path, base_url="https://git.example/api/v3/"))
    client.issues(HOME, [2])
    assert stub.asked == ["POST https://git.example/api/graphql"]


def test_answers_of_one_server_are_not_those_of_another(stub: Stub, tmp_path: Path) -> None:
    for base in ("https://one.example", "https://two.example"):
        client = GitHubClient(api(stub, tmp_path, base_url=base))
        client.issues(HOME, [2])
        client.repository(HOME)
    assert len(stub.asked) == 4


def test_the_token_shows_nowhere(
    stub: Stub, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not in logs at any level, errors, ``repr`` or the cache, even if a server sends it back."""
    caplog.set_level(logging.DEBUG)
    stub.issues[2]["body"] = f"leaked {SECRET}"
    stub.repositories[HOME.casefold()]["description"] = SECRET
    stub.next.extend([(403, {}, LIMITED + SECRET.encode()), (500, {}, SECRET.encode())])
    carrier = api(stub, tmp_path)
    client = GitHubClient(carrier)
    client.repository(HOME)
    client.issues(HOME, [2])
    stub.next.append((422, {}, f"you sent {SECRET}".encode()))
    with pytest.raises(JetoError) as refused:
        client.repository("other/lib")

    def broken(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError(f"header {SECRET}")

    down = Api(
        cache=Cache(tmp_path),
        token=Token(SECRET),
        clock=FakeClock().clock(),
        transport=httpx.MockTransport(broken),
    )
    with pytest.raises(ServerTroubleError) as failed:
        GitHubClient(down).repository("third/lib")
    assert stub.tokens == {f"Bearer {SECRET}"}
    files = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    shown = [str(refused.value), str(failed.value), repr(carrier), repr(carrier.token), *files]
    shown += [caplog.text, repr(failed.value.__cause__), repr(client)]
    assert [text for text in shown if SECRET in text] == []


def test_the_environment_has_the_token() -> None:
    assert Token.from_environment({"GH_TOKEN": "b"}).headers() == {"Authorization": "Bearer b"}
    both = {"GITHUB_TOKEN": "a\n", "GH_TOKEN": "b"}
    assert Token.from_environment(both).headers() == {"Authorization": "Bearer a"}
    assert not Token.from_environment({"GITHUB_TOKEN": ""})


def test_a_damaged_answer_in_the_cache_is_asked_for_again(stub: Stub, tmp_path: Path) -> None:
    client = GitHubClient(api(stub, tmp_path))
    expected = client.issues(HOME, [2])
    for path in (*tmp_path.glob("contents/*/*"), *tmp_path.glob("entries/*/*")):
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        assert client.issues(HOME, [2]) == expected
        assert path.read_bytes() == whole or path.parent.parent.name == "entries"
    assert len(stub.asked) == 3


def test_equal_answers_are_stored_once(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for question in ("a", "b"):
        cache.put(question, b"null", etag="", now=1.0)
    assert len(list(tmp_path.glob("contents/*/*"))) == 1
    assert len(list(tmp_path.glob("entries/*/*"))) == 2


def test_what_was_asked_can_be_asked_again_without_network(stub: Stub, tmp_path: Path) -> None:
    stub.repositories["old/lib"] = repository(HOME)
    stub.issues[2] = issue(2, comments=2)
    recorder = Recorder(GitHubClient(api(stub, tmp_path / "cache")), tmp_path / "export")
    commits = [sha(n) for n in range(6)]

    def answers(source: GitHubClient | Recorder | LocalStore) -> list[object]:
        return [
            source.repository("old/lib"),
            source.repository("gone/lib"),
            source.pulls_of_commits(HOME, commits),
            source.pulls(HOME, [3, 5, 99]),
            source.issues(HOME, [2, 3, 99], comments=True),
            source.issues(HOME, [2]),
        ]

    live = answers(recorder)
    recorder.write()
    assert answers(LocalStore(tmp_path / "export")) == live
    before = {path.name: path.read_bytes() for path in (tmp_path / "export").iterdir()}
    again = Recorder(GitHubClient(api(stub, tmp_path / "cache")), tmp_path / "export")
    again.write()
    assert {path.name: path.read_bytes() for path in (tmp_path / "export").iterdir()} == before


@pytest.mark.parametrize(
    "node",
    [
        {"labels": {"nodes": []}},
        {"labels": {"nodes": [], "pageInfo": {}}},
        {"labels": {"nodes": [], "pageInfo": [1]}},
        {"associatedPullRequests": {"nodes": 1, "pageInfo": {"hasNextPage": False}}},
        {"associatedPullRequests": {"nodes": [{}], "pageInfo": {"hasNextPage": False}}},
        {"associatedPullRequests": 1},
    ],
)
def test_an_answer_of_wrong_types_is_told_and_no_traceback(
    tmp_path: Path, stub: Stub, node: dict[str, object]
) -> None:
    """Lists without `pageInfo`, and numbers in the place of lists, ended in tracebacks."""
    data = {"data": {"repository": {"nameWithOwner": HOME, "t0": node}}}
    client = GitHubClient(api(stub, tmp_path))
    stub.next.append((200, {}, json.dumps(data).encode()))
    with pytest.raises(ForgeError, match="an answer that is not understood"):
        client.pulls_of_commits(HOME, [sha(1)])
    # It is not kept either: the next one to ask is answered.
    client.pulls_of_commits(HOME, [sha(1)])


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("createdAt", "yesterday", "created_at: 'yesterday' is no time"),
        ("headRefOid", "abc", "head_commit: 'abc' is no commit"),
        ("title", 7, "title"),
    ],
)
def test_a_thing_with_wrong_values_is_told_and_not_kept(
    tmp_path: Path, stub: Stub, field: str, value: object, told: str
) -> None:
    right = stub.pulls[3]
    client = GitHubClient(api(stub, tmp_path))
    stub.pulls[3] = right | {field: value}
    with pytest.raises(ForgeError, match=told):
        client.pulls(HOME, [3])
    stub.pulls[3] = right
    assert GitHubClient(api(stub, tmp_path)).pulls(HOME, [3])[3].title == right["title"]


def test_a_repository_with_wrong_values_is_told_and_not_kept(tmp_path: Path, stub: Stub) -> None:
    right = stub.repositories[HOME.casefold()]
    client = GitHubClient(api(stub, tmp_path))
    stub.repositories[HOME.casefold()] = right | {"stargazers_count": "many"}
    with pytest.raises(ForgeError, match="stars"):
        client.repository(HOME)
    stub.repositories[HOME.casefold()] = right
    found = client.repository(HOME)
    assert found is not None
    assert found.stars == right["stargazers_count"]
