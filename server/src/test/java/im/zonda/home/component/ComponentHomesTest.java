package im.zonda.home.component;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.node.Nodes;
import im.zonda.config.component.Components;
import im.zonda.config.limits.Limits;
import im.zonda.home.Homes;
import im.zonda.home.SteppedWorkers;
import im.zonda.jid.Jid;
import im.zonda.link.ComponentGate;
import im.zonda.module.Envelope;
import im.zonda.route.Routes;
import im.zonda.runtime.TestRuntime;
import im.zonda.stanza.Message;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.client.TestTimers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Routes to the domains of components whose homes work when the test says so. The configuration
/// names no domain, only a pattern.
class ComponentHomesTest {
  private static final Jid DOMAIN = Jid.of("gateway.example.org");

  private final SteppedWorkers workers = new SteppedWorkers();
  private final TestTimers timers = new TestTimers();
  private final Routes routes = new Routes();
  private final ComponentHomes homes = homes();

  private ComponentHomes homes() {
    Components none = Components.DEFAULTS;
    Components settings =
        new Components(
            none.listen(),
            Duration.ofSeconds(1),
            none.queueBytes(),
            1,
            Map.of("*.example.org", "secret"),
            none.privilege(),
            none.delegation());
    return new ComponentHomes(
        settings,
        Limits.defaults(),
        new ComponentHomes.Surroundings(
            routes,
            new TestRuntime().clock(InstantSource.system()).scheduler(timers).build(),
            Nodes.NONE),
        kind -> new Homes<>(kind, new Homes.Setup(Nodes.NONE, workers, 16, 100)));
  }

  private static Message messageTo(Jid to, String id) {
    return Message.of(Message.Type.NORMAL, Jid.of("example.org"), to, id, List.of());
  }

  @Test
  void anAnswerToTheFirstStanzaWaitsForTheHome() {
    RecordingComponent link = new RecordingComponent(DOMAIN);
    homes.report(link, new ComponentGate.Event.Opened());
    routes.route(Envelope.of(messageTo(DOMAIN, "answer")));
    workers.runAll();
    assertThat(link.delivered).containsExactly("answer");
  }

  /// The component is connected to another node of a cluster.
  @Test
  void anAnswerThatComesFromAnotherNodeWaitsForTheHome() {
    RecordingComponent link = new RecordingComponent(DOMAIN);
    homes.handle(link, new ComponentGate.Event.Opened());
    routes.route(Envelope.of(messageTo(DOMAIN, "answer")));
    workers.runAll();
    assertThat(link.delivered).containsExactly("answer");
  }

  @Test
  void aDomainThatIsServedOtherwiseHasNoComponent() {
    List<String> otherwise = new ArrayList<>();
    routes.add(DOMAIN, envelope -> otherwise.add(String.valueOf(envelope.stanza().id())));
    RecordingComponent link = new RecordingComponent(DOMAIN);
    homes.report(link, new ComponentGate.Event.Opened());
    routes.route(Envelope.of(messageTo(DOMAIN, "m")));
    workers.runAll();
    assertThat(link.closed).isEqualTo(StreamErrorCondition.CONFLICT);
    assertThat(otherwise).containsExactly("m");
  }
}
