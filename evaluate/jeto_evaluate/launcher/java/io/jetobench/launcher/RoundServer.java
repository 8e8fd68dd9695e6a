package io.jetobench.launcher;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.lifecycle.internal.LifecycleStarter;
import org.apache.maven.model.ConfigurationContainer;
import org.apache.maven.model.Plugin;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * Runs the test phase of a tree that is compiled already, once per command.
 *
 * <p>Compiling and every check are done once, when the arm is built. In a round only Surefire runs,
 * and those plugins that set properties which Surefire's configuration may refer to. The phases that
 * are left out are marked as done, so that sibling modules resolve to their {@code target/classes}
 * as they do in {@code mvn test}: same class path, same JVM arguments.
 *
 * <p>The conversation goes over two named pipes in the run directory. A line on {@code command} is
 * a directory for the reports and a file with one class name per line, separated by a blank; the
 * answer on {@code done} is 0 or 1, as Maven's exit status.
 */
final class RoundServer {
  private static final String SUREFIRE = "maven-surefire-plugin";
  private static final String COVERAGE = "jacoco-maven-plugin";
  private static final Set<String> KEPT =
      new HashSet<>(
          Arrays.asList(
              SUREFIRE,
              "maven-dependency-plugin",
              "build-helper-maven-plugin",
              "properties-maven-plugin",
              "maven-toolchains-plugin"));
  private static final List<String> DONE =
      Arrays.asList(
          "generate-sources",
          "process-sources",
          "generate-resources",
          "process-resources",
          "compile",
          "process-classes",
          "generate-test-sources",
          "process-test-sources",
          "generate-test-resources",
          "process-test-resources",
          "test-compile",
          "process-test-classes");

  private final File run;
  private final MavenSession session;
  private final LifecycleStarter lifecycle;

  RoundServer(File run, MavenSession session, LifecycleStarter lifecycle) {
    this.run = run;
    this.session = session;
    this.lifecycle = lifecycle;
  }

  /** Serves rounds until the command is {@code quit}. */
  void serve() throws IOException {
    for (MavenProject project : session.getProjects()) {
      DONE.forEach(project::addLifecyclePhase);
      project.getProperties().putIfAbsent("argLine", "");
      for (Plugin plugin : project.getBuild().getPlugins()) {
        if (plugin.getArtifactId().equals(COVERAGE)) {
          emptyAgentProperty(project, plugin);
          plugin.getExecutions().forEach(execution -> emptyAgentProperty(project, execution));
        }
        if (!KEPT.contains(plugin.getArtifactId())) {
          plugin.getExecutions().forEach(execution -> execution.setPhase("none"));
        }
      }
    }
    while (true) {
      String command = readCommand();
      if (command == null) {
        continue;
      }
      if (command.equals("quit")) {
        return;
      }
      String[] words = command.split(" ");
      boolean passed = round(new File(words[0]), new File(words[1]));
      try (OutputStream out = new FileOutputStream(new File(run, "done"))) {
        out.write((passed ? "0\n" : "1\n").getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  /**
   * The coverage agent does not run, whatever the POM says against {@code jacoco.skip}. It would
   * have set this property; without it the JVM would get the reference itself as an argument.
   */
  private static void emptyAgentProperty(MavenProject project, ConfigurationContainer coverage) {
    Xpp3Dom dom = (Xpp3Dom) coverage.getConfiguration();
    if (dom != null && dom.getChild("propertyName") != null) {
      project.getProperties().putIfAbsent(dom.getChild("propertyName").getValue(), "");
    }
  }

  private boolean round(File reports, File classes) throws IOException {
    List<String> names = Files.readAllLines(classes.toPath(), StandardCharsets.UTF_8);
    SurefireSettings settings = new SurefireSettings(session, names, reports);
    for (MavenProject project : session.getProjects()) {
      for (Plugin plugin : project.getBuild().getPlugins()) {
        if (plugin.getArtifactId().equals(SUREFIRE)) {
          settings.apply(project, plugin);
        }
      }
    }
    lifecycle.execute(session);
    boolean passed = !session.getResult().hasExceptions();
    if (!passed) {
      for (Throwable problem : session.getResult().getExceptions()) {
        problem.printStackTrace();
      }
      session.getResult().getExceptions().clear();
    }
    return passed;
  }

  private String readCommand() throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new FileInputStream(new File(run, "command")), StandardCharsets.UTF_8))) {
      return in.readLine();
    }
  }
}
