"""The one process of the tests' user that lives from round to round, and the end of all others."""

from __future__ import annotations

import time
from typing import Final

from jeto_bench.errors import ContentError
from jeto_evaluate.sandbox.conversation import Conversation
from jeto_evaluate.sandbox.docker import DockerSandbox
from jeto_evaluate.sandbox.protocol import User

__all__ = ["NAMED", "RUN", "ForkServer"]

RUN: Final = "/jeto/run"
NAMED: Final = 20
"""Leftover processes that are named at most."""

_START_DEADLINE: Final = 120.0
_GRACE: Final = 1.0
_KILL_WAIT: Final = 10.0


class ForkServer:
    """Starts ``launcher/fork-server.pl``, and another one when it may have been touched.

    Code under test has the same user: it can kill or stop the server, though not look into it.

    Args:
        sandbox: Where it runs; no process of the tests' user may be there by now.
        conductor: Opens the pipes for it, and says whether it has cleaned up.
    """

    def __init__(self, sandbox: DockerSandbox, conductor: Conversation) -> None:
        self._sandbox = sandbox
        self._conductor = conductor
        self._pid: int | None = None
        self.ensure()

    def ensure(self) -> None:
        """Start a server if there is none; it cleans up before it serves.

        Raises:
            ContentError: It cannot: the rounds before left something in its way.
            SandboxError: Trouble of the engine.
        """
        if self._pid is not None:
            return
        self._pid = self._sandbox.spawn(
            ["perl", "/opt/jeto/bin/fork-server.pl", "/opt/jdk/bin/java", RUN], user=User.RUNNER
        )
        if not self._sandbox.ask(self._conductor, "serve", deadline=_START_DEADLINE).ok:
            raise ContentError("what the rounds before left cannot be removed")

    def kill_leftovers(self, *, clean: bool) -> tuple[str, ...]:
        """After a round, kill whatever is left, from outside, and the server too.

        Args:
            clean: The server has cleaned up, and the conductor sees no other process of its user:
                nothing is left.

        Returns:
            Names of the processes that were left, at most ``NAMED``.

        Raises:
            ContentError: They cannot be killed.
            SandboxError: Trouble of the engine.
        """
        if clean:
            return ()
        left = self._others(_GRACE)
        self._pid = None
        until = time.monotonic() + _KILL_WAIT
        still = True
        # Once is not enough: a large process takes time to die, and a busy one may have forked.
        while still and time.monotonic() < until:
            self._sandbox.kill_all(User.RUNNER)
            still = bool(self._others(0.2))
        if still:
            raise ContentError("processes of the round cannot be killed")
        # At once, as it also removes files; later the other arm would be measured.
        self.ensure()
        return left[:NAMED]

    def _others(self, wait: float) -> tuple[str, ...]:
        """Return the names of those besides the server that do not end within ``wait`` seconds."""
        until = time.monotonic() + wait
        while True:
            found = self._sandbox.processes(User.RUNNER)
            left = tuple(name for pid, name in found.items() if pid != self._pid)
            if not left or time.monotonic() >= until:
                return left
            time.sleep(0.01)
