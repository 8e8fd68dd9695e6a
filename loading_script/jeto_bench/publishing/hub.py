"""The Hub as ``publish`` needs it: few calls, which wait when told to, and plain errors."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from jeto_bench.errors import InfrastructureError, UsageError

if TYPE_CHECKING:
    from huggingface_hub import HfApi

__all__ = ["TOKEN_VARIABLE", "Hub", "RemoteState", "connect_hub"]

TOKEN_VARIABLE: Final = "HF_TOKEN"  # noqa: S105  # a variable's name
_ATTEMPTS: Final = 7
_LONGEST_WAIT_S: Final = 300.0
_TRY_AGAIN: Final = frozenset({429, 503})
_NOT_FOUND: Final = 404
_NOT_UNDERSTOOD: Final = (OSError, ValueError, LookupError, TypeError, AttributeError)
"""What huggingface_hub raises when a Hub cannot be reached, or its answers are no Hub's."""

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class RemoteState:
    """What the Hub has of a dataset.

    Attributes:
        exists: Whether there is such a dataset.
        head: Commit of branch main; empty if there is none.
        tags: Commit by tag.
        files: Paths on main.
    """

    exists: bool
    head: str
    tags: Mapping[str, str]
    files: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Hub:
    """Calls to the Hub for datasets.

    Attributes:
        api: The library's client.
        token: Given to it; ``False`` means anonymous. Never shown.
        sleep: Waits a number of seconds.
        say: Tells the user why nothing seems to happen.
    """

    api: HfApi
    token: str | bool = field(repr=False)
    sleep: Callable[[float], None]
    say: Callable[[str], None]

    def state(self, repo_id: str) -> RemoteState:
        """Return what is there; a dataset that is not there, or hidden, does not exist."""
        from huggingface_hub.errors import RepositoryNotFoundError  # noqa: PLC0415  # optional

        try:
            refs = self._call(
                "list tags", lambda: self.api.list_repo_refs(repo_id, repo_type="dataset")
            )
        except RepositoryNotFoundError:
            return RemoteState(exists=False, head="", tags={}, files=())
        main = next((item.target_commit for item in refs.branches if item.name == "main"), "")
        files = (
            self._call("list files", lambda: self.api.list_repo_files(repo_id, repo_type="dataset"))
            if main
            else []
        )
        tags = {item.name: item.target_commit for item in refs.tags}
        return RemoteState(exists=True, head=main, tags=tags, files=tuple(sorted(files)))

    def create(self, repo_id: str, *, private: bool) -> None:
        """Make the dataset if it is not there."""
        self._call(
            "create the dataset",
            lambda: self.api.create_repo(
                repo_id, repo_type="dataset", private=private, exist_ok=True
            ),
        )

    def commit(
        self,
        repo_id: str,
        *,
        add: Mapping[str, Path],
        delete: tuple[str, ...],
        message: str,
        parent: str,
    ) -> str:
        """Write all changes as one commit on main and return its id.

        Args:
            repo_id: ``owner/name``.
            add: Files by path in the dataset; one that is there already is not uploaded again.
            delete: Paths that are removed.
            message: First line of the commit.
            parent: Commit that main must still be at; empty if it is not known.
        """
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete  # noqa: PLC0415

        def run() -> str:
            # Made anew each time: the library marks what it has sent.
            operations: list[Any] = [CommitOperationDelete(path) for path in delete]
            operations += [CommitOperationAdd(path, str(file)) for path, file in add.items()]
            done = self.api.create_commit(
                repo_id,
                operations,
                commit_message=message,
                repo_type="dataset",
                revision="main",
                parent_commit=parent or None,
            )
            return str(done.oid)

        return self._call("commit", run)

    def tag(self, repo_id: str, tag: str, commit: str) -> None:
        """Name a commit; fails if the tag is there."""
        self._call(
            f"tag {tag}",
            lambda: self.api.create_tag(
                repo_id, tag=tag, revision=commit, repo_type="dataset", exist_ok=False
            ),
        )

    def fetch(self, repo_id: str, revision: str, cache: Path) -> Path:
        """Download everything at a revision into an empty cache and return its folder."""
        from huggingface_hub import snapshot_download  # noqa: PLC0415  # optional

        found = self._call(
            f"load {repo_id} at {revision}",
            lambda: snapshot_download(
                repo_id,
                repo_type="dataset",
                revision=revision,
                cache_dir=cache,
                token=self.token,
                endpoint=self.api.endpoint,
            ),
        )
        return Path(found)

    def _call(self, what: str, run: Callable[[], T]) -> T:
        """Run a call, waiting as long as the Hub asks for (field.md row 103); errors are plain."""
        from huggingface_hub.errors import (  # noqa: PLC0415  # optional
            HfHubHTTPError,
            RepositoryNotFoundError,
        )

        retrying = Retrying(
            stop=stop_after_attempt(_ATTEMPTS),
            wait=_wait,
            retry=retry_if_exception(lambda error: _status(error) in _TRY_AGAIN),
            sleep=self.sleep,
            before_sleep=lambda state: self._tell(what, state),
            reraise=True,
        )
        try:
            return retrying(run)
        except RepositoryNotFoundError:
            raise
        except (HfHubHTTPError, *_NOT_UNDERSTOOD) as error:
            advice = "Try again later; nothing that was done is lost."
            if _status(error) in {401, 403}:
                advice = f"Is the token in {TOKEN_VARIABLE} allowed to write there?"
            raise InfrastructureError(
                f"the Hub could not {what}: {self._hidden(str(error))}", advice=advice
            ) from error

    def _tell(self, what: str, state: RetryCallState) -> None:
        seconds = state.next_action.sleep if state.next_action else 0.0
        self.say(f"The Hub is busy ({what}): trying again in {seconds:.0f} s")

    def _hidden(self, text: str) -> str:
        return text.replace(self.token, "***") if isinstance(self.token, str) else text


def connect_hub(
    *,
    environ: Mapping[str, str] = os.environ,
    sleep: Callable[[float], None],
    say: Callable[[str], None],
) -> Hub:
    """Return the Hub that ``HF_ENDPOINT`` names, with the token of the environment and no other.

    Raises:
        UsageError: huggingface_hub is missing.
    """
    try:
        from huggingface_hub import HfApi  # noqa: PLC0415  # optional
    except ImportError as error:
        raise UsageError(
            "publishing needs the package huggingface_hub",
            advice="pip install 'jeto-bench[hub]'",
        ) from error
    token = environ.get(TOKEN_VARIABLE, "").strip() or False
    endpoint = environ.get("HF_ENDPOINT") or None
    return Hub(api=HfApi(endpoint=endpoint, token=token), token=token, sleep=sleep, say=say)


def _status(error: BaseException | None) -> int | None:
    """HTTP status behind an error; a download hides it in what caused its own error."""
    seen = 0
    while error is not None and seen < 10:  # noqa: PLR2004  # a chain that ends
        status = getattr(getattr(error, "response", None), "status_code", None)
        if isinstance(status, int):
            return status
        error, seen = error.__cause__ or error.__context__, seen + 1
    return None


def _wait(state: RetryCallState) -> float:
    """Seconds to wait: what the Hub says in ``Retry-After``, else 1, 2, 4, ..."""
    error = state.outcome.exception() if state.outcome else None
    asked = ""
    while error is not None:
        response = getattr(error, "response", None)
        if response is not None:
            asked = str(response.headers.get("Retry-After", ""))
            break
        error = error.__cause__ or error.__context__
    seconds = float(asked) if asked.isdecimal() else 2.0 ** (state.attempt_number - 1)
    return min(seconds, _LONGEST_WAIT_S)
