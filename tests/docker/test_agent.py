"""The agent in the JVMs that Surefire forks: same outcomes, and lines that agree with the reports.

Each toy meets each version of Surefire, and each JDK each of both; ``JETO_WHOLE_MATRIX=1`` runs
every combination.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import os
import tarfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker
import pytest

from jeto_evaluate.images.agent_jar import pack_agent
from jeto_evaluate.images.base import ProviderName, ensure_base_image
from jeto_evaluate.images.launcher_files import agent_files
from jeto_evaluate.images.layout import JAVA_VERSIONS, tools_tag
from jeto_evaluate.images.rooms import open_workshop
from jeto_evaluate.images.settings import host_bundle, maven_settings, proxy_environment
from jeto_evaluate.images.tools import Toolbox
from jeto_evaluate.images.truststore import decode_pem, jks_truststore
from jeto_evaluate.images.workshop import CACHE, Workshop
from jeto_evaluate.surefire import CaseStatus, RoundReport, read_round

TOYS = Path(__file__).parent / "toys"
FRAMEWORKS = ("junit3", "junit4", "junit5", "testng")
SUREFIRE = ("2.12.4", "2.22.2", "3.0.0-M5", "3.2.5", "3.5.2")
AHEAD = {"junit5": "jupiter"}  # of those that come with the toy's own class path
SEED = "5"
RESULT = "/tmp/result"  # noqa: S108  # a path in the container
JAR = "/tmp/agent/jeto-agent.jar"  # noqa: S108  # a path in the container
# Of what Maven has had by then; without it nothing is hooked ahead.
FORGET = "rm -rf /tmp/agent/jeto-hooks"
PREPARE = f"""
{FORGET}
/opt/jdk/bin/java -agentlib:instrument={JAR}=prepare="$HOME/.m2/repository" -version
"""
# As the stand-in of an image has it.
CHOOSE = f"""
boot=/tmp/agent/jeto-hooks/boot.jar
way=-agentlib:instrument=
if [ -f $boot ]; then way="-Xbootclasspath/p:$boot -Djeto.agent="; fi
rm -rf {RESULT}
if [ -n "$1" ]; then echo "$way{JAR}=$1"; fi >/tmp/agent-argument
"""
STAND_IN = b"""\
#!/bin/sh
exec /opt/jdk/bin/java $(cat /tmp/agent-argument) "$@"
"""
SETUP = """\
set -eu
mkdir -p /tmp/maven /tmp/jdk/bin /tmp/agent
cp /mnt/jeto-agent.jar /tmp/agent
tar -xf /mnt/maven.tar -C /tmp/maven
cp /mnt/java.sh /tmp/jdk/bin/java
chmod 755 /tmp/jdk/bin/java
if [ -f /opt/jdk/release ]; then cp /opt/jdk/release /tmp/jdk; fi
cp -r /mnt/toys /tmp/toys
"""
# The lines go to a file here, which every JVM appends to.
RUN = """\
set -eu
cd "/tmp/toys/$1"
shift
rm -rf target/surefire-reports /tmp/lines.jsonl
export MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
-Djavax.net.ssl.trustStore=/mnt/trust.jks -Djavax.net.ssl.trustStorePassword=changeit"
export JAVA_HOME=/opt/jdk
/tmp/maven/usr/share/maven/bin/mvn -B -q -s /mnt/settings.xml \
  -Djvm=/tmp/jdk/bin/java "$@" test </dev/null
mkdir -p /tmp/result
cp -r target/surefire-reports/. /tmp/result
if [ -f /tmp/lines.jsonl ]; then cp /tmp/lines.jsonl /tmp/result; fi
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """What one run of a toy left."""

    report: RoundReport
    lines: Sequence[dict[str, Any]]
    printed: str

    @property
    def outcomes(self) -> list[tuple[str, str, str, CaseStatus]]:
        return sorted(
            (case.test_class, case.nested, case.name, case.status)
            for item in self.report.classes
            for case in item.cases
        )

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["type"] == kind]


class Rooms:
    """One container per JDK with Maven, the toys and the agent in it."""

    def __init__(self, client: docker.DockerClient, logs: Path, stack: ExitStack) -> None:
        self._client = client
        self._logs = logs
        self._stack = stack
        self._rooms: dict[int, Workshop] = {}
        bundle = host_bundle(None)
        self._supplies = {
            "trust.jks": jks_truststore(decode_pem(bundle, source="the host's store")),
            "ca.pem": bundle,
            "settings.xml": maven_settings(
                cache=f"{CACHE}/repository", proxies=proxy_environment(os.environ)
            ),
        }
        self._maven = b""

    def get(self, java: int) -> Workshop:
        if java not in self._rooms:
            self._rooms[java] = self._make(java)
        return self._rooms[java]

    def _make(self, java: int) -> Workshop:
        base = ensure_base_image(self._client, java, log_dir=self._logs)
        log_path = self._logs / f"agent-jdk{java}.log"
        room = self._stack.enter_context(
            open_workshop(self._client, base, log_path=log_path, subject="agent", cached=True)
        )
        toolbox = Toolbox(
            client=self._client,
            supplies=self._supplies,
            provider=ProviderName.AUTO,
            log_dir=self._logs,
        )
        room.put(self._supplies)
        room.put({"jeto-agent.jar": pack_agent(agent_files(), room, toolbox)})
        room.put({"maven.tar": self._maven_files(), "java.sh": STAND_IN})
        room.put({"setup.sh": SETUP.encode(), "run.sh": RUN.encode()})
        room.put(
            {
                f"toys/{path.relative_to(TOYS)}": path.read_bytes()
                for path in TOYS.rglob("*")
                if path.is_file() and "target" not in path.parts
            }
        )
        room.must("setting up", ["sh", "/mnt/setup.sh"])
        return room

    def _maven_files(self) -> bytes:
        if not self._maven:
            packed = io.BytesIO()
            with open_workshop(
                self._client, tools_tag(), log_path=self._logs / "maven.log", subject="maven"
            ) as tools:
                tools.stream(["tar", "-C", "/", "-chf", "-", "usr/share/maven"], packed)
            self._maven = packed.getvalue()
        return self._maven


@pytest.fixture(scope="module")
def rooms(client: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rooms]:
    with ExitStack() as stack:
        yield Rooms(client, tmp_path_factory.mktemp("agent"), stack)


def play(
    room: Workshop,
    toy: str,
    surefire: str,
    *extra: str,
    agent: bool,
    seed: str = SEED,
    ahead: str = "",
) -> Run:
    argument = ""
    if agent:
        argument = f"out=/tmp/lines.jsonl,seed={seed}" + (f",ahead={ahead}" if ahead else "")
    room.must("preparing", ["sh", "-c", PREPARE if ahead else FORGET])
    room.must("choosing", ["sh", "-c", CHOOSE, "sh", argument])
    argv = ["sh", "/mnt/run.sh", toy, f"-Dsurefire={surefire}", *extra]
    printed = room.must(f"running {toy}", argv).decode("utf-8", "replace")
    packed = io.BytesIO()
    room.stream(["tar", "-C", RESULT, "-cf", "-", "."], packed)
    packed.seek(0)
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=packed) as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is not None:
                files[member.name] = content.read()
    lines = next((data for name, data in files.items() if name.endswith(".jsonl")), b"")
    return Run(
        # TestNG's own reports lie in a folder below.
        report=read_round(
            {name: data for name, data in files.items() if name.startswith("./TEST-")}
        ),
        lines=[json.loads(line) for line in lines.splitlines()],
        printed=printed,
    )


def combinations() -> list[tuple[str, str, int]]:
    every = itertools.product(FRAMEWORKS, SUREFIRE, JAVA_VERSIONS)
    fitting = [item for item in every if item[:2] != ("junit5", "2.12.4")]
    if os.environ.get("JETO_WHOLE_MATRIX"):
        return fitting
    return [
        (toy, surefire, java)
        for toy, surefire, java in fitting
        if (FRAMEWORKS.index(toy) + SUREFIRE.index(surefire)) % len(JAVA_VERSIONS)
        == JAVA_VERSIONS.index(java)
    ]


def by_seed(name: str, seed: str = SEED) -> str:
    return hashlib.sha256(f"{seed}:{name}".encode()).hexdigest()


def cases(run: Run) -> Counter[str]:
    """Tests of each outermost class, as the agent saw them."""
    found: Counter[str] = Counter()
    for line in run.of("class"):
        found[line["name"].partition("$")[0]] += len(line["tests"])
    return found


@pytest.mark.parametrize(("toy", "surefire", "java"), combinations())
def test_outcomes_are_those_without_it_and_the_lines_agree(
    rooms: Rooms, toy: str, surefire: str, java: int
) -> None:
    room = rooms.get(java)
    without = play(room, toy, surefire, agent=False)
    run = play(room, toy, surefire, agent=True, ahead=AHEAD.get(toy, "surefire"))
    assert not without.lines
    # 3.0.0-M5 reports a disabled class or not depending on which one is before it.
    ignored = "toy.WholeDisabledTest" if surefire == "3.0.0-M5" else ""
    assert [item for item in run.outcomes if item[0] != ignored] == [
        item for item in without.outcomes if item[0] != ignored
    ]
    assert "jeto" not in run.printed
    assert "Corrupted" not in run.printed

    reported = Counter(case[0] for case in run.outcomes)
    seen = cases(run)
    assert {name: seen[name] for name in reported} == reported
    outer = sorted((line for line in run.of("class") if not line["depth"]), key=_position)
    names = [line["name"] for line in outer]
    assert names == sorted(set(names), key=by_seed)
    assert [line["ordered"] for line in run.of("order")] == [True]
    assert [line["seq"] for line in run.of("class")] == list(range(len(run.of("class"))))
    assert run.lines[-1]["type"] == "end"
    assert run.lines[-1]["trouble"] == []
    assert run.of("start")[-1]["ahead"]
    assert not any(line["flags"] for line in run.of("class"))
    assert all(line["segmented"] == (toy == "testng") for line in run.of("class"))


def _position(line: dict[str, Any]) -> int:
    return int(line["position"])


@pytest.mark.parametrize("ahead", ["", "surefire"])
@pytest.mark.parametrize("java", JAVA_VERSIONS)
def test_work_of_threads_that_have_ended_is_counted(rooms: Rooms, java: int, ahead: str) -> None:
    """Whether the class of threads is edited in the JVM, or was when the image was made."""
    tests = "-Dtest=ThreadsTest,WaitsTest"
    run = play(rooms.get(java), "junit4", "3.2.5", tests, agent=True, ahead=ahead)
    by_name = {line["name"]: line for line in run.of("class")}
    # The toy's threads go on until each has used 75 ms of CPU, and sleeps as long as it says.
    threads = by_name["toy.ThreadsTest"]
    assert threads["java_cpu_ns"] - threads["thread_cpu_ns"] >= 150_000_000
    assert threads["java_alloc"] - threads["thread_alloc"] >= 20_000_000
    waits = by_name["toy.WaitsTest"]
    assert waits["wall_ns"] >= 300_000_000
    assert waits["thread_cpu_ns"] + waits["wait_ns"] <= waits["wall_ns"]


@pytest.mark.parametrize("java", JAVA_VERSIONS)
def test_the_start_takes_no_detour(rooms: Rooms, java: int) -> None:
    """What takes as long as all the rest, and is there if anything else fails, is not used."""
    script = f"""set -eu
{PREPARE}
set -- out=/tmp/lines,seed=1
{CHOOSE}
: >/tmp/lines
echo 'class Empty {{ public static void main(String[] none) {{}} }}' >/tmp/Empty.java
/opt/jdk/bin/javac -d /tmp /tmp/Empty.java
/opt/jdk/bin/java -XX:+UseSerialGC -verbose:class $(cat /tmp/agent-argument) -cp /tmp Empty \
    >/tmp/loaded
cat /tmp/lines /tmp/loaded
"""
    printed = rooms.get(java).must("a start", ["sh", "-c", script]).decode()
    assert '"collectors":["Serial"]' in printed
    assert '"trouble":[]}' in printed
    for name in ("java.lang.JetoBridge", "sun.management.JetoManagement"):
        assert printed.count(f"{name} ") == 1
    for name in ("ManagementFactory", "LongStream", "ThreadTransformer", "SurefireHooks"):
        assert f".{name} " not in printed
    assert ("sun.instrument." in printed) == (java > 8)


@pytest.mark.parametrize("surefire", ["3.2.5", "3.5.2"])
def test_modules_are_as_closed_as_without_it(rooms: Rooms, surefire: str) -> None:
    run = play(rooms.get(17), "modular", surefire, agent=True)
    assert {case[3] for case in run.outcomes} == {CaseStatus.PASSED}
    assert sum(cases(run).values()) == len(run.outcomes) == 4


@pytest.mark.parametrize("java", [8, 17])
@pytest.mark.parametrize("toy", ["junit4", "junit5"])
def test_what_is_hooked_ahead_is_hooked_as_when_it_is_loaded(
    rooms: Rooms, toy: str, java: int
) -> None:
    ahead = AHEAD.get(toy, "surefire")
    words = ("", ahead, "wrong")
    runs = [play(rooms.get(java), toy, "3.2.5", agent=True, ahead=word) for word in words]
    assert [run.of("start")[-1]["ahead"] for run in runs] == [False, True, False]
    assert runs[0].outcomes == runs[1].outcomes == runs[2].outcomes
    names = [[line["name"] for line in run.of("class")] for run in runs]
    assert names[0] == names[1] == names[2]
    assert cases(runs[0]) == cases(runs[1]) == cases(runs[2])
    assert [run.lines[-1]["trouble"] for run in runs] == [[], [], []]


def test_a_forbidding_security_manager_is_not_asked(rooms: Rooms) -> None:
    run = play(rooms.get(8), "junit4", "2.22.2", "-Dtest=GuardedTest", agent=True)
    assert {case[3] for case in run.outcomes} == {CaseStatus.PASSED}
    (line,) = run.of("class")
    assert line["thread_cpu_ns"] is not None


def test_a_protocol_told_after_a_parallel_run_is_flagged(rooms: Rooms) -> None:
    parallel = ("-Dparallel=classes", "-DthreadCount=2", "-DperCoreThreadCount=false")
    run = play(rooms.get(17), "junit4", "2.22.2", *parallel, agent=True)
    assert all("replay" in line["flags"] for line in run.of("class"))


def test_each_of_several_forks_says_that_the_order_is_not_the_seeds(rooms: Rooms) -> None:
    run = play(rooms.get(17), "junit4", "3.2.5", "-DreuseForks=false", agent=True)
    forks = len({line["name"] for line in run.of("class")})
    assert [line["ordered"] for line in run.of("order")] == [False] * forks
    assert len(run.of("start")) == len(run.of("end")) == forks
