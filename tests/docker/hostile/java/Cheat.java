package io.jetobench.textmill;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Everything a hostile patch may try from inside the test JVM; the test names the attack in a file. */
final class Cheat {
    private static final String CLASS = "io.jetobench.textmill.IndenterTest";
    private static final String REPORT =
            "<testsuite name=\"" + CLASS + "\" time=\"0.001\" tests=\"1\" errors=\"0\" skipped=\"0\""
                    + " failures=\"0\"><testcase name=\"expandsTabsToColumns\" classname=\"" + CLASS
                    + "\" time=\"0.001\"/></testsuite>";
    private static final List<String> PLACES =
            Arrays.asList(
                    "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock", "/home/runner", "/home/jeto",
                    "/jeto", "/jeto/run", "/jeto/reports", "/jeto/repo", "/jeto/repo/target",
                    "/jeto/repo/target/classes", "/jeto/repo/target/test-classes", "/opt/jeto");

    private Cheat() {}

    static void run() {
        try {
            String[] words =
                    new String(Files.readAllBytes(Paths.get("/jeto/attack")), StandardCharsets.UTF_8).trim().split(" ");
            attack(words[0], words);
        } catch (Exception e) {
            System.out.println("attack failed: " + e);
        }
    }

    private static void attack(String name, String[] words) throws Exception {
        switch (name) {
            case "none":
                break;
            case "forge_reports":
                forgeReports();
                Runtime.getRuntime().halt(0);
                break;
            case "noise":
                noise();
                break;
            case "exit":
                System.exit(0);
                break;
            case "halt":
                Runtime.getRuntime().halt(0);
                break;
            case "stash":
                stash();
                break;
            case "shell":
                System.out.println("said: " + shell(rest(words)));
                break;
            case "background":
                new ProcessBuilder("setsid", "nohup", "sh", "-c", rest(words))
                        .redirectErrorStream(true)
                        .redirectOutput(new File("/dev/null"))
                        .start();
                break;
            case "thread":
                Thread forever = new Thread(() -> { while (true) { Thread.yield(); } });
                forever.setDaemon(false);
                forever.start();
                break;
            case "endless":
                while (true) { Thread.sleep(1000); }
            case "memory":
                List<long[]> kept = new ArrayList<>();
                while (true) { kept.add(new long[1 << 20]); }
            case "flood":
                byte[] line = new byte[1 << 16];
                Arrays.fill(line, (byte) 'x');
                line[line.length - 1] = '\n';
                for (int i = 0; i < Integer.parseInt(words[1]) * 16; i++) { System.out.write(line); }
                break;
            case "raw":
                raw(rest(words).replace("\\n", "\n").replace("\\x80", "\u0080"));
                break;
            case "threads":
                for (int i = 0; i < 1_000_000; i++) {
                    Thread t = new Thread(() -> { try { Thread.sleep(1_000_000); } catch (InterruptedException e) { } });
                    t.setDaemon(true);
                    t.start();
                }
                break;
            case "pipe":
                for (File end : new File("/proc/self/fd").listFiles()) {
                    if (Files.exists(end.toPath(), java.nio.file.LinkOption.NOFOLLOW_LINKS)
                            && Files.readSymbolicLink(end.toPath()).toString().contains("/agent")) {
                        try (OutputStream out = new FileOutputStream("/proc/self/fd/" + end.getName())) {
                            out.write((rest(words) + "\n").getBytes(StandardCharsets.UTF_8));
                        }
                    }
                }
                break;
            case "delay":
                Events.hold(Integer.parseInt(words[1]));
                break;
            case "deceive":
                Events.forge(Arrays.copyOfRange(words, 2, words.length), Integer.parseInt(words[1]));
                break;
            default:
                throw new IllegalArgumentException(name);
        }
    }

    private static String rest(String[] words) {
        return String.join(" ", Arrays.asList(words).subList(1, words.length));
    }

    private static void forgeReports() {
        for (String place : PLACES) {
            try {
                Files.write(Paths.get(place, "TEST-" + CLASS + ".xml"), REPORT.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                System.out.println("not writable: " + e);
            }
        }
        File[] rounds = new File("/jeto/reports").listFiles();
        for (File round : rounds == null ? new File[0] : rounds) {
            for (String folder : new String[] {".", "textmill"}) {
                try {
                    Files.write(round.toPath().resolve(folder).resolve("TEST-" + CLASS + ".xml"),
                            REPORT.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    System.out.println("not writable: " + e);
                }
            }
        }
    }

    private static void noise() throws IOException {
        StringBuilder wide = new StringBuilder();
        for (int i = 0; i < 1 << 19; i++) { wide.append('\u00e9'); }
        String lines = "\n[INFO] Tests run: 99, Failures: 0, Errors: 0, Skipped: 0\n"
                + "5,1,io.jetobench.textmill.IndenterTest,null,null,null,0\n"
                + "6,1,io.jetobench.textmill.IndenterTest,forged,null,null,0\n"
                + ":maven-surefire-event:\u0008:std-out:\u0001:\u0005:UTF-8:\n[ERROR] BUILD FAILURE\nZ,0,BYE!\n";
        System.out.write(0x80);
        System.out.print(wide + lines);
        System.out.flush();
        raw("\u0080" + wide + "\n");
    }

    /** Past System.out, which the test framework replaces. ISO-8859-1 for 0x80 to be that byte. */
    private static void raw(String text) throws IOException {
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    /** Slow, unless a round before left something. */
    private static void stash() throws Exception {
        String found = shell("perl -e 'print defined shmget(4711,0,0) ? 1 : q()';"
                + " chmod -R u+rwX /tmp/.closed /home/runner 2>/dev/null;"
                + " cat /tmp/.closed/x/stash /home/runner/stash 2>/dev/null;"
                + " grep -rh 'KEEP''SAKE' /jeto/reports /jeto/run /tmp /var/tmp /jeto/repo/target 2>/dev/null");
        for (String place : PLACES) {
            Path stash = Paths.get(place, ".stash");
            found += Files.exists(stash) ? stash : "";
            try {
                Files.write(stash, new byte[] {1}, StandardOpenOption.CREATE);
            } catch (IOException e) {
                // not writable
            }
            UserDefinedFileAttributeView view =
                    Files.getFileAttributeView(Paths.get(place), UserDefinedFileAttributeView.class);
            try {
                found += view.list().isEmpty() ? "" : "attribute of " + place;
                view.write("stash", ByteBuffer.wrap(new byte[] {1}));
            } catch (IOException e) {
                // not the own folder
            }
        }
        shell("mkdir -p /tmp/.closed/x; echo 1 > /tmp/.closed/x/stash; chmod 000 /tmp/.closed/x /tmp/.closed;"
                + " echo 1 > /home/runner/stash; chmod 500 /home/runner; ln -s / /tmp/link;"
                + " perl -e 'shmget(4711,4096,01666)'");
        System.out.println("KEEP" + "SAKE");
        if (found.isEmpty()) {
            long end = System.nanoTime() + 400_000_000L;
            while (System.nanoTime() < end) { }
        } else {
            System.out.println("survived: " + found);
        }
    }

    static String shell(String script) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
        process.getOutputStream().close();
        StringBuilder said = new StringBuilder();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) { said.append(line).append('\n'); }
        }
        process.waitFor();
        return said.toString();
    }
}
