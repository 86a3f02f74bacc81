package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.config.limits.ConnectionLimits;
import im.zonda.config.limits.Limits;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stream.Stream;
import im.zonda.stream.client.FakeGate.FakeSession;
import im.zonda.stream.client.StreamFixture;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/// Connections over real sockets.
final class NetServerTest {
  static final String STARTTLS = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>";

  /// Waits until something holds that another thread brings about.
  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  /// Limits with that time for a negotiation.
  static Limits withNegotiation(int millis) {
    return limits(Duration.ofMillis(millis), 0, Limits.defaults().outboundBytes());
  }

  private static Limits limits(Duration negotiation, int perAddress, int outboundBytes) {
    return limits(negotiation, perAddress, outboundBytes, ConnectionLimits.DEFAULTS);
  }

  private static Limits limits(
      Duration negotiation, int perAddress, int outboundBytes, ConnectionLimits connections) {
    Limits d = Limits.defaults();
    return new Limits(
        d.beforeAuthentication(),
        d.client(),
        negotiation,
        d.unauthenticatedBytes(),
        perAddress,
        connections,
        d.login(),
        d.sessionsPerAccount(),
        d.detachedSessionsPerAccount(),
        d.rosterItems(),
        d.rosterGroups(),
        d.rosterBytes(),
        outboundBytes,
        d.allOutboundBytes(),
        d.inboundBytes(),
        d.presenceBytes(),
        d.resumeTime(),
        d.unacknowledgedStanzas(),
        d.unacknowledgedBytes(),
        d.allUnacknowledgedBytes(),
        d.mailboxTasks(),
        d.homes(),
        d.domainRequests(),
        d.logQueueBytes(),
        d.cacheBytes(),
        d.offlineMessages(),
        d.roomHistoryBytes(),
        d.allRoomHistoryBytes(),
        d.allRoomStateBytes(),
        d.idleTime(),
        d.pingTime(),
        d.vcardBytes(),
        d.privateBytes(),
        d.directedPresences(),
        d.blockedAddresses(),
        d.blockedBytes(),
        d.pushServices(),
        d.pushBytes(),
        d.pushRate(),
        d.invitations(),
        d.saslFailures(),
        d.tokenTime(),
        d.clients(),
        d.pubsub(),
        d.addressing(),
        d.proxy(),
        d.http());
  }

  private static Stanza message(String id, String body) {
    return Message.of(
        Message.Type.CHAT,
        null,
        StreamFixture.ROMEO,
        id,
        List.of(Element.text(new QName(Namespaces.CLIENT, "body"), body)));
  }

  @ParameterizedTest
  @EnumSource
  void loginAndStanzasInTheClear(NetServer.Io io, @TempDir Path folder) throws IOException {
    try (RunningServer server = new RunningServer(folder, io, Limits.defaults(), true);
        SocketClient a = new SocketClient(server.plain);
        SocketClient b = new SocketClient(server.plain)) {
      a.login("a");
      b.login("b");

      a.send("<message to='romeo@example.org/b'><body>hi</body></message>");

      assertThat(b.until("</message>"))
          .contains("from='romeo@example.org/a'")
          .contains("<body>hi</body>");
      assertThat(server.net.stats().stanzasIn()).isEqualTo(1);
      assertThat(server.net.stats().connectionsOpen()).isEqualTo(2);
    }
  }

  @Test
  void aServerThatDrainsAcceptsNoOneAndEndsResumableStreamsFirst(@TempDir Path folder)
      throws IOException {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient a = new SocketClient(server.plain);
        SocketClient b = new SocketClient(server.plain)) {
      a.login("a");
      b.login("b");
      b.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
      assertThat(b.until("<enabled")).contains("<enabled");

      server.net.stopAccepting();
      assertThatThrownBy(() -> new SocketClient(server.plain)).isInstanceOf(IOException.class);
      assertThat(server.net.endClients(5, Stream::isResumable)).isEqualTo(1);
      assertThat(b.untilClosed()).doesNotContain("system-shutdown").doesNotContain("</stream");
      assertThat(server.net.endClients(5, Stream::isResumable)).isZero();
      a.send("<message to='romeo@example.org/a'><body>on</body></message>");
      assertThat(a.until("</message>")).contains("<body>on</body>");

      assertThat(server.net.endClients(5, stream -> true)).isEqualTo(1);
      assertThat(a.untilClosed()).contains("system-shutdown");
      server.net.acceptAgain();
      try (SocketClient c = new SocketClient(server.plain)) {
        c.login("c");
      }
    }
  }

  @Test
  void startTlsThenLogin(@TempDir Path folder) throws IOException {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient a = new SocketClient(server.plain)) {
      a.send(SocketClient.HEADER).until("</stream:features>");
      a.send(STARTTLS).until("<proceed");
      a.until(">");
      a.startTls("TLSv1.3");
      a.login("a");

      a.send("<message to='romeo@example.org/a'><body>hi</body></message>");

      assertThat(a.until("</message>")).contains("<body>hi</body>");
    }
  }

  @Test
  void theClosingTagAndTheEndOfTheConnection(@TempDir Path folder) throws IOException {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient a = new SocketClient(server.plain)) {
      a.login("a");

      a.send("</stream:stream>");

      assertThat(a.untilClosed()).isEqualTo("</stream:stream>");
      a.disconnect();
      await(() -> server.net.stats().connectionsOpen() == 0);
      assertThat(server.fixture.gate.events).endsWith("ended romeo@example.org/a");
    }
  }

  @Test
  void anErrorReachesAClientThatIsStillSending(@TempDir Path folder) throws IOException {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient a = new SocketClient(server.plain)) {
      a.login("a");

      a.send("<letter/>" + "<message><body>" + "x".repeat(100_000) + "</body></message>");

      assertThat(a.untilClosed()).contains("<unsupported-stanza-type ");
      assertThat(server.fixture.gate.received).isEmpty();
    }
  }

  @Test
  void aPeerThatDoesNotCloseIsCut(@TempDir Path folder) throws IOException {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient a = new SocketClient(server.plain)) {
      a.send("nonsense").untilClosed();

      await(() -> server.net.stats().connectionsOpen() == 0);
    }
  }

  @Test
  void manyThreadsSendAndEachKeepsItsOrder(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient a = new SocketClient(server.plain)) {
      a.login("a");
      FakeSession outbound = server.fixture.gate.session("a");
      int threads = 4;
      int each = 2_000;
      AtomicInteger left = new AtomicInteger();
      for (int t = 0; t < threads; t++) {
        String prefix = t + "-";
        Thread.ofVirtual()
            .start(() -> {
              for (int i = 0; i < each; i++) {
                outbound.send(message(prefix + i, "x"), left::incrementAndGet);
              }
            });
      }

      int[] next = new int[threads];
      for (int i = 0; i < threads * each; i++) {
        String message = a.until("</message>");
        String id = message.replaceAll("(?s).*id='([^']*)'.*", "$1");
        int thread = Integer.parseInt(id.substring(0, id.indexOf('-')));
        assertThat(Integer.parseInt(id.substring(id.indexOf('-') + 1))).isEqualTo(next[thread]++);
      }
      await(() -> left.get() == threads * each);
      NetStats stats = server.net.stats();
      assertThat(stats.flushes()).as("stanzas go out together").isLessThan(threads * each / 2);
    }
  }

  @Test
  void whatTheLoopSendsComesAfterWhatOthersSentBefore(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient a = new SocketClient(server.plain)) {
      a.login("a");
      FakeSession outbound = server.fixture.gate.session("a");
      server.fixture.gate.onReceived =
          stanza -> {
            // The loop is here, so that it cannot yet have taken what the other thread sends.
            Thread other =
                Thread.ofVirtual().start(() -> outbound.send(message("first", "x"), null));
            try {
              other.join();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            outbound.send(message("second", "x"), null);
          };

      a.send("<message to='juliet@example.org'/>");

      assertThat(a.until("</message>")).contains("id='first'");
      assertThat(a.until("</message>")).contains("id='second'");
    }
  }

  @Test
  void row31_aReaderThatDoesNotReadIsClosedAndLosesNothingInSilence(@TempDir Path folder)
      throws Exception {
    Limits limits = limits(Duration.ofSeconds(30), 0, 65_536);
    try (RunningServer server = new RunningServer(folder, NetServer.Io.AUTO, limits, true);
        SocketClient slow = new SocketClient(server.plain);
        SocketClient other = new SocketClient(server.plain)) {
      slow.login("slow");
      other.login("other");
      FakeSession outbound = server.fixture.gate.session("slow");
      List<Integer> left = java.util.Collections.synchronizedList(new ArrayList<>());
      String body = "x".repeat(8_000);
      int sent = 0;
      while (server.fixture.gate.sessions.size() == 2 && sent < 100_000) {
        int number = sent++;
        outbound.send(message("m" + number, body), () -> left.add(number));
      }

      // The event loop closes it; on a busy machine all has been sent by then.
      await(() -> server.fixture.gate.sessions.size() == 1);
      assertThat(server.net.stats().overflows()).isEqualTo(1);
      await(() -> server.net.stats().connectionsOpen() == 1);
      // Those that left are the first ones, without a gap.
      for (int i = 0; i < left.size(); i++) {
        assertThat(left.get(i)).isEqualTo(i);
      }
      assertThat(left.size()).isLessThan(sent);
      other.send("<message to='romeo@example.org/other'><body>hi</body></message>");
      assertThat(other.until("</message>")).contains("hi");
    }
  }

  @Test
  void row30_connectionsOfOneAddressAreCounted(@TempDir Path folder) throws IOException {
    Limits limits = limits(Duration.ofSeconds(30), 2, 65_536);
    try (RunningServer server = new RunningServer(folder, NetServer.Io.AUTO, limits, true)) {
      try (SocketClient a = new SocketClient(server.plain);
          SocketClient b = new SocketClient(server.plain);
          SocketClient c = new SocketClient(server.plain)) {
        a.send(SocketClient.HEADER).until("</stream:features>");
        b.send(SocketClient.HEADER).until("</stream:features>");

        assertThat(c.untilClosedInAnyWay()).isEmpty();
        await(() -> server.net.stats().connectionsRefused() == 1);
      }
      await(() -> server.net.stats().connectionsOpen() == 0);
      try (SocketClient d = new SocketClient(server.plain)) {
        d.send(SocketClient.HEADER).until("</stream:features>");
      }
    }
  }

  @Test
  void row29_silentConnectionsOfOneAddressShutNobodyOut(@TempDir Path folder) throws Exception {
    ConnectionLimits few = new ConnectionLimits(100, 100, 16);
    Limits limits = limits(Duration.ofSeconds(30), 0, 65_536, few);
    List<SocketClient> silent = new ArrayList<>();
    try (RunningServer server = new RunningServer(folder, NetServer.Io.AUTO, limits, true)) {
      for (int i = 0; i < 20; i++) {
        silent.add(new SocketClient(server.plain, "127.0.0.2"));
      }
      await(() -> server.net.stats().connectionsRefused() == 4);
      assertThat(silent.get(16).untilClosedInAnyWay()).isEmpty();

      try (SocketClient a = new SocketClient(server.plain, "127.0.0.3")) {
        a.login("a");
        assertThat(silent.get(15).untilClosedInAnyWay()).as("paid for it").isEmpty();
        try (SocketClient b = new SocketClient(server.plain, "127.0.0.3")) {
          b.login("b");
        }
        assertThat(server.net.stats().connectionsRefused())
            .as("who has logged in does not count")
            .isEqualTo(5);
        silent.getFirst().send(SocketClient.HEADER).until("</stream:features>");
      }
    } finally {
      for (SocketClient each : silent) {
        each.close();
      }
    }
  }

  @Test
  void row29_silenceIsCutAtTheDeadline(@TempDir Path folder) throws IOException {
    try (RunningServer server =
            new RunningServer(folder, NetServer.Io.AUTO, withNegotiation(200), true);
        SocketClient a = new SocketClient(server.plain)) {
      assertThat(a.untilClosed()).contains("<connection-timeout ");
    }
  }

  @Test
  void stoppingTellsEveryClient(@TempDir Path folder) throws IOException {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient a = new SocketClient(server.plain);
        SocketClient b = new SocketClient(server.plain)) {
      a.login("a");
      b.send(SocketClient.HEADER).until("</stream:features>");
      FakeSession outbound = server.fixture.gate.session("a");
      outbound.send(message("last", "words"), null);

      server.stop();

      assertThat(a.untilClosed()).contains("id='last'").contains("<system-shutdown ");
      assertThat(b.untilClosed()).contains("<system-shutdown ");
      assertThat(server.fixture.gate.events).endsWith("ended romeo@example.org/a");
      // Late calls do no harm.
      outbound.send(message("late", "x"), null);
      outbound.pauseReading();
    }
  }

  @Test
  void aPortThatIsTakenIsSaid(@TempDir Path folder) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      PemFiles files =
          SelfSigned.ensure(
              folder, List.of("example.org"), InstantSource.system(), new SecureRandom());
      NetServer net =
          new NetServer(
              new NetServer.Settings(
                  List.of(
                      Listener.parse(Listener.Kind.STARTTLS, "127.0.0.1:" + taken.getLocalPort())),
                  1,
                  NetServer.Io.AUTO),
              new Certificates(new CertificateFiles(List.of(files)), InstantSource.system()),
              new StreamFixture().context(Limits.defaults(), false, Runnable::run),
              Runnable::run);

      assertThatThrownBy(net::start)
          .isInstanceOf(IOException.class)
          .hasMessage(
              "cannot listen on 127.0.0.1:"
                  + taken.getLocalPort()
                  + " (c2s.listen): the address is in use by another program");
    }
  }

  @Test
  void noBufferIsLost(@TempDir Path folder) throws Exception {
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
    Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    ListAppender<ILoggingEvent> leaks = new ListAppender<>();
    leaks.start();
    logger.addAppender(leaks);
    try (RunningServer server = RunningServer.start(folder)) {
      for (int round = 0; round < 20; round++) {
        try (SocketClient a = new SocketClient(round % 2 == 0 ? server.tls : server.plain)) {
          if (round % 2 == 0) {
            a.startTls("TLSv1.3");
          }
          a.login("a");
          FakeSession outbound = server.fixture.gate.session("a");
          CountDownLatch first = new CountDownLatch(1);
          for (int i = 0; i < 500; i++) {
            outbound.send(message("m" + i, "x".repeat(2_000)), first::countDown);
          }
          first.await(5, TimeUnit.SECONDS);
          // Closed in the middle of it.
        }
        System.gc();
      }
      await(() -> server.net.stats().connectionsOpen() == 0);
      System.gc();
      try (SocketClient a = new SocketClient(server.plain)) {
        a.login("a");
      }
    } finally {
      logger.detachAppender(leaks);
    }
    assertThat(leaks.list).isEmpty();
  }
}
