package im.zonda.bench.scenario;

import im.zonda.bench.load.Scenario;
import im.zonda.bench.scenario.burst.BurstScenario;
import im.zonda.bench.scenario.chat.ChatScenario;
import im.zonda.bench.scenario.cluster.ClusterScenario;
import im.zonda.bench.scenario.login.LoginScenario;
import im.zonda.bench.scenario.office.OfficeScenario;
import im.zonda.bench.scenario.pubsub.PubsubScenario;
import im.zonda.bench.scenario.replay.ReplayScenario;
import im.zonda.bench.scenario.rooms.RoomsScenario;
import im.zonda.bench.scenario.s2s.ServerToServerScenario;
import im.zonda.bench.scenario.sessions.SessionsScenario;
import im.zonda.bench.scenario.story.StoryScenario;
import im.zonda.bench.scenario.transports.TransportsScenario;
import im.zonda.bench.scenario.upload.UploadScenario;
import java.util.List;

/// All scenarios, in the order of the help.
public final class Scenarios {
  /// One of each kind.
  public static final List<Scenario> ALL =
      List.of(
          new BurstScenario(),
          new LoginScenario(),
          new ChatScenario(),
          new RoomsScenario(),
          new ReplayScenario(),
          new OfficeScenario(),
          new SessionsScenario(),
          new StoryScenario(),
          new ClusterScenario(),
          new PubsubScenario(),
          new UploadScenario(),
          new TransportsScenario(),
          new ServerToServerScenario());

  private Scenarios() {}

  /// The scenario with that name.
  ///
  /// @throws IllegalArgumentException if there is none
  public static Scenario of(String name) {
    return ALL.stream()
        .filter(scenario -> scenario.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no scenario " + name));
  }
}
