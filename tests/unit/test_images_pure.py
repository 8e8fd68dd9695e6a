from __future__ import annotations

import dataclasses
import io
import tarfile
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from jeto_bench.errors import ImageError, InputError, UsageError
from jeto_bench.git.clones import find_clone
from jeto_bench.records import EtipRecord, QuarantinedTest, Tier, Verification
from jeto_evaluate.images.facts import ImageFacts, read_facts
from jeto_evaluate.images.fingerprint import source_hash
from jeto_evaluate.images.launcher_files import BUILD_SCRIPTS, launcher_files, script
from jeto_evaluate.images.layout import Label, image_name
from jeto_evaluate.images.maven_home import usable_wrapper
from jeto_evaluate.images.origin import find_origin
from jeto_evaluate.images.proof import check_reports
from jeto_evaluate.images.sources import SourceTree, TreeFile, from_folder
from jeto_evaluate.images.steps import module_arguments
from jeto_evaluate.images.store import BASE_BYTES, require_room
from jeto_evaluate.images.transfer import push_image, remote_repository
from jeto_evaluate.images.verify import ensure_image, image_problem
from jeto_evaluate.surefire import read_round

_DIGEST = "sha256:" + "d" * 64

_RECORD = EtipRecord(
    instance_id="Owner__lib-7",
    repo="owner/lib",
    base_commit="1" * 40,
    fix_commits=("2" * 40,),
    pull_number=7,
    issue_number=None,
    created_at="2024-01-01T00:00:00Z",
    problem_statement="Slow",
    hints_text="",
    commit_message="Faster",
    patch="diff",
    test_patch="",
    changed_files=(),
    modules=(".",),
    java_version=17,
    maven_version="3.9.9",
    image="",
    image_digest="",
    test_command="./mvnw test",
    test_classes=(),
    quarantined_tests=(),
    detector_tests=(),
    tier=Tier.EXECUTABLE,
    verification=Verification(),
    repo_stars=None,
    repo_license="MIT",
    dataset_version="0.1.0",
)

_FACTS = ImageFacts(
    image_id="sha256:" + "a" * 64,
    name="jeto-bench/owner__lib-7:0.1.0",
    digest="",
    instance_id="Owner__lib-7",
    java=17,
    jdk="17.0.1 (Debian)",
    maven="3.9.9",
    maven_command="./mvnw",
    surefire="3.2.5",
    architecture="amd64",
    source_hash="h",
    size_bytes=1,
)


def _record(**changes: Any) -> EtipRecord:
    return dataclasses.replace(_RECORD, **changes)


def _file(path: str, data: bytes = b"", kind: str = "file") -> TreeFile:
    return TreeFile(path=path, kind=kind, data=data)


def _problem(record: EtipRecord, facts: ImageFacts = _FACTS, **changes: Any) -> str:
    given: dict[str, Any] = {
        "labels_format": "1",
        "base_commit": "1" * 40,
        "digests": (),
        "engine_architecture": "x86_64",
    }
    return image_problem(record, facts, **(given | changes))


class TestNames:
    def test_record_without_image_gets_a_lower_case_name(self) -> None:
        assert image_name(_record()) == "jeto-bench/owner__lib-7:0.1.0"

    def test_records_own_name_is_kept(self) -> None:
        assert image_name(_record(image="host:5000/x/lib:2")) == "host:5000/x/lib:2"

    def test_registry_goes_before_the_name_and_ports_are_no_tags(self) -> None:
        assert remote_repository("a/b:1", "127.0.0.1:5000/p/") == ("127.0.0.1:5000/p/a/b", "1")
        assert remote_repository("host:5000/b:1", "") == ("host:5000/b", "1")


class TestVerification:
    def test_right_image_has_no_problem(self) -> None:
        assert _problem(_record()) == ""

    def test_digest_is_held_against_every_registry_it_came_from(self) -> None:
        record = _record(image_digest=_DIGEST)
        assert _problem(record, digests=("a/b@sha256:" + "e" * 64, f"host:5000/b@{_DIGEST}")) == ""
        assert "the record names" in _problem(record, digests=("a/b@sha256:" + "e" * 64,))
        assert "has digest (none)" in _problem(record)

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"base_commit": "3" * 40}, "was built from"),
            ({"java_version": 21}, "has JDK 17"),
            ({"maven_version": "3.8.8"}, "has Maven 3.9.9"),
            ({"instance_id": "owner__lib-8"}, "is the image of Owner__lib-7"),
        ],
    )
    def test_image_of_another_build_is_refused(self, changes: dict[str, Any], said: str) -> None:
        assert said in _problem(_record(**changes))

    def test_layout_of_another_version_is_refused(self) -> None:
        assert "has layout 0" in _problem(_record(), labels_format="0")

    def test_emulation_is_refused(self) -> None:
        """field.md row 31: an engine on arm64, an image for amd64 only."""
        assert "its times would mean nothing" in _problem(_record(), engine_architecture="aarch64")

    def test_image_of_others_is_not_taken_for_ours(self) -> None:
        image = Mock(labels={}, attrs={}, id="sha256:1")
        with pytest.raises(ImageError, match="not an instance image"):
            read_facts(image, "x:1")

    def test_missing_image_says_how_to_get_it(self) -> None:
        from docker.errors import ImageNotFound  # noqa: PLC0415

        client = Mock()
        client.images.get.side_effect = ImageNotFound("no")
        with pytest.raises(ImageError, match="is not on this machine") as caught:
            ensure_image(client, _record())
        assert "jeto-bench images pull" in caught.value.advice

    def test_push_that_the_registry_refuses_is_an_error(self) -> None:
        image = Mock(
            id="sha256:1",
            labels={
                Label.INSTANCE: "Owner__lib-7",
                Label.JAVA: "17",
                Label.JDK: "17",
                Label.MAVEN: "3.9.9",
                Label.MAVEN_COMMAND: "./mvnw",
                Label.SUREFIRE: "3.2.5",
                Label.SOURCE_HASH: "h",
                Label.FORMAT: "1",
                Label.BASE_COMMIT: "1" * 40,
            },
            attrs={"Architecture": "amd64"},
        )
        client = Mock()
        client.images.get.return_value = image
        client.info.return_value = {"Architecture": "x86_64"}
        client.images.push.return_value = [{"status": "x"}, {"error": "denied"}]
        with pytest.raises(ImageError, match="denied"):
            push_image(client, _record(), registry="127.0.0.1:5000")


class TestRoom:
    def test_what_would_not_fit_is_refused_before_the_start(self) -> None:
        """field.md row 28: the disk filled in the middle of a run."""
        with pytest.raises(ImageError, match=r"need about 3\.6 GB"):
            require_room(BASE_BYTES, bases=1, instances=3)

    def test_unknown_room_is_let_pass(self) -> None:
        require_room(None, bases=5, instances=300)


class TestSourceHash:
    def test_everything_that_shapes_the_image_changes_it(self) -> None:
        def of(record: EtipRecord, tree: str = "t", harness: bytes = b"h") -> str:
            return source_hash(record, tree=tree, harness={"a.sh": harness}, generate_wrapper=False)

        start = of(_record())
        changed = [
            of(_record(), tree="u"),
            of(_record(), harness=b"i"),
            of(_record(java_version=21)),
            of(_record(maven_version="3.8.8")),
            of(_record(modules=("a",))),
            of(_record(patch="other")),
        ]
        assert start not in changed
        assert len(set(changed)) == len(changed)
        assert of(_record(hints_text="more words")) == start


class TestTrees:
    def test_folder_is_read_without_build_products_and_git(self, tmp_path: Path) -> None:
        for path in ("pom.xml", "src/target/A.java", "target/x.class", "m/pom.xml", "m/target/y"):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(path)
        (tmp_path / ".git").mkdir()
        (tmp_path / ".git/HEAD").write_text("x")
        (tmp_path / "run").write_text("x")
        (tmp_path / "run").chmod(0o755)
        (tmp_path / "link").symlink_to("src/target")
        found = {file.path: file.kind for file in from_folder(tmp_path).files}
        assert found == {
            "link": "link",
            "m/pom.xml": "file",
            "pom.xml": "file",
            "run": "executable",
            "src/target/A.java": "file",
        }

    def test_folder_without_pom_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"no pom\.xml"):
            from_folder(tmp_path)

    def test_archive_keeps_kinds_and_names_outside_utf8(self) -> None:
        odd = b"d/\xff.txt".decode("utf-8", "surrogateescape")
        tree = SourceTree(
            (
                _file(odd, b"1"),
                _file("mvnw", b"#!", "executable"),
                _file("link", b"mvnw", "link"),
            )
        )
        with tarfile.open(fileobj=io.BytesIO(tree.archive())) as archive:
            members = archive.getmembers()
        assert [member.name for member in members] == [odd, "mvnw", "link"]
        assert [member.mode for member in members] == [0o644, 0o755, 0o644]
        assert members[2].linkname == "mvnw"

    def test_digest_sees_content_kind_and_path(self) -> None:
        trees = [
            SourceTree((_file("a", b"bc"),)),
            SourceTree((_file("ab", b"c"),)),
            SourceTree((_file("a", b"bc", "executable"),)),
            SourceTree((_file("a", b"b"), _file("c"))),
        ]
        assert len({tree.digest() for tree in trees}) == len(trees)

    @pytest.mark.parametrize("place", ["owner__lib", "owner/lib", "lib", "lib.git"])
    def test_clone_is_found_under_usual_names(self, tmp_path: Path, place: str) -> None:
        (tmp_path / place / "objects").mkdir(parents=True)
        assert find_clone(tmp_path, _record().repo) == tmp_path / place

    def test_missing_clone_lists_where_it_was_looked_for(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="owner__lib"):
            find_clone(tmp_path, _record().repo)

    def test_record_from_elsewhere_wants_clones(self) -> None:
        with pytest.raises(UsageError, match="--clones"):
            find_origin(_record(), None)


class TestWrapper:
    _PROPERTIES = _file(".mvn/wrapper/maven-wrapper.properties", b"distributionUrl=x\n")

    def test_script_only_wrapper_is_usable(self) -> None:
        tree = SourceTree((_file("mvnw", b"#!/bin/sh\n", "executable"), self._PROPERTIES))
        assert usable_wrapper(tree)

    @pytest.mark.parametrize(
        "mvnw",
        [
            _file("mvnw", b"#!/bin/sh\r\n", "executable"),
            _file("mvnw", b"#!/bin/sh\n"),
            _file("mvnw", b"#!/bin/sh\r\n"),
            _file("mvnw", b"#!/bin/sh\n# maven-wrapper.jar\n", "executable"),
        ],
        ids=["crlf", "mode 644", "both", "jar missing"],
    )
    def test_wrapper_that_would_not_start_is_passed_over(self, mvnw: TreeFile) -> None:
        """field.md row 93: CRLF, no execute bit, or both: Maven starts from its distribution."""
        assert not usable_wrapper(SourceTree((mvnw, self._PROPERTIES)))

    def test_wrapper_whose_jar_is_committed_is_usable(self) -> None:
        mvnw = _file("mvnw", b"#!/bin/sh\n# maven-wrapper.jar\n", "executable")
        jar = _file(".mvn/wrapper/maven-wrapper.jar", b"PK")
        assert usable_wrapper(SourceTree((mvnw, self._PROPERTIES, jar)))


def test_modules_are_built_with_what_they_need() -> None:
    assert module_arguments(_record())[-1] == "test"
    assert module_arguments(_record(modules=("core", "app")))[-4:] == (
        "-pl",
        "core,app",
        "-am",
        "test",
    )


def test_harness_files_of_the_image_are_all_there() -> None:
    assert all(script(name).startswith(b"#!/bin/sh\n") for name in BUILD_SCRIPTS)
    assert any(name.endswith(".java") for name in launcher_files())


class TestProofOfReports:
    @staticmethod
    def _suite(name: str, case: str = "") -> bytes:
        return (
            f'<testsuite name="{name}" time="0.1" tests="1" errors="0" skipped="0" failures="0">'
            f'<testcase name="t" classname="{name}" time="0.1">{case}</testcase></testsuite>'
        ).encode()

    def _check(self, record: EtipRecord, **suites: bytes) -> str:
        files = {f"target/surefire-reports/TEST-{name}.xml": xml for name, xml in suites.items()}
        return check_reports(read_round(files), record)

    def test_passing_classes_pass(self) -> None:
        assert self._check(_record(), a=self._suite("p.ATest")) == ""

    def test_run_without_a_test_proves_nothing(self) -> None:
        """field.md row 85: a warm-up whose filter matched no test cached nothing."""
        assert self._check(_record()) == "no test ran"

    def test_listed_class_without_report_fails(self) -> None:
        record = _record(test_classes=("p.ATest", "p.BTest"))
        assert self._check(record, a=self._suite("p.ATest")) == "no report for p.BTest"

    def test_failing_class_fails_unless_it_is_quarantined(self) -> None:
        broken = self._suite("p.BTest", '<failure message="no network"/>')
        suites = {"a": self._suite("p.ATest"), "b": broken}
        assert self._check(_record(), **suites).startswith("p.BTest.t: ")
        quarantined = (QuarantinedTest(test_class="p.BTest", reason="network"),)
        assert self._check(_record(quarantined_tests=quarantined), **suites) == ""
