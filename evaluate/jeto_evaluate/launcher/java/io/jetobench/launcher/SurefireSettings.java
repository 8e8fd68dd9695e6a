package io.jetobench.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * What a measured round sets in Surefire's configuration, also against literal values of a POM.
 *
 * <p>Classes are chosen by {@code includes}, not by {@code -Dtest}: the latter overrides the
 * project's excludes and filters nested classes out in some versions. With no class named, the
 * project's own includes choose.
 */
final class SurefireSettings {
  private static final String[] REMOVED = {
    "parallel", "perCoreThreadCount", "useUnlimitedThreads", "threadCount", "threadCountSuites",
    "threadCountClasses", "threadCountMethods", "forkMode", "test", "includesFile", "skip",
    "skipTests", "skipExec", "reportNameSuffix", "statelessTestsetReporter", "forkNode"
  };
  private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";

  private final String jvm;
  private final List<String> classes;
  private final File reports;
  private final boolean parallelByProperty;

  /**
   * Prepares the settings of one round.
   *
   * @param session names the JVM to fork in {@code jeto.jvm}
   * @param classes fully qualified names of the test classes
   * @param reports a new directory, which also tells Surefire that this is not the run before
   */
  SurefireSettings(MavenSession session, List<String> classes, File reports) {
    this.jvm = session.getUserProperties().getProperty("jeto.jvm");
    this.classes = classes;
    this.reports = reports;
    this.parallelByProperty =
        session.getUserProperties().containsKey(PARALLEL)
            || session.getSystemProperties().containsKey(PARALLEL);
  }

  void apply(MavenProject project, Plugin plugin) {
    plugin.setConfiguration(changed(project, (Xpp3Dom) plugin.getConfiguration()));
    for (PluginExecution execution : plugin.getExecutions()) {
      execution.setConfiguration(changed(project, (Xpp3Dom) execution.getConfiguration()));
    }
  }

  private Xpp3Dom changed(MavenProject project, Xpp3Dom original) {
    Xpp3Dom dom = original == null ? new Xpp3Dom("configuration") : original;
    for (String name : REMOVED) {
      remove(dom, name);
    }
    set(dom, "jvm", jvm);
    set(dom, "forkCount", "1");
    set(dom, "runOrder", "alphabetical");
    set(dom, "failIfNoTests", "false");
    set(dom, "failIfNoSpecifiedTests", "false");
    set(dom, "testFailureIgnore", "false");
    set(dom, "rerunFailingTestsCount", "0");
    set(dom, "skipAfterFailureCount", "0");
    set(dom, "disableXmlReport", "false");
    set(dom, "reportsDirectory", new File(reports, project.getArtifactId()).getPath());
    if (!classes.isEmpty()) {
      choose(dom);
    }
    if (mayRunInParallel(project, dom)) {
      forbidParallel(dom);
    }
    return dom;
  }

  private void choose(Xpp3Dom dom) {
    remove(dom, "includes");
    Xpp3Dom includes = new Xpp3Dom("includes");
    for (String name : classes) {
      Xpp3Dom include = new Xpp3Dom("include");
      include.setValue(name.replace('.', '/') + ".java");
      includes.addChild(include);
    }
    dom.addChild(includes);
  }

  private boolean mayRunInParallel(MavenProject project, Xpp3Dom dom) {
    if (parallelByProperty || dom.toString().contains("junit.jupiter.execution.parallel")) {
      return true;
    }
    File file =
        new File(project.getBuild().getTestOutputDirectory(), "junit-platform.properties");
    try {
      return file.isFile()
          && new String(Files.readAllBytes(file.toPath()), StandardCharsets.ISO_8859_1)
              .contains("parallel");
    } catch (IOException e) {
      return true;
    }
  }

  /** The launcher's configuration parameters win over system properties and the properties file. */
  private static void forbidParallel(Xpp3Dom dom) {
    Xpp3Dom properties = child(dom, "properties");
    Xpp3Dom parameters = child(properties, "configurationParameters");
    StringBuilder kept = new StringBuilder();
    if (parameters.getValue() != null) {
      for (String line : parameters.getValue().split("\\R")) {
        if (!line.trim().startsWith(PARALLEL)) {
          kept.append(line.trim()).append('\n');
        }
      }
    }
    parameters.setValue(kept + PARALLEL + " = false\n");
  }

  private static Xpp3Dom child(Xpp3Dom parent, String name) {
    if (parent.getChild(name) == null) {
      parent.addChild(new Xpp3Dom(name));
    }
    return parent.getChild(name);
  }

  private static void set(Xpp3Dom dom, String name, String value) {
    child(dom, name).setValue(value);
  }

  private static void remove(Xpp3Dom dom, String name) {
    for (int i = dom.getChildCount() - 1; i >= 0; i--) {
      if (dom.getChild(i).getName().equals(name)) {
        dom.removeChild(i);
      }
    }
  }
}
