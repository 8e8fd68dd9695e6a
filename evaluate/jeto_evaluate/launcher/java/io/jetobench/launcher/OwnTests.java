package io.jetobench.launcher;

import java.io.File;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.ConfigurationContainer;
import org.apache.maven.model.Plugin;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** Lets only chosen modules run their tests; what they need is built along, without its tests. */
final class OwnTests {
  private static final String SKIP = "skipTests";

  private OwnTests() {}

  /**
   * Skips the tests of every other module of a session.
   *
   * @param chosen folders below the top of the build, separated by commas; {@code .} for the top
   */
  static void only(MavenSession session, String chosen) {
    Set<String> kept = new HashSet<>(Arrays.asList(chosen.split(",")));
    File top = top(session);
    for (MavenProject project : session.getProjects()) {
      String folder = top.toPath().relativize(project.getBasedir().toPath()).toString();
      if (!kept.contains(folder.isEmpty() ? "." : folder)) {
        skip(project);
      }
    }
  }

  private static File top(MavenSession session) {
    // With -pl the first project of the session need not be the one at the top.
    File pom = session.getRequest().getPom();
    return pom == null ? new File(session.getExecutionRootDirectory()) : pom.getParentFile();
  }

  private static void skip(MavenProject project) {
    project.getProperties().setProperty(SKIP, "true");
    for (Plugin plugin : project.getBuild().getPlugins()) {
      if (plugin.getArtifactId().equals("maven-surefire-plugin")) {
        skip(plugin);
        plugin.getExecutions().forEach(OwnTests::skip);
      }
    }
  }

  private static void skip(ConfigurationContainer container) {
    Xpp3Dom dom = (Xpp3Dom) container.getConfiguration();
    if (dom == null) {
      dom = new Xpp3Dom("configuration");
      container.setConfiguration(dom);
    }
    if (dom.getChild(SKIP) == null) {
      dom.addChild(new Xpp3Dom(SKIP));
    }
    dom.getChild(SKIP).setValue("true");
  }
}
