"""How an image is warmed: by really running the tests, with a Maven that starts offline."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast
from unittest.mock import Mock

import pytest

from jeto_bench import decode_jsonl
from jeto_bench.errors import ImageError
from jeto_evaluate.images import instance as instance_module
from jeto_evaluate.images.debian import _PACKAGES
from jeto_evaluate.images.instance import BuildOptions, build_from_tree
from jeto_evaluate.images.launcher_files import script
from jeto_evaluate.images.layer import Layer
from jeto_evaluate.images.maven_home import DISTRIBUTION_MAVEN
from jeto_evaluate.images.mirror import refuse_other_sources
from jeto_evaluate.images.settings import maven_toolchains
from jeto_evaluate.images.sources import SourceTree, TreeFile
from jeto_evaluate.images.steps import Warmed, module_arguments, warm_up
from jeto_evaluate.images.workshop import StepError, Workshop

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
RECORD = replace(decode_jsonl(GOLDEN.read_bytes())[0], modules=("core", "cli"))
PROPERTIES = TreeFile(
    path=".mvn/wrapper/maven-wrapper.properties", kind="file", data=b"distributionUrl=x\n"
)
SPARE = (TreeFile(path="mvnw", kind="executable", data=b"#!/bin/sh\n"), PROPERTIES)


@dataclass
class ScriptedWorkshop:
    """Remembers what was asked, and answers as a container would."""

    surefire: bytes = b"/x/maven-surefire-plugin-3.2.5.jar\n"
    failing: frozenset[str] = frozenset()
    asked: list[tuple[str, ...]] = field(default_factory=list)
    staged: dict[str, bytes] = field(default_factory=dict)

    def put(self, files: Mapping[str, bytes]) -> None:
        self.staged |= files

    def must(
        self, what: str, argv: Sequence[str], *, user: str = "jeto", seconds: int = 600
    ) -> bytes:
        del user, seconds
        self.asked.append(tuple(argv))
        if argv[0] == "sh" and self.failing.intersection(argv):
            raise StepError(f"{what} failed", advice="", step=what, output=b"404", late=False)
        answers = {
            "reading Maven's folder": b"/home/jeto/.m2/wrapper/dists/x\n",
            "looking for Surefire": self.surefire,
            "asking the JDK": b"    java.runtime.version = 17.0.1\n",
        }
        return answers.get(what, b"")

    def at(self, *words: str) -> list[int]:
        return [n for n, argv in enumerate(self.asked) if " ".join(words) in " ".join(argv)]


def warmed(shop: ScriptedWorkshop, mvnw: TreeFile = SPARE[0]) -> tuple[Warmed, SourceTree]:
    tree = SourceTree((PROPERTIES, mvnw))
    done = warm_up(
        cast("Workshop", shop), RECORD, tree, spare_wrapper=lambda: SPARE, share_downloads=False
    )
    return done, tree


def test_the_tests_of_base_and_reference_are_run_before_anything_is_kept() -> None:
    """field.md row 85: prefetching leaves out the provider, which is resolved while tests run."""
    shop = ScriptedWorkshop()
    warmed(shop)
    first, second = shop.at("/mnt/maven.sh", "./mvnw", *module_arguments(RECORD))
    (applied,) = shop.at("git apply --whitespace=nowarn")
    (finished,) = shop.at("/mnt/finish.sh")
    (committed,) = shop.at("/mnt/commit.sh")
    assert first < applied < second < finished < committed
    assert shop.staged["reference.patch"] == RECORD.patch.encode()
    assert not shop.at("dependency:")
    assert shop.asked[first][-1] == "test"


def test_a_warm_up_that_used_no_surefire_is_no_success() -> None:
    """field.md row 85: a warmer that cached nothing reported success all the same."""
    with pytest.raises(ImageError, match="no test ran"):
        warmed(ScriptedWorkshop(surefire=b""))


def test_an_image_gets_its_name_only_after_the_offline_proof(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """field.md rows 85 and 95: what does not start or pass offline is never published."""
    client = Mock()
    client.images.get.return_value = Mock(labels={}, attrs={"Size": 1})
    warmed = Warmed(maven_command="./mvnw", jdk="17", surefire="3.2.5")
    done = Layer(warmed=warmed, recipe={})
    for name, answer in (("write_layer", done), ("ensure_base_image", "base:1"), ("assemble", "")):
        monkeypatch.setattr(instance_module, name, Mock(return_value=answer))
    proof = Mock(side_effect=ImageError("Maven does not start offline"))
    monkeypatch.setattr(instance_module, "prove", proof)
    tree = SourceTree((TreeFile(path="pom.xml", kind="file", data=b"<project/>"),))
    with pytest.raises(ImageError, match="does not start offline"):
        build_from_tree(client, RECORD, tree, options=BuildOptions(), log_dir=tmp_path)
    assert proof.call_args.kwargs["maven_command"] == "./mvnw"
    client.images.get.return_value.tag.assert_not_called()
    (removed,) = client.images.remove.call_args.args
    assert "unproved" in removed


@pytest.mark.parametrize(
    ("kind", "data"),
    [("executable", b"#!/bin/sh\r\n"), ("file", b"#!/bin/sh\n"), ("file", b"#!/bin/sh\r\n")],
    ids=["crlf", "mode 644", "both"],
)
def test_a_wrapper_that_does_not_start_is_replaced_from_outside_the_tree(
    kind: str, data: bytes
) -> None:
    """field.md row 93: a copy outside the tree unpacks Maven; tracked files stay as they are."""
    shop = ScriptedWorkshop()
    done, tree = warmed(shop, TreeFile(path="mvnw", kind=kind, data=data))
    assert done.maven_command == DISTRIBUTION_MAVEN
    assert shop.at("/mnt/fetch-maven.sh /mnt/wrapper/mvnw", RECORD.maven_version)
    assert not shop.at("/jeto/repo/mvnw")
    with tarfile.open(fileobj=io.BytesIO(shop.staged["source.tar"])) as archive:
        laid = archive.extractfile("mvnw")
        assert laid is not None
        assert laid.read() == data
    assert shop.staged["source.tar"] == tree.archive()


def test_an_archive_that_is_gone_is_asked_for_by_a_wrapper_of_ours() -> None:
    """field.md row 91: the .zip that a project pins has left the mirror, its .tar.gz has not."""
    shop = ScriptedWorkshop(failing=frozenset({"/jeto/repo/mvnw"}))
    done, _ = warmed(shop)
    own, spare = shop.at("/mnt/fetch-maven.sh")
    assert shop.asked[own][2] == "/jeto/repo/mvnw"
    assert shop.asked[spare][2] == "/mnt/wrapper/mvnw"
    assert done.maven_command == DISTRIBUTION_MAVEN
    assert "!= unzip" in script("fetch-maven.sh").decode()


def test_a_maven_that_nobody_has_is_an_error_that_names_the_step() -> None:
    """field.md row 91: the step names the version, and the record is named with it."""
    shop = ScriptedWorkshop(failing=frozenset({"/jeto/repo/mvnw", "/mnt/wrapper/mvnw"}))
    with pytest.raises(StepError, match=f"fetching Maven {RECORD.maven_version} failed"):
        warmed(shop)


def test_only_the_records_modules_run_their_tests() -> None:
    """field.md row 80: what they need is built along, and its tests are not selected at all."""
    arguments = module_arguments(RECORD)
    assert "-Djeto.modules=core,cli" in arguments
    assert arguments[-4:] == ("-pl", "core,cli", "-am", "test")
    shop = ScriptedWorkshop()
    warmed(shop)
    (compiled,) = shop.at("/mnt/launcher.sh /home/jeto/.m2/wrapper/dists/x")
    assert compiled < shop.at("/mnt/maven.sh")[0]
    assert not [one for one in module_arguments(replace(RECORD, modules=(".",))) if "jeto" in one]


def test_the_only_jdk_is_listed_for_builds_that_demand_a_toolchain() -> None:
    """field.md row 89: images have no toolchains file."""
    shop = ScriptedWorkshop()
    warmed(shop)
    release = f"<version>{RECORD.java_version}</version>".encode()
    assert release in shop.staged["toolchains.xml"]
    assert shop.at("cp /mnt/toolchains.xml /home/jeto/.m2/toolchains.xml")
    assert b"! -name toolchains.xml" in script("finish.sh")
    assert b"<version>1.8</version>" in maven_toolchains(8)
    assert b"<version>1.11</version>" not in maven_toolchains(11)


def test_downloads_past_the_mirror_are_refused() -> None:
    """field.md row 96: the URL in Maven's log tells whether the mirror was used."""
    used = "Downloaded from jeto-mirror: https://m.example/p/a.jar (1 kB)\n"
    kept = "[INFO] Downloaded from jeto-cache: file:///media/repository/b.jar (1 kB)\n"
    refuse_other_sources(used + kept)
    past = "[INFO] Downloaded from central: https://c.example/a.jar (1 kB at 2 kB/s)\n"
    with pytest.raises(ImageError, match=r"not used for https://c\.example/a\.jar and 0 more"):
        refuse_other_sources(used + past)


def test_the_path_taken_to_maven_is_recorded_in_the_image() -> None:
    """field.md row 93: log which path was taken."""
    labels = instance_module._labels(
        RECORD, "f", Warmed(maven_command=DISTRIBUTION_MAVEN, jdk="17", surefire="3.2.5")
    )
    assert DISTRIBUTION_MAVEN in labels.values()


def test_bases_have_what_the_wrapper_needs_and_the_proof_starts_it_offline() -> None:
    """field.md row 95: the script-only wrapper goes on without its tools and fails later."""
    shop = ScriptedWorkshop()
    done, _ = warmed(shop)
    assert done.maven_command == "./mvnw"
    assert shop.at("/mnt/fetch-maven.sh /jeto/repo/mvnw", RECORD.maven_version)
    setup = script("setup-base.sh").decode()
    looked_for = next(line for line in setup.splitlines() if line.startswith("for tool in "))
    for tool in ("curl", "unzip"):
        assert tool in _PACKAGES
        assert tool in looked_for.split()
    assert '"$command" -o --version' in script("prove.sh").decode()


def test_every_base_has_fonts() -> None:
    """A toolkit that draws text without a screen failed on the JDKs that do not pull them in."""
    setup = script("setup-base.sh").decode()
    for package in ("fontconfig", "fonts-dejavu-core"):
        assert package in _PACKAGES
        assert package in setup.split()
