package io.jetobench.launcher;

import java.io.File;
import java.util.Properties;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.MavenExecutionException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.lifecycle.internal.LifecycleStarter;
import org.codehaus.plexus.PlexusContainer;

/**
 * Turns one {@code mvn test} into a server of rounds, so that a round does not pay for starting
 * Maven, reading the projects and loading plugins.
 *
 * <p>When Maven has read the projects and would run the lifecycle, it is run once for every round
 * that the harness asks for instead. Tests never run in this JVM: {@link SurefireSettings} makes
 * Surefire fork.
 *
 * <p>Without {@code jeto.run} the lifecycle runs as ever; {@code jeto.modules} names the modules
 * whose tests it runs.
 */
public final class MeasuredLifecycle extends AbstractMavenLifecycleParticipant {
  private LifecycleStarter lifecycle;
  private PlexusContainer container;

  @Override
  public void afterProjectsRead(MavenSession session) throws MavenExecutionException {
    Properties user = session.getUserProperties();
    String run = user.getProperty("jeto.run");
    if (run == null) {
      if (user.getProperty("jeto.modules") != null) {
        OwnTests.only(session, user.getProperty("jeto.modules"));
      }
      return;
    }
    // Maven calls a participant with the participant's class loader in place of its own. Beside an
    // extension of the project's (.mvn/extensions.xml) Maven's own components are not seen from it.
    Thread.currentThread().setContextClassLoader(container.getContainerRealm());
    try {
      new RoundServer(new File(run), session, lifecycle).serve();
    } catch (Exception e) {
      throw new MavenExecutionException("the round server failed", e);
    }
    // Nothing may follow: the lifecycle as Maven would run it now is not a round.
    Runtime.getRuntime().halt(0);
  }
}
