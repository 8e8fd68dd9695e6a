"""Projects written here that stand in the way of being executed, each in its own way.

Every one becomes a clone with a base and a fix. Only for tests with a real engine.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import docker

from jeto_bench.predictions import gold_predictions
from jeto_bench.records import EtipRecord, Tier, Verification
from jeto_evaluate.images.base import ProviderName, ensure_base_image
from jeto_evaluate.images.layout import tools_tag
from jeto_evaluate.images.rooms import open_workshop
from jeto_evaluate.images.settings import host_bundle, maven_settings, proxy_environment
from jeto_evaluate.images.tools import Toolbox
from jeto_evaluate.images.truststore import decode_pem, jks_truststore
from jeto_evaluate.images.workshop import CACHE
from jeto_evaluate.images.wrapper import generate_wrapper
from jeto_evaluate.run.fake import FAKE_PROVENANCE, FakeArms, FakeClass, FakeRound, FakeScript
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.samples import Arm
from jeto_mine.executable.workbench import DockerWorkbench

__all__ = [
    "JUNIT3",
    "JUNIT4",
    "JUNIT5",
    "MAIN",
    "SUM",
    "TESTNG",
    "Quick",
    "Toy",
    "build_supplies",
    "dependency",
    "git",
    "java_test",
    "make_toy",
    "make_wrapper",
    "pom",
    "project",
]

MAIN: Final = "src/main/java/toy/Sum.java"
SLOW: Final = "for (int j = 0; j < n; j++) { sum += i ^ j; }"
FAST: Final = "sum += i;"
SUM: Final = f"""package toy;

public final class Sum {{
  private Sum() {{}}

  public static long of(int n) {{
    long sum = 0;
    for (int i = 0; i < n; i++) {{
      {SLOW}
    }}
    return sum;
  }}
}}
"""
JUNIT5: Final = ("org.junit.jupiter", "junit-jupiter", "5.10.2")
JUNIT4: Final = ("junit", "junit", "4.13.2")
JUNIT3: Final = ("junit", "junit", "3.8.1")
TESTNG: Final = ("org.testng", "testng", "6.14.3")
Files = Mapping[str, str | bytes]


def pom(
    artifact: str = "toy",
    *,
    level: str = "8",
    framework: tuple[str, str, str] = JUNIT5,
    surefire: str = "3.2.5",
    inside: str = "",
    needs: str = "",
    plugins: str = "",
    parent: str = "",
) -> str:
    group, name, version = framework
    identity = parent or "<groupId>toy</groupId><version>1</version>"
    return f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  {identity}
  <artifactId>{artifact}</artifactId>
  <properties>
    <maven.compiler.source>{level}</maven.compiler.source>
    <maven.compiler.target>{level}</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>
      <version>{version}</version><scope>test</scope></dependency>
    {needs}
  </dependencies>
  <build><plugins>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>{surefire}</version></plugin>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin>
    {plugins}
  </plugins></build>
  {inside}
</project>
"""


def dependency(group: str, artifact: str, version: str) -> str:
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version></dependency>"
    )


def java_test(name: str, body: str = "Sum.of(10);") -> str:
    return (
        f"package toy;\n\nimport org.junit.jupiter.api.Test;\n\nclass {name} {{\n"
        f"  @Test\n  void works() throws Exception {{\n    {body}\n  }}\n}}\n"
    )


def project(*classes: str, **files: str | bytes) -> dict[str, str | bytes]:
    """A project of one module with trivial tests, and more files or other ones."""
    tests = {f"src/test/java/toy/{name}.java": java_test(name) for name in classes}
    return {"pom.xml": pom(), MAIN: SUM, **tests, **files}


@dataclass(frozen=True, kw_only=True)
class Toy:
    """A clone with a base and a fix, and its identified record."""

    record: EtipRecord
    clone: Path


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=x", "-c", "user.email=x@x.invalid", *arguments]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def make_toy(
    clones: Path,
    name: str,
    files: Files,
    *,
    main: str = MAIN,
    executable: bool = True,
    added: str = "",
) -> Toy:
    folder = clones / f"toy__{name}"
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode() if isinstance(text, str) else text)
    if executable and (folder / "mvnw").exists():
        (folder / "mvnw").chmod(0o755)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "base")
    base = git(folder, "rev-parse", "HEAD").strip()
    source = (folder / main).read_text()
    assert SLOW in source
    fast = "sum += new Added() == null ? 0 : i;" if added else FAST
    (folder / main).write_text(source.replace(SLOW, fast))
    if added:
        (folder / added).write_text("package toy;\n\npublic class Added {}\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "fix")
    record = EtipRecord(
        instance_id=f"toy__{name}-1",
        repo=f"toy/{name}",
        base_commit=base,
        fix_commits=(git(folder, "rev-parse", "HEAD").strip(),),
        pull_number=None,
        issue_number=1,
        created_at="2024-01-01T00:00:00Z",
        problem_statement="Slow",
        hints_text="",
        commit_message="",
        patch=git(folder, "diff", "--no-ext-diff", base, "HEAD"),
        test_patch="",
        changed_files=(main, *([added] if added else [])),
        modules=(),
        java_version=8,
        maven_version="",
        image="",
        image_digest="",
        test_command="",
        test_classes=(),
        quarantined_tests=(),
        detector_tests=(),
        tier=Tier.IDENTIFIED,
        verification=Verification(),
        repo_stars=None,
        repo_license="MIT",
        dataset_version="0",
    )
    return Toy(record=record, clone=folder)


class Quick(DockerWorkbench):
    """Images as ever; the measurement is played."""

    def measure(self, record: EtipRecord) -> Evaluation:
        classes = {name: FakeClass(milliseconds=100) for name in record.test_classes}
        script = FakeScript(round=FakeRound(classes=classes, seen=True))
        return run_instance(
            record,
            gold_predictions([record]).predictions[0],
            factory=FakeArms(scripts={Arm.BASE: script, Arm.CANDIDATE: script}),
            settings=self.settings,
            provenance=FAKE_PROVENANCE,
        )


def build_supplies() -> dict[str, bytes]:
    """Certificates and settings of this host, as builds get them."""
    bundle = host_bundle(None)
    return {
        "ca.pem": bundle,
        "trust.jks": jks_truststore(decode_pem(bundle, source="host")),
        "settings.xml": maven_settings(
            cache=f"{CACHE}/repository", proxies=proxy_environment(os.environ)
        ),
    }


_WRAPPER_POM: Final = (
    b"<project><modelVersion>4.0.0</modelVersion><groupId>toy</groupId>"
    b"<artifactId>wrapper</artifactId><version>1</version><packaging>pom</packaging></project>"
)
_PLUGIN: Final = "org.apache.maven.plugins:maven-wrapper-plugin:3.3.2:wrapper"
_PLACE: Final = "/home/jeto/wrapper"
_TRUST: Final = (
    "-Djavax.net.ssl.trustStore=/mnt/trust.jks -Djavax.net.ssl.trustStorePassword=changeit"
)


def make_wrapper(
    client: docker.DockerClient, logs: Path, kind: str, version: str
) -> dict[str, bytes]:
    """A wrapper of a kind for a version of Maven, as Maven's own plugin writes it."""
    supplies = build_supplies()
    toolbox = Toolbox(client=client, supplies=supplies, provider=ProviderName.AUTO, log_dir=logs)
    base = ensure_base_image(client, 17, log_dir=logs)
    log = logs / "wrapper.log"
    with open_workshop(client, base, log_path=log, subject="wrapper", cached=True) as shop:
        generate_wrapper(version, shop, toolbox)  # it makes the image with Maven too
    packed = io.BytesIO()
    with open_workshop(client, tools_tag(), log_path=log, subject="wrapper", cached=True) as shop:
        shop.put({**supplies, "pom.xml": _WRAPPER_POM})
        generate = (
            f"mkdir {_PLACE} && cp /mnt/pom.xml {_PLACE} && cd {_PLACE}"
            f" && export MAVEN_OPTS='{_TRUST}'"
            f" && mvn -B -q -s /mnt/settings.xml {_PLUGIN} -Dmaven={version} -Dtype={kind}"
        )
        shop.must("generating a wrapper", ["sh", "-c", generate])
        shop.stream(["tar", "-C", _PLACE, "-cf", "-", "mvnw", ".mvn"], packed)
    packed.seek(0)
    with tarfile.open(fileobj=packed) as archive:
        return {
            member.name: content.read()
            for member in archive
            if (content := archive.extractfile(member)) is not None
        }
