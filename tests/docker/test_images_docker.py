"""Instance images on a real engine: built, proved, moved, refused, removed."""

from __future__ import annotations

import dataclasses
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
import requests
from docker.errors import ImageNotFound

from jeto_bench.errors import EngineError, ImageError
from jeto_bench.records import EtipRecord, Tier, Verification
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.endpoint import Endpoint, resolve_endpoint
from jeto_evaluate.images.assemble import assemble
from jeto_evaluate.images.base import ensure_base_image
from jeto_evaluate.images.facts import ImageFacts
from jeto_evaluate.images.instance import build_from_tree
from jeto_evaluate.images.layer import BuildOptions
from jeto_evaluate.images.layout import Label
from jeto_evaluate.images.proof import Limits, prove
from jeto_evaluate.images.rooms import open_workshop
from jeto_evaluate.images.sources import from_clone
from jeto_evaluate.images.store import clean, list_images
from jeto_evaluate.images.transfer import pull_image, push_image
from jeto_evaluate.images.truststore import decode_pem, jks_truststore
from jeto_evaluate.images.verify import ensure_image

_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>toy</groupId><artifactId>toy</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>8</maven.compiler.source>
    <maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies><dependency>
    <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
    <version>5.10.2</version><scope>test</scope>
  </dependency></dependencies>
  <build><plugins><plugin>
    <artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version>
  </plugin></plugins></build>
</project>
"""
_MAIN = """\
package toy;

public final class Toy {
    public static int twice(int n) {
        return n + n;
    }
}
"""
_TEST = """\
package toy;

import static org.junit.jupiter.api.Assertions.*;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.Charset;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

class ToyTest {
    @Test
    void twice() {
        assertEquals(4, Toy.twice(2));
    }

    @Test
    void knowsItsHost() throws Exception {
        assertNotNull(InetAddress.getLocalHost());
    }

    @Test
    void cannotWriteReadOnlyFiles() throws Exception {
        File file = File.createTempFile("toy", "");
        assertTrue(file.setReadOnly());
        assertThrows(IOException.class, () -> new FileOutputStream(file));
    }

    @Test
    void hasFixedZoneAndEncoding() {
        assertEquals(0, TimeZone.getDefault().getRawOffset());
        assertEquals("UTF-8", Charset.defaultCharset().name());
    }
}
"""
_PATCH = """\
diff --git a/src/main/java/toy/Toy.java b/src/main/java/toy/Toy.java
--- a/src/main/java/toy/Toy.java
+++ b/src/main/java/toy/Toy.java
@@ -4,3 +4,3 @@
     public static int twice(int n) {
-        return n + n;
+        return 2 * n;
     }
"""
_FILES = {
    "pom.xml": _POM,
    "src/main/java/toy/Toy.java": _MAIN,
    "src/test/java/toy/ToyTest.java": _TEST,
    "src/test/resources/left-out.txt": "kept\n",
    "src/test/resources/unix.txt": "one\ntwo\n",
    ".gitignore": "target/\n",
    # Both would change what `git archive` gives.
    ".gitattributes": "left-out.txt export-ignore\n*.txt text eol=crlf\n",
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Toy:
    record: EtipRecord
    facts: ImageFacts
    clone: Path
    logs: Path
    certificate: bytes


@pytest.fixture(scope="module")
def client() -> Iterator[docker.DockerClient]:
    found = connect(resolve_endpoint(None, environ=os.environ, home=Path.home()))
    yield found
    found.close()


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=x", "-c", "user.email=x@x.invalid", *arguments]
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def _make_clone(folder: Path, files: dict[str, str]) -> tuple[str, str]:
    """A repository with a base and a fix; returns their ids."""
    folder.mkdir(parents=True)
    _git(folder, "init", "-q")
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, newline="")
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "base")
    base = _git(folder, "rev-parse", "HEAD")
    main = folder / "src/main/java/toy/Toy.java"
    main.write_text(main.read_text().replace("n + n", "2 * n"))
    _git(folder, "commit", "-q", "-a", "-m", "fix")
    return base, _git(folder, "rev-parse", "HEAD")


def _record(base: str, fix: str, name: str) -> EtipRecord:
    return EtipRecord(
        instance_id=f"toy__{name}-1",
        repo=f"toy/{name}",
        base_commit=base,
        fix_commits=(fix,),
        pull_number=None,
        issue_number=1,
        created_at="2024-01-01T00:00:00Z",
        problem_statement="Slow",
        hints_text="",
        commit_message="",
        patch=_PATCH,
        test_patch="",
        changed_files=("src/main/java/toy/Toy.java",),
        modules=(".",),
        java_version=17,
        maven_version="3.9.9",
        image=f"jeto-bench-test/{name}:0",
        image_digest="",
        test_command="./mvnw -B -o test",
        test_classes=("toy.ToyTest",),
        quarantined_tests=(),
        detector_tests=(),
        tier=Tier.EXECUTABLE,
        verification=Verification(),
        repo_stars=None,
        repo_license="MIT",
        dataset_version="0",
    )


@pytest.fixture(scope="module")
def toy(client: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Toy]:
    folder = tmp_path_factory.mktemp("toy")
    clone = folder / "toy__toy"
    base, fix = _make_clone(clone, _FILES)
    record = _record(base, fix, "toy")
    logs = folder / "logs"
    base_image = ensure_base_image(client, 17, log_dir=logs)
    make = (
        "keytool -genkeypair -alias a -keyalg EC -dname CN=proxy -storepass changeit"
        " -keystore /tmp/k >&2 && keytool -exportcert -rfc -alias a -storepass changeit"
        " -keystore /tmp/k 2>/dev/null"
    )
    certificate = client.containers.run(base_image, ["sh", "-c", make], remove=True)
    bundle = folder / "proxy.pem"
    bundle.write_bytes(certificate)
    options = BuildOptions(generate_wrapper=True, ca_bundle=bundle)
    facts = build_from_tree(client, record, from_clone(clone, base), options=options, log_dir=logs)
    yield _Toy(record=record, facts=facts, clone=clone, logs=logs, certificate=certificate)
    client.images.remove(record.image, force=True)


def _run(client: docker.DockerClient, image: str, script: str) -> str:
    output = client.containers.run(
        image, ["sh", "-c", script], remove=True, network_mode="none", stderr=True
    )
    return bytes(output).decode()


def test_built_image_tells_what_it_is(client: docker.DockerClient, toy: _Toy) -> None:
    assert toy.facts.maven == "3.9.9"
    assert toy.facts.surefire == "3.2.5"
    assert toy.facts.jdk.startswith("17.")
    assert toy.facts.maven_command == "./mvnw"
    assert ensure_image(client, toy.record) == toy.facts
    labels = client.images.get(toy.record.image).labels
    assert labels[Label.BASE_COMMIT] == toy.record.base_commit
    assert not [name for name in labels if "jeto-bench" in name and name not in list(Label)]


def test_same_source_is_not_built_again(client: docker.DockerClient, toy: _Toy) -> None:
    options = BuildOptions(generate_wrapper=True)
    tree = from_clone(toy.clone, toy.record.base_commit)
    started = time.monotonic()
    again = build_from_tree(client, toy.record, tree, options=options, log_dir=toy.logs)
    assert again == toy.facts
    assert time.monotonic() - started < 5


def test_image_has_one_commit_and_not_the_fix(client: docker.DockerClient, toy: _Toy) -> None:
    """field.md row 53: agents read the answer from later commits, tags and reflogs."""
    fix = toy.record.fix_commits[0]
    script = (
        "git rev-list --all --count; git remote | wc -l; git tag | wc -l;"
        f"git cat-file -e {fix} 2>/dev/null || echo unknown; ls .git/logs 2>/dev/null;"
        "git cat-file --batch-all-objects --batch-check | grep -c commit;"
        "git log --format='%an %aI %s'; git status --porcelain --ignored; find / -xdev"
        " -name 'Toy*.class' 2>/dev/null; true"
    )
    assert _run(client, toy.record.image, script).splitlines() == [
        "1",
        "0",
        "0",
        "unknown",
        "1",
        "base 2000-01-01T00:00:00+00:00 base",
    ]


def test_tree_is_the_commits_bytes_whatever_its_attributes_say(
    client: docker.DockerClient, toy: _Toy
) -> None:
    script = (
        "cat src/test/resources/left-out.txt; od -c src/test/resources/unix.txt | head -1;"
        "rm src/test/resources/unix.txt; git checkout -q -- .;"
        "od -c src/test/resources/unix.txt | head -1"
    )
    kept, before, after = _run(client, toy.record.image, script).splitlines()
    assert kept == "kept"
    assert "\\r" not in before
    assert before == after


def test_nothing_of_the_build_is_left_in_the_image(client: docker.DockerClient, toy: _Toy) -> None:
    """field.md row 32: a proxy's certificate serves the build and is not in the result."""
    line = toy.certificate.splitlines()[1].decode()
    script = (
        f"grep -rlF '{line}' / --exclude-dir=proc --exclude-dir=sys 2>/dev/null;"
        "ls -A /mnt /media /tmp /var/tmp | grep -v :; ls -A ~ ~/.m2 | grep -v -e bash -e profile;"
        "env | grep -i -E 'proxy|maven_opts|trust';"
        "find ~/.m2/repository -name '_remote.repositories' -o -name '*.lastUpdated';"
        "keytool -list -cacerts -storepass changeit 2>/dev/null | grep -c '^ca[0-9]'; true"
    )
    assert _run(client, toy.record.image, script).splitlines() == [
        "",
        "",
        "",
        "/home/jeto:",
        ".m2",
        "",
        "/home/jeto/.m2:",
        "repository",
        "toolchains.xml",
        "wrapper",
        "0",
    ]


def test_what_the_agent_hooks_is_ready(client: docker.DockerClient, toy: _Toy) -> None:
    """To edit it in every test JVM would cost more than the rest of the agent."""
    script = """
touch /tmp/lines
/opt/jdk/bin/java -Xlog:class+load:file=/tmp/loaded \
    -agentlib:instrument=/opt/jeto/lib/jeto-agent.jar=out=/tmp/lines,seed=1 \
    -cp "$(find /home/jeto/.m2/repository -name '*surefire*.jar' | tr '\\n' :)" \
    org.apache.maven.surefire.booter.ForkedBooter >/dev/null 2>&1
grep -o '"trouble":.*' /tmp/lines
sed 's/.*\\] //' /tmp/loaded
"""
    trouble, *loaded = _run(client, toy.record.image, script).splitlines()
    assert trouble == '"trouble":[]}'
    assert "java.lang.Thread source: __VM_RedefineClasses__" in loaded
    names = [line.partition(" ")[0] for line in loaded]
    assert "org.apache.maven.surefire.booter.ForkedBooter" in names
    assert "io.jetobench.agent.hook.SurefireTransformer" in names
    own = [name.removeprefix("io.jetobench.agent.") for name in names]
    editing = ("asm.", "hook.ThreadTransformer", "hook.SurefireHooks")
    assert not [name for name in own if name.startswith(editing)]
    # Neither is needed for the beans, and each takes as long as all of them.
    assert not {"java.lang.management.ManagementFactory", "java.util.stream.LongStream"} & {*names}


def test_truststore_is_read_by_the_jdk(
    client: docker.DockerClient, toy: _Toy, tmp_path: Path
) -> None:
    store = jks_truststore(decode_pem(toy.certificate, source="x"))
    log = tmp_path / "log"
    with open_workshop(client, toy.facts.image_id, log_path=log, subject="x") as workshop:
        workshop.put({"trust.jks": store})
        listed = workshop.must(
            "listing", ["keytool", "-list", "-keystore", "/mnt/trust.jks", "-storepass", "changeit"]
        )
    assert b"1 entry" in listed


def test_image_runs_as_an_unprivileged_user_in_a_fixed_surrounding(
    client: docker.DockerClient, toy: _Toy
) -> None:
    """field.md rows 43 and 44; ToyTest holds both from inside Java too."""
    script = "id -un; id -u runner; pwd; echo $LANG $LC_ALL $TZ; touch ~/x && echo writable"
    assert _run(client, toy.record.image, script).splitlines() == [
        "jeto",
        "1001",
        "/jeto/repo",
        "C.UTF-8 C.UTF-8 UTC",
        "writable",
    ]


def _spoilt(client: docker.DockerClient, toy: _Toy, step: str, tmp_path: Path) -> str:
    return assemble(
        client,
        dockerfile=f"FROM {toy.facts.image_id}\nRUN {step}\n",
        files={},
        tag="jeto-bench-test/spoilt:0",
        labels={},
        log_path=tmp_path / "spoilt.log",
    )


@pytest.mark.parametrize(
    ("step", "said"),
    [
        # field.md row 85: the provider is resolved while tests run, prefetching leaves it out
        (
            "rm -r ~/.m2/repository/org/apache/maven/surefire/surefire-junit-platform",
            "running base's tests offline failed",
        ),
        # field.md row 95: the wrapper without its unpacked distribution
        ("rm -r ~/.m2/wrapper", "Maven does not start offline"),
        # field.md row 53
        ("git commit -q --allow-empty -m later", "history: more or less than one commit"),
        ("git tag fix", "history: a tag"),
        ("echo x >> pom.xml", "the tree differs from the commit"),
    ],
)
def test_image_that_is_not_whole_is_not_proved(
    client: docker.DockerClient, toy: _Toy, tmp_path: Path, step: str, said: str
) -> None:
    """field.md rows 53, 85, 95: the proof runs offline and sees what is missing."""
    spoilt = _spoilt(client, toy, step, tmp_path)
    try:
        with pytest.raises(ImageError, match=said):
            prove(
                client,
                toy.record,
                spoilt,
                maven_command="./mvnw",
                limits=Limits(),
                log_path=tmp_path / "proof.log",
            )
    finally:
        client.images.remove("jeto-bench-test/spoilt:0", force=True)


def test_build_that_cannot_get_an_artifact_names_it_and_tags_nothing(
    client: docker.DockerClient, toy: _Toy, tmp_path: Path
) -> None:
    """field.md row 91: a dead download names the place and the row."""
    pom = _POM.replace("<version>5.10.2</version>", "<version>0.0.0-none</version>")
    base, fix = _make_clone(tmp_path / "dead", {**_FILES, "pom.xml": pom})
    record = _record(base, fix, "dead")
    options = BuildOptions(generate_wrapper=True)
    with pytest.raises(ImageError, match=r"toy__dead-1: .*junit-jupiter:.*0\.0\.0-none"):
        build_from_tree(
            client, record, from_clone(tmp_path / "dead", base), options=options, log_dir=toy.logs
        )
    with pytest.raises(ImageNotFound):
        client.images.get(record.image)


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    program = shutil.which("docker-registry") or shutil.which("registry")
    if program is None:
        pytest.skip("no registry program on this machine (Debian: docker-registry)")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = tmp_path / "registry.yml"
    config.write_text(
        f"version: 0.1\nstorage:\n  filesystem:\n    rootdirectory: {tmp_path}/data\n"
        f"http:\n  addr: 127.0.0.1:{port}\n"
    )
    with (tmp_path / "registry.log").open("wb") as log:
        process = subprocess.Popen([program, "serve", str(config)], stdout=log, stderr=log)
    try:
        for _ in range(100):
            try:
                requests.get(f"http://127.0.0.1:{port}/v2/", timeout=1).close()
                break
            except requests.ConnectionError:
                time.sleep(0.1)
        yield f"127.0.0.1:{port}", process
    finally:
        process.terminate()
        process.wait(timeout=30)


def test_image_goes_to_a_registry_and_comes_back_by_digest(
    client: docker.DockerClient, toy: _Toy, registry: tuple[str, subprocess.Popen[bytes]]
) -> None:
    """field.md row 29: an image that is present costs no pull, so the registry may be gone."""
    place, process = registry
    remote = f"{place}/{toy.record.image}"
    try:
        digest = push_image(client, toy.record, registry=place)
        assert digest.startswith("sha256:")
        client.images.remove(remote, force=True)
        client.images.remove(toy.record.image, force=True)
        with pytest.raises(ImageError, match="is not on this machine"):
            ensure_image(client, toy.record)
        record = dataclasses.replace(toy.record, image_digest=digest)
        facts = pull_image(client, record, registry=place)
        assert facts.image_id == toy.facts.image_id
        assert facts.digest == digest
        process.terminate()
        process.wait(timeout=30)
        assert pull_image(client, record, registry=place) == facts
        other = dataclasses.replace(record, image_digest="sha256:" + "0" * 64)
        with pytest.raises(ImageError, match="the record names sha256:0000"):
            ensure_image(client, other)
    finally:
        if not client.images.list(toy.record.image):
            client.images.get(remote).tag("jeto-bench-test/toy", "0")


def test_leftover_container_is_found_by_label_and_removed(
    client: docker.DockerClient, toy: _Toy
) -> None:
    """field.md row 37: leftovers of an interrupted build are found by label."""
    labels = {"org.jeto-bench.run": "left-by-a-test", "org.jeto-bench.expires": "1"}
    container = client.containers.run(
        toy.facts.image_id, ["sleep", "60"], detach=True, labels=labels
    )
    assert clean(client, run_id="left-by-a-test").containers == 1
    assert container.id not in [one.id for one in client.containers.list(all=True)]


def test_images_are_listed_by_label(client: docker.DockerClient, toy: _Toy) -> None:
    mine = [one for one in list_images(client) if one.name == toy.record.image]
    assert [(one.kind, one.instance_id) for one in mine] == [("instance", toy.record.instance_id)]
    assert "base" in {one.kind for one in list_images(client)}


def test_no_engine_at_the_endpoint_is_explained(tmp_path: Path) -> None:
    endpoint = Endpoint(url=f"unix://{tmp_path}/none.sock", source="option")
    with pytest.raises(EngineError, match=r"none\.sock \(from option\) does not answer"):
        connect(endpoint)
