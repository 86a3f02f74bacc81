package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.StreamEvent;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows of the attack table that need limits of their own: time, connections, readers, stores.
@Timeout(60)
@Tag("small-heap")
class LimitAttackTest {
  /// Enough for a login on a machine that is busy.
  private static final Duration NEGOTIATION = Duration.ofSeconds(4);

  /// Sent slowly: many times as long as the time for a negotiation.
  private static final int MOST_BLANKS = 400;

  private LeakWatch leaks;

  @BeforeEach
  void watch() {
    leaks = LeakWatch.open();
  }

  @AfterEach
  void stop() {
    leaks.close();
  }

  @Test
  void row29_slowLoris() throws IOException {
    try (Target target = new Target(Target.plan().with("limits.negotiationTime", NEGOTIATION))) {
      ScriptedClient silent = target.silent();
      ScriptedClient half = target.silent();
      half.offer(Target.utf8(Target.HEADER.substring(0, 30)));
      ScriptedClient opened = target.silent().open("example.org");
      ScriptedClient stranger = target.stranger();
      ScriptedClient tlsHello =
          new ScriptedClient(
              SocketWire.connect(target.server().address(Login.Security.DIRECT_TLS)));
      tlsHello.offer(new byte[] {0x16, 3, 1, 2, 0, 1});
      for (ScriptedClient client : List.of(silent.listen(), half.listen(), opened, stranger)) {
        assertThat(client.next(ScriptedClient.PATIENCE)).isNotNull();
        client.awaitEnd();
        client.close();
      }
      tlsHello.listen().awaitEnd();
      tlsHello.close();
      leaks.assertNone(target::serves);
    }
  }

  @Test
  void row29_bytesDoNotBuyTime() throws IOException {
    try (Target target = new Target(Target.plan().with("limits.negotiationTime", NEGOTIATION))) {
      ScriptedClient client = target.silent().listen();
      boolean ended = false;
      int sent = 0;
      while (!ended && sent < MOST_BLANKS && client.offer(Target.utf8(" "))) {
        sent++;
        ended = hears(client, Duration.ofMillis(100));
      }
      assertThat(sent).as("bytes that were accepted").isLessThan(MOST_BLANKS);
      client.awaitEnd();
      target.serves();
    }
  }

  @Test
  void row30_connectionFlood() throws IOException {
    try (Target target = new Target(Target.plan().with("limits.connectionsPerAddress", 5))) {
      List<ScriptedClient> open = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        open.add(target.silent().open("example.org"));
      }
      for (int i = 0; i < 50; i++) {
        ScriptedClient further = target.silent().listen();
        further.awaitEnd();
        further.close();
      }
      for (ScriptedClient client : open) {
        client.disconnect();
      }
      leaks.assertNone(target::serves);
    }
  }

  @Test
  void row31_receiverThatNeverReads() throws IOException {
    try (Target target = new Target(Target.plan().with("limits.outboundBytes", 500_000))) {
      GatedWire wire =
          new GatedWire(SocketWire.connect(target.server().address(Login.Security.DIRECT_TLS)));
      wire.startTls("example.org");
      target.server().accounts(List.of("slow@example.org"));
      ScriptedClient slow =
          new ScriptedClient(wire)
              .login(
                  Login.of("slow@example.org/r", TestServer.PASSWORD)
                      .withSecurity(Login.Security.DIRECT_TLS));
      wire.shut();
      try (ScriptedClient sender = target.someone()) {
        String body = "x".repeat(100_000);
        for (int i = 0; i < 300; i++) {
          sender.send(
              "<message to='"
                  + slow.jid()
                  + "' type='headline'><body>"
                  + body
                  + "</body></message>");
        }
        sender.fence("not blocked");
        target.serves();
      }
      wire.reopen();
      StreamEvent event = slow.next(ScriptedClient.PATIENCE);
      int received = 0;
      while (!(event instanceof StreamEvent.Gone)) {
        received++;
        event = slow.next(ScriptedClient.PATIENCE);
      }
      assertThat(received).isLessThan(300);
      slow.close();
      leaks.assertNone(target::serves);
    }
  }

  @Test
  void row79_offlineFlood() throws IOException {
    try (Target target = new Target(Target.plan().with("limits.offlineMessages", 5))) {
      target.server().accounts(List.of("away@example.org"));
      try (ScriptedClient sender = target.someone()) {
        for (int i = 0; i < 6; i++) {
          sender.send(
              "<message to='away@example.org' type='chat' id='m"
                  + i
                  + "'><body>x</body></message>");
        }
        XmlElement refused = sender.receive();
        assertThat(refused.attribute("id")).isEqualTo("m5");
        assertThat(refused.condition()).isIn("resource-constraint", "service-unavailable");
        sender.fence("f");
        assertThat(sender.unread()).isZero();
      }
      try (ScriptedClient away = target.available("away@example.org/r")) {
        for (int i = 0; i < 5; i++) {
          String id = "m" + i;
          away.receiveFirst(e -> id.equals(e.attribute("id")));
        }
      }
    }
  }

  private static String toAway(int id, String type) {
    return "<message to='away@example.org' type='"
        + type
        + "' id='m"
        + id
        + "'><body>x</body><store xmlns='urn:xmpp:hints'/></message>";
  }

  /// Sends messages until one is rejected; returns their number.
  private static int waitUntilFull(ScriptedClient sender, String type) {
    for (int i = 0; i < 20; i++) {
      sender.send(toAway(i, type));
      sender.fence("f" + i, "away@example.org");
      if (sender.unread() > 0) {
        assertThat(sender.receive().condition()).isEqualTo("resource-constraint");
        return i;
      }
    }
    return 20;
  }

  @Test
  void row79_headlinesThatAskToBeStoredCountToo() throws IOException {
    try (Target target = new Target(Target.plan().with("limits.offlineMessages", 5))) {
      target.server().accounts(List.of("away@example.org"));
      try (ScriptedClient sender = target.someone()) {
        assertThat(waitUntilFull(sender, "headline")).isEqualTo(5);
      }
    }
  }

  @Test
  void row79_theLimitHoldsAlsoAfterASession() throws IOException {
    try (Target target = new Target(Target.plan().with("limits.offlineMessages", 5))) {
      target.server().accounts(List.of("away@example.org"));
      try (ScriptedClient sender = target.someone()) {
        for (int i = 0; i < 2; i++) {
          // The home has been loaded, and what its count said before is not known to be true.
          target.available("away@example.org/r").disconnect();
          assertThat(waitUntilFull(sender, "chat")).isEqualTo(5);
          try (ScriptedClient away = target.available("away@example.org/r")) {
            for (int k = 0; k < 5; k++) {
              away.receiveFirst(e -> e.localName().equals("message"));
            }
            away.fence("all");
            away.disconnect();
          }
        }
      }
    }
  }

  @Test
  void row79_theLimitHoldsWhileTheOnlySessionHasNoStream() throws IOException {
    try (Target target = new Target(Target.plan().with("limits.offlineMessages", 5))) {
      ScriptedClient lost = target.available("away@example.org/r");
      lost.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
      lost.receiveFirst(e -> e.localName().equals("enabled"));
      lost.drop();
      try (ScriptedClient sender = target.someone()) {
        // Until the server has seen that the stream is gone, messages go to it.
        assertThat(waitUntilFull(sender, "chat")).isBetween(5, 10);
      }
    }
  }

  @Test
  void row82_registrationIsOffUnlessConfigured() throws IOException {
    try (Target target = Target.usual()) {
      ScriptedClient client = target.stranger();
      assertThat(client.features().toString()).doesNotContain("iq-register");
      client.send(register("one"));
      assertThat(isRefused(client)).isTrue();
      client.close();
      target.serves();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"services.administration", "services.pubsub", "rooms"})
  void row82_addressesOfAdministratorsAreReserved(String admins) throws IOException {
    try (Target target =
        new Target(
            Target.plan()
                .with("registration.enabled", true)
                .with(admins + ".admins", List.of("hamlet@example.org")))) {
      for (String name : List.of("Hamlet", "ophelia")) {
        ScriptedClient client = target.stranger();
        client.send(register(name));
        assertThat(isRefused(client)).as(name).isEqualTo(name.equals("Hamlet"));
        client.close();
      }
    }
  }

  @Test
  void row82_registrationHasABudget() throws IOException {
    try (Target target =
        new Target(
            Target.plan()
                .with("registration.enabled", true)
                .with("registration.perAddressPerHour", 2))) {
      for (int i = 0; i < 4; i++) {
        ScriptedClient client = target.stranger();
        client.send(register("spam" + i));
        assertThat(isRefused(client)).as("account %s", i).isEqualTo(i >= 2);
        client.close();
      }
      target.server().login(Login.of("spam0@example.org/r", "a password")).close();
      target.serves();
    }
  }

  /// Whether the server says anything within that time.
  private static boolean hears(ScriptedClient client, Duration patience) {
    try {
      client.next(patience);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  private static String register(String name) {
    return "<iq type='set' id='r'><query xmlns='jabber:iq:register'><username>"
        + name
        + "</username><password>a password</password></query></iq>";
  }

  private static boolean isRefused(ScriptedClient client) {
    StreamEvent event = client.next(ScriptedClient.PATIENCE);
    return !(event instanceof StreamEvent.Received received
        && "result".equals(received.element().attribute("type")));
  }
}
