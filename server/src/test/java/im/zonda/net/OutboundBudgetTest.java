package im.zonda.net;

import static im.zonda.net.NetServerTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.home.lifecycle.TestRecords;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stream.client.FakeGate.FakeSession;
import im.zonda.stream.client.StreamFixture;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What may wait for all clients together.
final class OutboundBudgetTest {
  private static final int LIMIT = 4_194_304;
  private static final String BODY = "x".repeat(32_000);

  private static Stanza message(int number) {
    return Message.of(
        Message.Type.CHAT,
        null,
        StreamFixture.ROMEO,
        "m" + number,
        List.of(Element.text(new QName(Namespaces.CLIENT, "body"), BODY)));
  }

  private static Limits limits() {
    Limits roomy = TestRecords.with(Limits.defaults(), "outboundBytes", 64 * LIMIT);
    return TestRecords.with(roomy, "allOutboundBytes", (long) LIMIT);
  }

  /// Sends until `waiting` bytes wait for all; returns the number of stanzas.
  private static int fill(RunningServer server, String resource, long waiting) {
    FakeSession outbound = server.fixture.gate.session(resource);
    int sent = 0;
    while (server.net.stats().bytesWaiting() < waiting && server.net.stats().overflows() == 0) {
      long before = server.net.stats().flushes();
      outbound.send(message(sent++), null);
      await(() -> server.net.stats().flushes() > before);
    }
    return sent;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theConnectionWithTheMostPendingBytesIsClosedAndNoOther(int loops, @TempDir Path folder)
      throws Exception {
    try (RunningServer server =
            new RunningServer(folder, NetServer.Io.AUTO, limits(), true, loops);
        SocketClient innocent = new SocketClient(server.plain);
        SocketClient hog = new SocketClient(server.plain);
        SocketClient other = new SocketClient(server.plain)) {
      innocent.login("innocent");
      hog.login("hog");
      other.login("other");
      int kept = fill(server, "innocent", LIMIT / 4);
      fill(server, "hog", Long.MAX_VALUE);

      await(() -> server.fixture.gate.events.contains("ended romeo@example.org/hog"));
      assertThat(server.net.stats().overflows()).isEqualTo(1);
      await(() -> server.net.stats().bytesWaiting() < LIMIT);
      other.send("<message to='romeo@example.org/other' id='fine'/>").until("id='fine'");
      innocent.until("id='m" + (kept - 1) + "'");
      assertThat(hog.untilClosedInAnyWay()).contains("id='m0'");
    }
  }

  @Test
  void amongManyWithALittleEachSomeAreClosedUntilTheRestFits(@TempDir Path folder)
      throws Exception {
    try (RunningServer server = new RunningServer(folder, NetServer.Io.AUTO, limits(), true, 1)) {
      List<SocketClient> clients = new ArrayList<>();
      try {
        for (int i = 0; i < 12; i++) {
          clients.add(new SocketClient(server.plain).login("c" + i));
          fill(server, "c" + i, (i + 1L) * (LIMIT / 8));
          assertThat(server.net.stats().bytesWaiting()).isLessThan(LIMIT / 4 * 5 + 100_000);
        }
        assertThat(server.net.stats().overflows()).isPositive();
        assertThat(server.fixture.gate.sessions).isNotEmpty();
        await(() -> server.net.stats().bytesWaiting() <= LIMIT);
      } finally {
        for (SocketClient client : clients) {
          client.close();
        }
      }
      await(() -> server.net.stats().connectionsOpen() == 0);
      assertThat(server.net.stats().bytesWaiting()).isZero();
    }
  }

  @Test
  void whoQueuesMuchPaysWhenAllQueuesTogetherHoldTooMuch() {
    OutboundBudget budget = new OutboundBudget(1_000_000);
    budget.queued(1_000_000);
    assertThat(budget.isTooMuch(500_000)).isFalse();
    budget.queued(1);
    assertThat(budget.isTooMuch(500_000)).isTrue();
    assertThat(budget.isTooMuch(60_000)).isFalse();
    budget.queued(-1);
    assertThat(budget.isTooMuch(500_000)).isFalse();
  }
}
