"""From an identified record to an executable one, with images and measurements played."""

from __future__ import annotations

import json
import os
import signal as signals
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from jeto_bench.decode import decode_jsonl
from jeto_bench.errors import (
    DecodeError,
    EngineError,
    ImageError,
    InfrastructureError,
    InputError,
    Interrupted,
    UsageError,
)
from jeto_bench.predictions import gold_predictions
from jeto_bench.records import EtipRecord, QuarantinedTest, Tier, Verification
from jeto_evaluate.images.facts import ImageFacts
from jeto_evaluate.images.proof import Survey
from jeto_evaluate.images.sources import SourceTree, TreeFile
from jeto_evaluate.images.workshop import StepError
from jeto_evaluate.run.arm import BuildResult
from jeto_evaluate.run.fake import FAKE_PROVENANCE, FakeArms, FakeClass, FakeRound, FakeScript
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm
from jeto_evaluate.surefire import read_round
from jeto_mine.executable.execute import Execution, Settled
from jeto_mine.executable.modules import changed_packages
from jeto_mine.executable.plan import developer_command, plan_build
from jeto_mine.executable.reasons import Dropped, DropReason
from jeto_mine.executable.results import EXECUTABLE, EtipResult, Folder, yields
from jeto_mine.executable.run import Batch
from jeto_mine.executable.workbench import settle

GOLDEN = Path(__file__).parents[1] / "golden"
FIRST = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
CORE = "core/src/main/java/acme/io/Reader.java"
RECORD = replace(
    FIRST,
    changed_files=(CORE,),
    tier=Tier.IDENTIFIED,
    detector_tests=(),
    verification=Verification(),
)
MVNW = "distributionUrl=https://example.invalid/apache-maven-3.8.6-bin.zip\n"
FILES = {
    "pom.xml": "<project><artifactId>r</artifactId><modules><module>core</module></modules>"
    "</project>",
    "core/pom.xml": "<project><artifactId>core</artifactId><properties><java.version>11"
    "</java.version></properties></project>",
    "mvnw": "#!/bin/sh\n",
    ".mvn/wrapper/maven-wrapper.properties": MVNW,
    CORE: "class Reader {}",
}
FACTS = ImageFacts(
    image_id="sha256:1",
    name=RECORD.image,
    digest="",
    instance_id=RECORD.instance_id,
    java=11,
    jdk="11.0.2",
    maven="3.8.6",
    maven_command="./mvnw",
    surefire="3.2.5",
    architecture="amd64",
    source_hash="0",
    size_bytes=500_000_000,
)


def tree(**changes: str | None) -> SourceTree:
    files: dict[str, str | None] = {**FILES, **changes}
    return SourceTree(
        tuple(
            TreeFile(path=path, kind="executable" if path == "mvnw" else "file", data=text.encode())
            for path, text in sorted(files.items())
            if text is not None
        )
    )


def step(name: str, output: str, *, late: bool = False) -> StepError:
    return StepError(f"{name} failed", advice="", step=name, output=output.encode(), late=late)


WRONG_JDK = step("running base's tests", "[ERROR] invalid target release: 11")
UNRESOLVED = step("running base's tests", "[ERROR] Could not find artifact a:b:jar:1 in central")


@dataclass
class Played:
    """A workbench on which every step is what the test says."""

    source: SourceTree | Exception = field(default_factory=tree)
    images: Mapping[int, Exception] = field(default_factory=dict)
    fails: bool = False
    fail: str = ""
    same_classes: bool = False
    unbuilt: bool = False
    digest: str = ""
    blocks: Mapping[str, str] = field(default_factory=dict)
    jdks: list[int] = field(default_factory=list)
    mirrors: list[dict[str, str]] = field(default_factory=list)

    @property
    def said(self) -> str:
        listed = ", ".join(
            f"{name} ({url}, default, releases)" for name, url in self.blocks.items()
        )
        return (
            "[ERROR] Could not transfer artifact a:b:pom:1 from/to maven-default-http-blocker"
            f" (http://0.0.0.0/): Blocked mirror for repositories: [{listed}]"
        )

    def push(self, _record: EtipRecord) -> str:
        return self.digest

    def tree(self, _record: EtipRecord) -> SourceTree:
        if isinstance(self.source, Exception):
            raise self.source
        return self.source

    def image(self, draft: EtipRecord, _tree: SourceTree, *, mirrors: Mapping[str, str]) -> Settled:
        self.jdks.append(draft.java_version)
        self.mirrors.append(dict(mirrors))
        if self.blocks.keys() - mirrors.keys():
            raise step("running base's tests", self.said)
        if draft.java_version in self.images:
            raise self.images[draft.java_version]
        classes = ("acme.io.ReaderTest", "acme.io.WriterTest")
        return Settled(record=replace(draft, test_classes=classes), facts=FACTS)

    def measure(self, record: EtipRecord) -> Evaluation:
        def script(milliseconds: int) -> FakeScript:
            classes = {
                name: FakeClass(
                    milliseconds=milliseconds if name == "acme.io.ReaderTest" else 200,
                    failed=frozenset({"works"} if self.fails and self.fail in {"", name} else ()),
                )
                for name in record.test_classes
            }
            outputs = {"target/classes/A": "0"}
            built = BuildResult(ok=not self.unbuilt, seconds=1.0, output=b"", outputs=outputs)
            return FakeScript(
                round=FakeRound(classes=classes, seen=True),
                build=built if self.same_classes or self.unbuilt else None,
            )

        return run_instance(
            record,
            gold_predictions([record]).predictions[0],
            factory=FakeArms(scripts={Arm.BASE: script(800), Arm.CANDIDATE: script(400)}),
            settings=RunSettings(run_id="execute"),
            provenance=FAKE_PROVENANCE,
        )


def dropped(played: Played, record: EtipRecord = RECORD) -> Dropped:
    with pytest.raises(Dropped) as caught:
        Execution(workbench=played).run(record)
    return caught.value


def test_a_record_becomes_executable() -> None:
    done = Execution(workbench=Played()).run(RECORD)
    record = done.record
    assert record.tier is Tier.EXECUTABLE
    assert (record.modules, record.java_version, record.maven_version) == (("core",), 11, "3.8.6")
    assert record.test_command == "./mvnw -B -o -pl core -am test"
    assert {item.test_class for item in record.detector_tests} == {"acme.io.ReaderTest"}
    assert done.failed_jdks == ()


@pytest.mark.parametrize(
    ("decision", "tier"),
    [("improvement", Tier.VERIFIED), ("no_improvement", Tier.EXECUTABLE), ("", Tier.EXECUTABLE)],
)
def test_one_that_people_found_an_improvement_before_is_verified(decision: str, tier: Tier) -> None:
    said = Verification(decision=decision)
    done = Execution(workbench=Played()).run(replace(RECORD, verification=said))
    assert (done.record.tier, done.record.verification) == (tier, said)


def test_the_next_jdk_is_tried_where_it_may_help() -> None:
    played = Played(images={11: WRONG_JDK})
    done = Execution(workbench=played).run(RECORD)
    assert played.jdks == [11, 17]
    assert done.record.java_version == 17
    assert done.failed_jdks == ((11, "wrong_jdk"),)


def test_no_other_jdk_is_tried_where_it_cannot_help() -> None:
    played = Played(images={11: UNRESOLVED})
    found = dropped(played)
    assert (found.reason, played.jdks) == (DropReason.UNRESOLVED_DEPENDENCY, [11])


def test_the_first_jdk_gives_the_reason_and_all_are_named() -> None:
    wrong = dict.fromkeys((11, 17, 21), WRONG_JDK) | {25: UNRESOLVED}
    found = dropped(Played(images=wrong))
    assert found.reason is DropReason.WRONG_JDK
    assert found.detail.endswith(
        "(JDK 11: wrong_jdk; JDK 17: wrong_jdk; JDK 21: wrong_jdk; JDK 25: unresolved_dependency)"
    )


@pytest.mark.parametrize(
    ("played", "reason"),
    [
        (Played(source=UsageError("no clone")), DropReason.NO_CLONE),
        (Played(source=InputError("x.xml is missing")), DropReason.CLONE_INCOMPLETE),
        (Played(source=tree(mvnw=None)), DropReason.NO_WRAPPER),
        (Played(source=tree(**{"pom.xml": None})), DropReason.NO_ROOT_POM),
        (Played(source=tree(**{"pom.xml": "<project/>"})), DropReason.OUTSIDE_REACTOR),
        (Played(source=tree(**{"core/pom.xml": "<project>"})), DropReason.BROKEN_POM),
        (
            Played(source=tree(**{".mvn/wrapper/maven-wrapper.properties": "x=y\n"})),
            DropReason.NO_MAVEN_VERSION,
        ),
        (
            Played(source=tree(**{"core/pom.xml": FILES["core/pom.xml"].replace("11", "26")})),
            DropReason.NO_JDK,
        ),
        (
            Played(
                source=tree(
                    **{
                        "core/src/test/resources/testng.xml": '<suite parallel="methods"/>',
                        "core/pom.xml": "<project><artifactId>core</artifactId><build><plugins>"
                        "<plugin><artifactId>maven-surefire-plugin</artifactId><configuration>"
                        "<suiteXmlFiles><suiteXmlFile>src/test/resources/testng.xml</suiteXmlFile>"
                        "</suiteXmlFiles></configuration></plugin></plugins></build></project>",
                    }
                )
            ),
            DropReason.PARALLEL_TESTS,
        ),
        (Played(images={11: step("fetching Maven 3.8.6", "404")}), DropReason.MAVEN_NOT_FETCHED),
        (Played(images={11: step("running", "", late=True)}), DropReason.BUILD_DEADLINE),
        (
            Played(images={11: step("applying the reference", "error: patch failed")}),
            DropReason.REFERENCE_NOT_APPLIED,
        ),
        (Played(images={11: step("compiling the launcher", "1 error")}), DropReason.HARNESS_STEP),
        (
            Played(images={11: step("adding the fix's own tests", "error: patch failed")}),
            DropReason.NO_OWN_TESTS,
        ),
        (Played(images={11: step("the offline proof", "not clean")}), DropReason.NOT_PROVED),
        (Played(images={11: ImageError("more than one commit")}), DropReason.NOT_PROVED),
        (
            Played(images={11: Dropped(DropReason.TOO_FEW_TESTS, "no test")}),
            DropReason.TOO_FEW_TESTS,
        ),
        (Played(unbuilt=True), DropReason.NOT_MEASURED),
        (Played(fails=True), DropReason.TOO_FEW_TESTS),
    ],
)
def test_every_way_out_has_its_reason(played: Played, reason: DropReason) -> None:
    assert dropped(played).reason is reason


def test_a_class_that_fails_once_in_many_rounds_is_left_out_and_not_the_etip() -> None:
    """It passed while the image was made."""

    class Flaky(Played):
        def measure(self, record: EtipRecord) -> Evaluation:
            self.fails = "acme.io.WriterTest" in record.test_classes
            return super().measure(record)

        def image(
            self, draft: EtipRecord, tree: SourceTree, *, mirrors: Mapping[str, str]
        ) -> Settled:
            made = super().image(draft, tree, mirrors=mirrors)
            names = ("acme.io.MoreTest", "acme.io.ReaderTest", "acme.io.WriterTest")
            return replace(made, record=replace(made.record, test_classes=names))

    done = Execution(workbench=Flaky(fail="acme.io.WriterTest")).run(RECORD)
    assert done.record.test_classes == ("acme.io.MoreTest", "acme.io.ReaderTest")
    assert done.record.quarantined_tests == (
        QuarantinedTest(test_class="acme.io.WriterTest", reason="flaky"),
    )


def test_a_patch_that_changes_no_class_needs_no_timing() -> None:
    """field.md row 97: only a comment is edited; hashes of the compiled classes tell."""
    found = dropped(Played(same_classes=True))
    assert found.reason is DropReason.NO_BYTECODE_CHANGE


def test_a_record_without_an_image_gets_the_name_of_one() -> None:
    done = Execution(workbench=Played()).run(replace(RECORD, image=""))
    assert done.record.image == f"jeto-bench/{RECORD.instance_id}:{RECORD.dataset_version}"


def test_the_digest_of_a_pushed_image_is_the_records() -> None:
    done = Execution(workbench=Played(digest=f"sha256:{'1' * 64}")).run(RECORD)
    assert done.record.image_digest == f"sha256:{'1' * 64}"


def test_blocked_repositories_are_asked_by_https() -> None:
    """field.md row 87: a parent outside the tree names a repository that Maven blocks."""
    played = Played(blocks={"old": "http://old.example/repo"})
    done = Execution(workbench=played).run(RECORD)
    assert played.jdks == [11, 11]
    assert played.mirrors == [{}, {"old": "https://old.example/repo"}]
    assert done.plan.mirrors == {"old": "https://old.example/repo"}


def test_a_repository_that_does_not_answer_by_https_is_the_reason() -> None:
    """field.md row 87, and not a dependency that happens to be missing."""
    pom = (
        "<project><repositories><repository><id>old</id><url>http://old.example/r</url>"
        "</repository></repositories><modules><module>core</module></modules></project>"
    )
    said = "[ERROR] Could not transfer artifact a:b:pom:1 from/to jeto-0 (https://old.example/r)"
    found = dropped(
        Played(source=tree(**{"pom.xml": pom}), images={11: step("running base's tests", said)})
    )
    assert found.reason is DropReason.HTTP_REPOSITORY


def test_upstream_modules_count_if_they_are_asked_for() -> None:
    source = tree(
        **{
            "pom.xml": FILES["pom.xml"].replace(
                "</module>", "</module><module>api</module><module>cli</module>"
            ),
            "api/pom.xml": "<project><artifactId>api</artifactId></project>",
            "cli/pom.xml": "<project><artifactId>cli</artifactId></project>",
            "core/pom.xml": FILES["core/pom.xml"].replace(
                "</project>",
                "<dependencies><dependency><artifactId>api</artifactId></dependency>"
                "<dependency><artifactId>junit</artifactId></dependency></dependencies></project>",
            ),
        }
    )
    assert plan_build(RECORD, source).modules == ("core",)
    assert plan_build(RECORD, source, also_upstream=True).modules == ("api", "core")


def test_a_patch_of_build_files_is_left_out() -> None:
    """field.md row 84: a bumped plugin is faster by itself."""
    touched = replace(RECORD, changed_files=("core/pom.xml", CORE))
    found = dropped(Played(), touched)
    assert (found.reason, found.detail) == (DropReason.TOUCHES_BUILD, "core/pom.xml")


def test_a_tree_without_a_wrapper_is_taken_if_it_may() -> None:
    plan = plan_build(RECORD, tree(mvnw=None), without_wrapper=True)
    assert (plan.wrapper, plan.maven_version) == (None, "3.9.9")
    assert plan.draft(RECORD, 11).test_command == "mvn -B -o -pl core -am test"
    assert developer_command((".",), wrapper=True) == "./mvnw -B -o test"


def test_packages_are_those_of_main_code() -> None:
    assert changed_packages([CORE, "core/src/test/java/acme/T.java", "src/main/java/A.java"]) == {
        "acme.io",
        "",
    }


def seen(**classes: FakeClass) -> Survey:
    named = {f"acme.io.{name}": item for name, item in classes.items()}
    files = FakeRound(classes=named).result(started_at=0.0, timed_out=False).files
    return Survey(base=(read_round(files),) * 2, reference=(read_round(files),) * 2)


def test_classes_that_do_not_pass_are_left_out_by_name() -> None:
    found = settle(
        RECORD,
        seen(
            GoodTest=FakeClass(milliseconds=1),
            BadTest=FakeClass(milliseconds=1, failed=frozenset({"works"})),
        ),
    )
    assert found.test_classes == ("acme.io.GoodTest",)
    assert [item.test_class for item in found.quarantined_tests] == ["acme.io.BadTest"]


def test_a_record_with_nothing_left_is_dropped() -> None:
    with pytest.raises(Dropped, match=r"1 of 1 test classes .*BadTest \(fails\)") as caught:
        settle(RECORD, seen(BadTest=FakeClass(milliseconds=1, failed=frozenset({"works"}))))
    assert caught.value.reason is DropReason.TOO_FEW_TESTS


SLOW_FILE = "core/src/test/java/acme/io/SlowTest.java"
SLOW_TEST = f"""diff --git a/{SLOW_FILE} b/{SLOW_FILE}
--- /dev/null
+++ b/{SLOW_FILE}
@@ -0,0 +1,1 @@
+class SlowTest {{}}
"""
WITH_TESTS = replace(RECORD, test_patch=SLOW_TEST)


def seen_with(own: FakeClass) -> Survey:
    files = FakeRound(
        classes={"acme.io.GoodTest": FakeClass(milliseconds=1), "acme.io.SlowTest": own}
    ).result(started_at=0.0, timed_out=False)
    before = seen(GoodTest=FakeClass(milliseconds=1))
    return before._replace(own=(read_round(files.files),) * 2)


def test_tests_that_came_with_the_fix_need_to_pass_with_it() -> None:
    found = settle(WITH_TESTS, seen_with(FakeClass(milliseconds=1)))
    assert found.test_classes == ("acme.io.GoodTest", "acme.io.SlowTest")
    assert found.quarantined_tests == ()


@pytest.mark.parametrize(
    ("own", "why"),
    [
        (FakeClass(milliseconds=1, failed=frozenset({"works"})), "fails"),
        (FakeClass(milliseconds=1, skipped=frozenset({"works"})), "skips_cases"),
    ],
)
def test_without_one_that_does_there_is_nothing_to_show(own: FakeClass, why: str) -> None:
    with pytest.raises(Dropped, match=rf"acme.io.SlowTest \({why}\)") as caught:
        settle(WITH_TESTS, seen_with(own))
    assert caught.value.reason is DropReason.NO_OWN_TESTS


@pytest.fixture
def batch(tmp_path: Path) -> Callable[[Played], Batch]:
    return lambda played: Batch(
        executors=[Execution(workbench=played)], folder=Folder(tmp_path), options=("rounds=30",)
    )


OTHER = replace(RECORD, instance_id="acme__other-2", changed_files=("pom.xml",))


def test_results_are_kept_and_not_made_again(
    batch: Callable[[Played], Batch], tmp_path: Path
) -> None:
    first = batch(Played()).run([RECORD, OTHER])
    assert [item.outcome for item in first] == [EXECUTABLE, "touches_build"]
    again = Played()
    assert batch(again).run([RECORD, OTHER]) == first
    assert again.jdks == []
    (made,) = decode_jsonl((tmp_path / "executable.jsonl").read_bytes())
    assert made.tier is Tier.EXECUTABLE
    assert Folder(tmp_path).results() == tuple(sorted(first, key=lambda item: item.instance_id))


def test_another_input_is_worked_on_again(batch: Callable[[Played], Batch]) -> None:
    batch(Played()).run([RECORD])
    again = Played()
    batch(again).run([replace(RECORD, problem_statement="Slower")])
    assert again.jdks == [11]


@pytest.mark.parametrize("at", [0, 1])
def test_an_interrupted_run_goes_on_to_the_same_results(
    batch: Callable[[Played], Batch], tmp_path: Path, at: int
) -> None:
    """The engine fails at one of two records; the run after it ends as one without trouble."""
    records = [RECORD, replace(RECORD, instance_id="acme__lib-2", pull_number=2)]

    @dataclass
    class Breaking(Played):
        def image(
            self, draft: EtipRecord, tree: SourceTree, *, mirrors: Mapping[str, str]
        ) -> Settled:
            if draft.instance_id == records[at].instance_id:
                raise EngineError("gone")
            return super().image(draft, tree, mirrors=mirrors)

    with pytest.raises(EngineError):
        batch(Breaking()).run(records)
    assert len(Folder(tmp_path).results()) == at
    outcomes = [item.outcome for item in batch(Played()).run(records)]
    assert outcomes == [EXECUTABLE, EXECUTABLE]
    assert len(decode_jsonl((tmp_path / "executable.jsonl").read_bytes())) == 2


def test_a_result_tells_how_busy_the_machine_was(
    batch: Callable[[Played], Batch], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its times are to be read with that: others may have worked beside it."""
    monkeypatch.setattr(os, "getloadavg", lambda: (3.25, 1.0, 0.5))
    (found,) = replace(batch(Played()), machine="a CPU").run([RECORD])
    assert found.machine == "a CPU, load 3.2 at the start"


def test_a_result_tells_what_was_chosen_and_why(batch: Callable[[Played], Batch]) -> None:
    (found,) = batch(Played(images={11: WRONG_JDK})).run([RECORD])
    assert found.java_version == 17
    assert found.evidence == ("core/pom.xml: java.version = 11",)
    assert found.failed_jdks == ("JDK 11: wrong_jdk",)
    assert (found.wrapper, found.maven_version, found.strict) == ("script", "3.8.6", True)
    assert found.improved == found.paper_improved == ("acme.io.ReaderTest",)
    assert found.outcome_of_reference == "improved"
    assert found.round_seconds > 0


def test_a_broken_result_file_is_named(batch: Callable[[Played], Batch], tmp_path: Path) -> None:
    batch(Played()).run([OTHER])
    file = tmp_path / "results" / f"{OTHER.instance_id}.json"
    document = json.loads(file.read_bytes())
    for text, message in (
        ("{", "not JSON"),
        (json.dumps(document | {"extra": 1}), "unknown extra"),
        (json.dumps(document | {"schema_version": 9}), "schema_version: is 9"),
    ):
        file.write_text(text)
        with pytest.raises(DecodeError, match=message):
            Folder(tmp_path).results()


def test_the_yield_counts_every_reason_once() -> None:
    outcomes = ["no_wrapper", EXECUTABLE, "no_jdk", "no_wrapper"]
    results = [
        EtipResult(instance_id=str(number), input_sha256="", outcome=outcome)
        for number, outcome in enumerate(outcomes)
    ]
    assert yields(results) == ((EXECUTABLE, 1), ("no_wrapper", 2), ("no_jdk", 1))


def numbered(count: int) -> list[EtipRecord]:
    return [
        replace(RECORD, instance_id=f"acme__lib-{number}", pull_number=number)
        for number in range(1, count + 1)
    ]


def test_records_are_shared_out_among_executors(tmp_path: Path) -> None:
    """Each of two executors has a record at the same time."""
    both = threading.Barrier(2, timeout=30)

    class Meeting(Played):
        def tree(self, record: EtipRecord) -> SourceTree:
            both.wait()
            return super().tree(record)

    records = numbered(4)
    batch = Batch(
        executors=[Execution(workbench=Meeting()) for _ in range(2)], folder=Folder(tmp_path)
    )
    found = batch.run(records)
    assert [item.instance_id for item in found] == [item.instance_id for item in records]


@pytest.mark.parametrize("signal", ["SIGINT", "SIGTERM"])
def test_an_interrupted_batch_ends_its_containers_and_keeps_what_is_done(
    tmp_path: Path, signal: str
) -> None:
    """What fails because its container was taken away is nobody's result."""
    killed = threading.Event()

    class Struck(Played):
        def image(
            self, draft: EtipRecord, tree: SourceTree, *, mirrors: Mapping[str, str]
        ) -> Settled:
            if draft.instance_id == "acme__lib-2":
                os.kill(os.getpid(), getattr(signals, signal))
                assert killed.wait(timeout=30)
                raise Dropped(DropReason.NOT_PROVED, "the container is gone")
            return super().image(draft, tree, mirrors=mirrors)

    records = numbered(3)
    batch = Batch(
        executors=[Execution(workbench=Struck())], folder=Folder(tmp_path), kill=killed.set
    )
    with pytest.raises(Interrupted, match="1 of 3 records"):
        batch.run(records)
    assert [item.instance_id for item in Folder(tmp_path).results()] == ["acme__lib-1"]


def test_trouble_of_one_executor_is_told_and_not_what_it_did_to_the_other(tmp_path: Path) -> None:
    both = threading.Barrier(2, timeout=30)
    broken = threading.Event()

    class Meeting(Played):
        def tree(self, record: EtipRecord) -> SourceTree:
            both.wait()
            if record.instance_id == "acme__lib-1":
                broken.set()
                raise EngineError("the disk is full")
            assert broken.wait(timeout=30)
            time.sleep(0.2)  # until the other has said so
            raise EngineError("its container is gone")

    records = numbered(2)
    batch = Batch(
        executors=[Execution(workbench=Meeting()) for _ in range(2)], folder=Folder(tmp_path)
    )
    with pytest.raises(EngineError, match="the disk is full"):
        batch.run(records)


def test_no_record_is_begun_where_there_is_no_room(tmp_path: Path) -> None:
    def full() -> None:
        raise InfrastructureError("--disk-budget: no room")

    played = Played()
    batch = Batch(executors=[Execution(workbench=played)], folder=Folder(tmp_path), before=full)
    with pytest.raises(InfrastructureError, match="no room"):
        batch.run([RECORD])
    assert (played.jdks, Folder(tmp_path).results()) == ([], ())
