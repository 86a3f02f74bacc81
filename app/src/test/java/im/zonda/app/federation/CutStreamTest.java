package im.zonda.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.federation.TwoServers.Mode;
import im.zonda.dns.ServerAddresses.Found;
import im.zonda.dns.Target;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.relay.RelayedConnection;
import im.zonda.testkit.relay.Tap;
import im.zonda.testkit.relay.TcpRelay;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The connection between two servers is cut while messages go both ways (XEP-0198, section 5).
@Timeout(120)
final class CutStreamTest {
  private static final int MESSAGES = 400;

  /// A multiple of five, like [#MESSAGES].
  private static final int MOST = 4_000;

  @TempDir private static Path folder = Path.of("");

  @BeforeAll
  static void makeCertificates() {
    TwoServers.makeCertificates(folder);
  }

  enum Cut {
    /// Both servers learn it.
    BOTH_SIDES,
    /// The server that has opened the stream learns it, the other one does not.
    ONE_SIDE
  }

  /// Cuts each connection after some chunks, until it has cut often enough.
  private static final class Scissors implements Tap {
    private static final int CHUNKS = 45;
    private static final int CUTS = 6;

    private final Cut kind;
    private final Map<RelayedConnection, AtomicInteger> chunks = new ConcurrentHashMap<>();
    private final AtomicInteger cuts = new AtomicInteger();

    private Scissors(Cut kind) {
      this.kind = kind;
    }

    private boolean isUnfinished() {
      return cuts.get() < CUTS;
    }

    @Override
    public void forwarding(RelayedConnection connection, boolean up, byte[] bytes, int count) {
      AtomicInteger seen = chunks.computeIfAbsent(connection, key -> new AtomicInteger());
      if (seen.incrementAndGet() == CHUNKS && cuts.get() < CUTS) {
        cuts.incrementAndGet();
        if (kind == Cut.BOTH_SIDES) {
          connection.cut();
        } else {
          connection.cutClientSide();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void messagesArriveOnceAndInOrder(Cut kind) throws Exception {
    try (TwoServers servers = TwoServers.start(Mode.STARTTLS, folder, UnaryOperator.identity())) {
      Scissors scissors = new Scissors(kind);
      try (TcpRelay relay = new TcpRelay(() -> servers.b().serverAddress(false), scissors)) {
        servers.addresses().answer(TwoServers.B, through(relay));
        exchange(servers.romeo(), servers.juliet(), scissors);
      }
      assertThat(scissors.cuts).hasValue(Scissors.CUTS);
    }
  }

  private static Found through(TcpRelay relay) {
    Target target =
        new Target(
            "localhost",
            List.of(relay.address().getAddress()),
            relay.address().getPort(),
            false,
            List.of());
    return new Found.Targets(List.of(target), false);
  }

  /// How many chunks the messages become depends on the load: goes on until all cuts are made.
  private static void exchange(ScriptedClient romeo, ScriptedClient juliet, Scissors scissors)
      throws IOException {
    romeo.send("<presence/>");
    juliet.send("<presence/>");
    chat(romeo, "juliet@b.example/balcony", "first");
    assertThat(body(juliet)).isEqualTo("first");
    List<String> expected = new ArrayList<>();
    List<String> heardByJuliet = new ArrayList<>();
    List<String> heardByRomeo = new ArrayList<>();
    for (int i = 0; i % 5 != 0 || i < MESSAGES || (i < MOST && scissors.isUnfinished()); i++) {
      expected.add("m" + i);
      chat(romeo, "juliet@b.example/balcony", "m" + i);
      chat(juliet, "romeo@a.example/orchard", "m" + i);
      if (i % 5 == 4) {
        // Not all at once: the connection is cut with messages under way and without.
        for (int j = 0; j < 5; j++) {
          heardByJuliet.add(body(juliet));
          heardByRomeo.add(body(romeo));
        }
      }
    }
    assertThat(heardByJuliet).isEqualTo(expected);
    assertThat(heardByRomeo).isEqualTo(expected);
    chat(romeo, "juliet@b.example/balcony", "last");
    chat(juliet, "romeo@a.example/orchard", "last");
    assertThat(body(juliet)).isEqualTo("last");
    assertThat(body(romeo)).isEqualTo("last");
  }

  private static void chat(ScriptedClient from, String to, String body) {
    from.send(
        "<message type='chat' id='%s' to='%s'><body>%s</body></message>".formatted(body, to, body));
  }

  private static String body(ScriptedClient client) {
    XmlElement message = client.receiveFirst(each -> each.is("jabber:client", "message"));
    assertThat(message.attribute("type")).isEqualTo("chat");
    return String.valueOf(message.childText("body"));
  }
}
