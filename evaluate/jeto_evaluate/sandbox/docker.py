"""A sandbox in a Docker container."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, Self

import requests
from docker.errors import APIError, DockerException, NotFound

from jeto_bench.errors import ContentError, SandboxError
from jeto_evaluate.engine.container import (
    ContainerSettings,
    is_running,
    remove_container,
    start_container,
)
from jeto_evaluate.engine.streams import exec_stream
from jeto_evaluate.sandbox.archive import read_archive, read_at_most, write_archive
from jeto_evaluate.sandbox.conversation import Answer, Conversation
from jeto_evaluate.sandbox.oom_kills import OOM_EVENTS, OomKills
from jeto_evaluate.sandbox.protocol import ExecResult, User
from jeto_evaluate.sandbox.tail import Tail

if TYPE_CHECKING:
    from types import TracebackType

    import docker

__all__ = ["DockerSandbox"]

_LOG = logging.getLogger(__name__)
_UIDS: Final = {User.JETO: 1000, User.RUNNER: 1001}
_KILL_GRACE: Final = 10.0
_SHORT: Final = 30.0
_NOTICE: Final = 2.0
_GONE: Final = Answer(status=255, data=b"")
_CROWD: Final = 0.25
_ENGINE_TROUBLE = (DockerException, requests.RequestException)


class DockerSandbox:
    """One arm's container, as a context manager.

    Use::

        with DockerSandbox(client, ContainerSettings(image=..., cpuset="0-1", ...)) as sandbox:
            sandbox.exec(["git", "status"], deadline=10)
    """

    def __init__(self, client: docker.DockerClient, settings: ContainerSettings) -> None:
        self._api = client.api
        self._container = start_container(client, settings)
        self._pids = settings.pids
        self._conversations: list[Conversation] = []
        self._oom_kills = OomKills(lambda: self._output(OOM_EVENTS, User.JETO))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def container_id(self) -> str:
        """The engine's id of the container."""
        return str(self._container.id)

    def exec(
        self,
        argv: Sequence[str],
        *,
        deadline: float,
        user: User = User.JETO,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> ExecResult:
        """Run a command; see ``Sandbox.exec``."""
        started = time.monotonic()
        try:
            exec_id = self._create(argv, user=user, cwd=cwd, env=env)
            with exec_stream(self._api, exec_id) as stream:
                tail = Tail(stream)
                tail.wait(deadline)
                timed_out = tail.running
                if timed_out:
                    self.kill_all(user)
                    tail.wait(_KILL_GRACE)
            seconds = time.monotonic() - started
            code = None if timed_out else self._api.exec_inspect(exec_id)["ExitCode"]
        except _ENGINE_TROUBLE as error:
            raise SandboxError(f"cannot run {argv[0]} in the container: {error}") from error
        if code is None and not timed_out:
            raise SandboxError(f"the container died while {argv[0]} ran in it")
        return ExecResult(
            exit_code=code,
            seconds=seconds,
            output=tail.data,
            timed_out=timed_out,
            oom_killed=code != 0 and self._oom_killed(argv[0]),
        )

    def open(self, argv: Sequence[str], *, user: User) -> Conversation:
        """Start a command that stays, to be asked over its stdin and stdout."""
        try:
            created = self._create(argv, user=user, stdin=True)
            made = Conversation(self._api.exec_start(created, socket=True))
        except _ENGINE_TROUBLE as error:
            raise SandboxError(f"cannot start {argv[0]} in the container: {error}") from error
        self._conversations.append(made)
        return made

    def ask(self, conversation: Conversation, question: str, *, deadline: float) -> ExecResult:
        """Ask a command that stays; its answer is the result's ``output``.

        A question that is not answered in time ends the whole container: among thousands of
        processes nothing that is started inside gets a turn. If the command is gone, the result
        has an exit status of its own.

        Raises:
            SandboxError: Trouble of the engine.
            ContentError: The answer is larger than answers may be.
        """
        started = time.monotonic()
        try:
            answer = conversation.ask(question, deadline)
            seconds = time.monotonic() - started
            if answer is None:
                self._end()
                return ExecResult(exit_code=None, seconds=seconds, output=b"", timed_out=True)
        except EOFError:
            seconds, answer = time.monotonic() - started, _GONE
            self._await_end()
        except (*_ENGINE_TROUBLE, OSError) as error:
            raise SandboxError(f"cannot ask the container to {question}: {error}") from error
        return ExecResult(
            exit_code=answer.status,
            seconds=seconds,
            output=answer.data,
            oom_killed=answer.status != 0 and self._oom_killed(question),
        )

    def spawn(
        self,
        argv: Sequence[str],
        *,
        user: User,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> int:
        """Start a command and do not wait for it; its output is discarded.

        Returns:
            Its process number as ``processes`` states it.
        """
        try:
            created = self._create(argv, user=user, cwd=cwd, env=env)
            self._api.exec_start(created, detach=True)
            return int(self._api.exec_inspect(created)["Pid"])
        except _ENGINE_TROUBLE as error:
            raise SandboxError(f"cannot start {argv[0]} in the container: {error}") from error

    def processes(self, user: User) -> dict[int, str]:
        """Return the names of a user's processes by number, as the host sees them.

        Not their command lines: to read one waits for its process, which may not get a turn.
        """
        try:
            listed = self._api.top(self.container_id, ps_args="-eo pid,uid,comm")
        except _ENGINE_TROUBLE as error:
            raise SandboxError(f"cannot list the container's processes: {error}") from error
        rows = listed["Processes"] or []
        return {int(row[0]): row[2] for row in rows if row[1].strip() == str(_UIDS[user])}

    def kill_all(self, user: User) -> None:
        """Kill every process of ``user``, from outside what those processes can reach."""
        # `exec` so that the shell is not among the processes that it kills.
        argv = ["sh", "-c", "kill -9 -1"]
        try:
            self._output(argv, user)
        except _ENGINE_TROUBLE as error:
            _LOG.warning("cannot kill the processes of %s: %s", user, error)

    def refuse_content(self) -> None:
        """Tell trouble that what runs inside makes from trouble of the engine.

        Commands hardly start in a container that is full of processes, and its first process can
        be made to die: by the kernel, when memory is short and all others are smaller.

        Raises:
            ContentError: It holds a large share of the processes that it may have, or has ended
                before its time.
            SandboxError: The engine does not answer, or the container is gone.
        """
        try:
            self._container.reload()
            state = self._container.attrs["State"]
            if state["Status"] == "exited" and state["ExitCode"] != 0:
                raise ContentError(f"it ended the container (exit status {state['ExitCode']})")
            counts = self._api.stats(self.container_id, stream=False).get("pids_stats") or {}
        except _ENGINE_TROUBLE as error:
            raise SandboxError(f"cannot count the container's processes: {error}") from error
        current = int(counts.get("current") or 0)
        if current > _CROWD * self._pids:
            raise ContentError(f"it holds {current} processes and threads")

    def put(self, path: str, data: bytes, *, mode: int = 0o644, user: User = User.JETO) -> None:
        """Write one file; see ``Sandbox.put``."""
        target = PurePosixPath(path)
        folder = str(target.parent)
        archive = write_archive(target.name, data, mode=mode, owner=_UIDS[user])
        try:
            try:
                self._api.put_archive(self.container_id, folder, archive)
            except NotFound:
                made = self.exec(["mkdir", "-p", folder], deadline=_SHORT, user=user)
                if not made.ok:
                    raise SandboxError(f"cannot create {folder}: {made.output!r}") from None
                self._api.put_archive(self.container_id, folder, archive)
        except _ENGINE_TROUBLE as error:
            raise SandboxError(f"cannot write {path}: {error}") from error

    def get(self, path: str, *, max_bytes: int = 64 * 1024 * 1024) -> Mapping[str, bytes]:
        """Return the regular files below ``path``; see ``Sandbox.get``."""
        try:
            stream, _ = self._api.get_archive(self.container_id, path)
            data = read_at_most(stream, max_bytes + max_bytes // 4, path)
        except NotFound:
            return {}
        except _ENGINE_TROUBLE as error:
            raise SandboxError(f"cannot read {path}: {error}") from error
        return read_archive(data)

    def close(self) -> None:
        """Remove the container, and with it the commands that stayed in it."""
        remove_container(self._container)
        for conversation in self._conversations:
            conversation.close()

    def _await_end(self) -> None:
        """Give the engine time to notice: its commands end a little before the container."""
        until = time.monotonic() + _NOTICE
        while is_running(self._container) and time.monotonic() < until:
            time.sleep(0.1)

    def _end(self) -> None:
        try:
            self._container.kill()
        except APIError as error:
            if is_running(self._container):
                raise
            _LOG.info("the container ended by itself: %s", error)

    def _create(
        self,
        argv: Sequence[str],
        *,
        user: User,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        stdin: bool = False,
    ) -> str:
        home = {"HOME": f"/home/{user}", "USER": str(user), "LOGNAME": str(user)}
        created = self._api.exec_create(
            self.container_id,
            list(argv),
            stdin=stdin,
            user=str(_UIDS[user]),
            workdir=cwd,
            environment={**home, **(env or {})},
        )
        return str(created["Id"])

    def _output(self, argv: Sequence[str], user: User) -> bytes:
        with exec_stream(self._api, self._create(argv, user=user)) as stream:
            tail = Tail(stream)
            tail.wait(_SHORT)
            if tail.running:
                raise requests.Timeout(f"{argv[0]} did not end within {_SHORT:.0f} s")
            return tail.data

    def _oom_killed(self, what: str) -> bool:
        """Whether memory is why something failed in the container."""
        if not is_running(self._container):
            raise SandboxError(f"the container ended while {what} ran in it")
        try:
            return self._oom_kills.grown()
        except _ENGINE_TROUBLE as error:
            raise SandboxError(f"cannot read the container's memory events: {error}") from error
