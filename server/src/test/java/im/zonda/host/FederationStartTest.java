package im.zonda.host;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig;
import im.zonda.home.SteppedWorkers;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.runtime.TestRuntime;
import im.zonda.simulation.SimulatedClock;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.storage.memory.MemoryData;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.stream.server.DialbackKeys;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What waits for other servers over a restart.
final class FederationStartTest {
  private static final byte[] SECRET =
      "the secret of a server in a test".getBytes(StandardCharsets.US_ASCII);

  private final SimulatedClock time = new SimulatedClock();
  private final SteppedWorkers workers = new SteppedWorkers();
  private final MemoryData data = new MemoryData();
  private final List<String> attempts = new ArrayList<>();
  @TempDir private Path folder;

  private XmppServer server() {
    return new XmppServer(
        ServerConfig.defaults(List.of("verona.example"), folder),
        new MemoryStores(data, time),
        new XmppServer.Environment(
            new TestRuntime().clock(time).scheduler(time).workers(workers).build()),
        SECRET,
        List::of);
  }

  private Federation federate(XmppServer server) {
    return server.federate(
        ServerConfig.defaults(List.of("verona.example"), folder),
        new Federation.Parts(
            new MemoryStores(data, time),
            (domain, streams, failed) -> attempts.add(domain),
            new DialbackKeys("s3cr3tf0rd14lb4ck")));
  }

  @Test
  void messagesFromBeforeTheStartAreSentAtOnce() {
    XmppServer before = server();
    federate(before).started();
    before
        .router()
        .routes()
        .route(
            new Envelope(
                Message.of(
                    Message.Type.CHAT,
                    Jid.of("romeo@verona.example/orchard"),
                    Jid.of("juliet@mantua.example"),
                    "m",
                    List.of(Element.builder(Namespaces.CLIENT, "body").text("hi").build())),
                Origin.NONE,
                null));
    workers.runAll();
    assertThat(attempts).containsExactly("mantua.example");

    time.clear();
    Federation restarted = federate(server());
    time.advance(Duration.ofMinutes(1));
    workers.runAll();
    assertThat(attempts).as("there is no network yet").hasSize(1);
    restarted.started();
    time.advance(Duration.ZERO);
    workers.runAll();
    assertThat(attempts).hasSize(2);
  }
}
