package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// Rows 61 to 98 of the attack table that concern stanzas of clients.
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("small-heap")
class StanzaAttackTest {
  private static final String STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas";

  private final LeakWatch leaks = LeakWatch.open();
  private Target target;

  @BeforeAll
  void start() throws IOException {
    target = Target.usual();
    target.server().accounts(List.of("away@example.org"));
  }

  @AfterAll
  void stop() {
    leaks.assertNone(target::serves);
    target.close();
    leaks.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"victim@example.org/r", "example.org"})
  void row61_fromOfSomeoneElse(String from) {
    for (String kind : List.of("message", "presence", "iq type='get' id='i'")) {
      ScriptedClient client = target.named("spoofer@example.org/r");
      client.send(
          "<"
              + kind
              + " from='"
              + from
              + "' to='away@example.org'><ping xmlns='urn:xmpp:ping'/></"
              + kind.split(" ", -1)[0]
              + ">");
      target.ends(client, "invalid-from");
    }
    target.serves();
  }

  @Test
  void row61_ownAddressesAreStamped() {
    try (ScriptedClient one = target.someone();
        ScriptedClient two = target.someone()) {
      String bare = one.jid().substring(0, one.jid().indexOf('/'));
      one.send("<message from='" + bare + "' to='" + two.jid() + "'/>");
      assertThat(two.receive().attribute("from")).isEqualTo(one.jid());
    }
  }

  @Test
  void row62_copiesThatNoServerMade() {
    String copy =
        "<received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
            + "<message xmlns='jabber:client' from='boss@example.org/r'"
            + " to='carbons@example.org/r'><body>pay him</body></message>"
            + "</forwarded></received>";
    try (ScriptedClient one = target.someone();
        ScriptedClient two = target.available("carbons@example.org/r")) {
      for (String to : List.of("carbons@example.org", "carbons@example.org/r")) {
        one.send("<message id='c' type='chat' to='" + to + "'>" + copy + "</message>");
        assertThat(one.receive().condition()).isEqualTo("not-allowed");
        one.send("<message type='error' to='" + to + "'>" + copy + "<error/></message>");
      }
      one.fence("one");
      two.fence("two");
      while (two.unread() > 0) {
        assertThat(two.receive().toString()).doesNotContain("carbons:2");
      }
    }
  }

  @Test
  void row85_aBlockedSenderIsKnownByItsAddress() {
    try (ScriptedClient one = target.named("pest@example.org/r");
        ScriptedClient two = target.available("blocker@example.org/r")) {
      two.send(
          "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'>"
              + "<item jid='PEST@example.org'/></block></iq>");
      two.receiveFirst(e -> "b".equals(e.attribute("id")));
      for (String to : List.of("blocker@example.org", "blocker@example.org/r")) {
        one.send("<message id='m' type='chat' to='" + to + "'><body>x</body></message>");
        assertThat(one.receive().condition()).isEqualTo("service-unavailable");
        one.send("<message type='headline' to='" + to + "'><body>x</body></message>");
        assertThat(one.receive().condition()).isEqualTo("service-unavailable");
        one.send("<iq type='set' id='q' to='" + to + "'><q xmlns='urn:q'/></iq>");
        assertThat(one.receive().condition()).isEqualTo("service-unavailable");
        one.send("<presence type='subscribe' to='" + to + "'/>");
        one.send("<presence to='" + to + "'/>");
        one.send("<message type='error' to='" + to + "'><error/></message>");
      }
      one.fence("one");
      two.fence("two");
      assertThat(one.unread()).isZero();
      assertThat(two.unread()).isZero();
    }
  }

  @Test
  void row63_forgedIdsAndDelays() {
    try (ScriptedClient one = target.someone();
        ScriptedClient two = target.available("archive@example.org/r")) {
      one.send(
          "<message to='archive@example.org' type='chat' id='f'><body>x</body>"
              + "<stanza-id xmlns='urn:xmpp:sid:0' by='archive@example.org' id='forged'/>"
              + "<stanza-id xmlns='urn:xmpp:sid:0' by='ARCHIVE@example.org' id='forged'/>"
              + "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='2001-01-01T00:00:00Z'/>"
              + "</message>");
      String message = two.receive().toString();
      assertThat(message).doesNotContain("forged").doesNotContain("2001-01-01");
    }
  }

  @Test
  void row65_rosterPushFromSomeoneElse() {
    try (ScriptedClient one = target.someone();
        ScriptedClient two = target.available("pushed@example.org/r")) {
      for (String to : List.of("pushed@example.org", "pushed@example.org/r")) {
        one.send(
            "<iq type='set' id='push' to='"
                + to
                + "'><query xmlns='jabber:iq:roster'>"
                + "<item jid='evil@example.org' subscription='both'/></query></iq>");
      }
      one.receiveFirst(e -> "push".equals(e.attribute("id")));
      one.fence("one");
      two.fence("two");
      assertThat(two.unread()).isZero();
      two.send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");
      assertThat(two.receive().toString()).doesNotContain("evil");
    }
  }

  @Test
  void row66_presenceOfStrangers() {
    try (ScriptedClient one = target.available("prober@example.org/r");
        ScriptedClient two = target.available("probed@example.org/r")) {
      one.send("<presence type='probe' to='probed@example.org'/>");
      one.fence("a");
      two.fence("b");
      one.fence("c");
      while (one.unread() > 0) {
        assertThat(one.receive().attribute("type")).isEqualTo("unsubscribed");
      }
      two.fence("d");
      assertThat(two.unread()).isZero();
    }
  }

  @Test
  void row66_directedPresenceIsWithdrawnWhenTheConnectionBreaks() {
    ScriptedClient one = target.available("breaker@example.org/r");
    try (ScriptedClient two = target.available("watcher@example.org/r")) {
      one.send("<presence to='watcher@example.org/r'/>");
      assertThat(two.receive().attribute("from")).isEqualTo(one.jid());
      one.drop();
      XmlElement gone = two.receive();
      assertThat(gone.attribute("type")).isEqualTo("unavailable");
      assertThat(gone.attribute("from")).isEqualTo("breaker@example.org/r");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<query xmlns='http://jabber.org/protocol/disco#info'/>",
        "<query xmlns='http://jabber.org/protocol/disco#items'/>",
        "<vCard xmlns='vcard-temp'/>",
        "<query xmlns='jabber:iq:last'/>",
        "<query xmlns='jabber:iq:version'/>",
        "<time xmlns='urn:xmpp:time'/>",
        "<ping xmlns='urn:xmpp:ping'/>",
        "<query xmlns='jabber:iq:roster'/>",
        "<query xmlns='jabber:iq:private'><a xmlns='b'/></query>",
        "<query xmlns='urn:unknown'/>"
      })
  void row67_noAnswerTellsWhetherThereIsAnAccount(String payload) {
    try (ScriptedClient client = target.someone()) {
      for (String resource : List.of("", "/r")) {
        String known = ask(client, "away@example.org" + resource, payload);
        String unknown = ask(client, "nobody@example.org" + resource, payload);
        assertThat(known.replace("away@", "X@")).isEqualTo(unknown.replace("nobody@", "X@"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@example.org",
        "a b@example.org",
        "a@@example.org",
        "a@example.org/",
        "a&quot;b@example.org",
        "a&lt;b@example.org",
        "a:b@example.org",
        "a@exa mple.org",
        "a@-example.org",
        "&#x221;@example.org/&#x7F;",
        "/r"
      })
  void row70_malformedAddress(String to) {
    try (ScriptedClient client = target.someone()) {
      client.send("<message id='j' to='" + to + "'><body>x</body></message>");
      XmlElement answer = client.receive();
      assertThat(answer.condition()).isEqualTo("jid-malformed");
      client.fence("alive");
    }
  }

  @Test
  void row70_tooLongAddress() {
    try (ScriptedClient client = target.someone()) {
      client.send("<message id='j' to='" + "a".repeat(1_024) + "@example.org'/>");
      assertThat(client.receive().condition()).isEqualTo("jid-malformed");
      client.send("<message id='j' to='a@example.org/" + "r".repeat(1_024) + "'/>");
      assertThat(client.receive().condition()).isEqualTo("jid-malformed");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SAME@example.org", "same@EXAMPLE.ORG", "same@example.org.", "ｓame@example.org"})
  void row70_sameAddress(String to) {
    try (ScriptedClient one = target.someone();
        ScriptedClient two = target.available("same@example.org/r")) {
      one.send("<message id='j' type='chat' to='" + to + "'><body>x</body></message>");
      assertThat(two.receive().attribute("id")).isEqualTo("j");
    }
  }

  @Test
  void row77_sqlInValues() {
    String evil = "x&apos;); drop table roster_item; -- \\ %_ &quot;";
    try (ScriptedClient client = target.someone()) {
      client.send(
          "<iq type='set' id='s'><query xmlns='jabber:iq:roster'><item jid='c@example.org' name='"
              + evil
              + "'><group>"
              + evil
              + "</group></item></query></iq>");
      client.receiveFirst(e -> "s".equals(e.attribute("id")));
      client.send("<iq type='get' id='g'><query xmlns='jabber:iq:roster'/></iq>");
      XmlElement roster = client.receiveFirst(e -> "g".equals(e.attribute("id")));
      XmlElement item = roster.children().getFirst().children().getFirst();
      assertThat(item.attribute("name")).isEqualTo("x'); drop table roster_item; -- \\ %_ \"");
      assertThat(item.childText("group")).isEqualTo(item.attribute("name"));
    }
    target.serves();
  }

  @Test
  void row80_answersThatNobodyAskedFor() {
    try (ScriptedClient client = target.someone()) {
      for (int i = 0; i < 200; i++) {
        String to = i % 2 == 0 ? "example.org" : "nobody@example.org/r";
        client.send("<iq type='result' id='u" + i + "' to='" + to + "'/>");
        client.send(
            "<iq type='error' id='e"
                + i
                + "' to='"
                + to
                + "'><error type='cancel'>"
                + "<item-not-found xmlns='"
                + STANZAS
                + "'/></error></iq>");
      }
      client.fence("f");
      assertThat(client.unread()).isZero();
    }
  }

  @Test
  void row80_requestsThatNobodyAnswers() {
    try (ScriptedClient one = target.someone();
        ScriptedClient two = target.someone()) {
      for (int i = 0; i < 1_000; i++) {
        one.send("<iq type='get' id='q" + i + "' to='" + two.jid() + "'><q xmlns='urn:q'/></iq>");
      }
      one.fence("f");
      two.fence("f");
      assertThat(two.unread()).isEqualTo(1_000);
    }
  }

  @Test
  void row81_errorsAreNotAnswered() {
    String error = "<error type='cancel'><service-unavailable xmlns='" + STANZAS + "'/></error>";
    try (ScriptedClient client = target.someone()) {
      for (String to : List.of("nobody@example.org", "example.org", "other.example")) {
        client.send("<message type='error' to='" + to + "'>" + error + "</message>");
        client.send("<presence type='error' to='" + to + "'>" + error + "</presence>");
        client.send("<iq type='error' id='e' to='" + to + "'>" + error + "</iq>");
      }
      client.fence("f");
      assertThat(client.unread()).isZero();
    }
  }

  @Test
  void row92_markupInStoredFields() {
    String markup = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;lt;";
    try (ScriptedClient one = target.someone();
        ScriptedClient two = target.someone()) {
      one.send(
          "<iq type='set' id='s'><vCard xmlns='vcard-temp'><FN>" + markup + "</FN></vCard></iq>");
      one.receiveFirst(e -> "s".equals(e.attribute("id")));
      String bare = one.jid().substring(0, one.jid().indexOf('/'));
      two.send("<iq type='get' id='g' to='" + bare + "'><vCard xmlns='vcard-temp'/></iq>");
      XmlElement card = two.receive().children().getFirst();
      assertThat(card.childText("FN")).isEqualTo("\"><script>alert(1)</script>&lt;");
      assertThat(card.children()).hasSize(1);
    }
    String resource = "\"><script x='";
    try (ScriptedClient client = target.named("markup@example.org/" + resource)) {
      assertThat(client.jid()).isEqualTo("markup@example.org/" + resource);
    }
  }

  @Test
  void row97_logsHoldNoBodiesSecretsOrControlCharacters() {
    Logger logger = (Logger) LoggerFactory.getLogger("im.zonda");
    Level before = logger.getLevel();
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(Level.TRACE);
    try (ScriptedClient one = target.named("logged@example.org/name");
        ScriptedClient two = target.someone()) {
      two.send("<presence/>").receive(); // or messages wait for some seconds
      one.send("<message to='" + two.jid() + "'><body>body4711</body></message>");
      two.receive();
      one.send("<message to='away@example.org' type='chat'><body>body4711</body></message>");
      one.fence("f");
      ScriptedClient stranger = target.stranger();
      Login login = Login.of("me\u001B[31m\r\nroot@example.org", "pass4711").withMechanism("PLAIN");
      assertThat(stranger.authenticate(login).localName()).isEqualTo("failure");
      stranger.send("<message><body>body4711</wrong>");
      stranger.close();
    } finally {
      logger.setLevel(before);
      logger.detachAppender(appender);
    }
    assertThat(appender.list).isNotEmpty();
    for (ILoggingEvent event : List.copyOf(appender.list)) {
      String line = event.getFormattedMessage() + event.getKeyValuePairs();
      assertThat(line)
          .doesNotContain("body4711")
          .doesNotContain("pass4711")
          .doesNotContain("\u001B")
          .doesNotContain("\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2147483648", "-129", "128", "high", "1.5", "99999999999999999999", "0x1"})
  void row98_numbersOutOfRange(String priority) {
    try (ScriptedClient client = target.someone()) {
      client.send("<presence id='p'><priority>" + priority + "</priority></presence>");
      XmlElement answer = client.receive();
      assertThat(answer.attribute("type")).isEqualTo("error");
      assertThat(answer.condition()).isEqualTo("bad-request");
      client.fence("alive");
    }
  }

  @Test
  void row98_datesOutOfRange() {
    try (ScriptedClient one = target.someone();
        ScriptedClient two = target.available("dates@example.org/r")) {
      for (String stamp :
          List.of("99999-01-01T00:00:00Z", "yesterday", "", "-0001-13-45T99:99:99Z")) {
        one.send(
            "<message to='dates@example.org' type='chat' id='d'><body>x</body>"
                + "<delay xmlns='urn:xmpp:delay' stamp='"
                + stamp
                + "'/></message>");
        assertThat(two.receive().attribute("id")).isEqualTo("d");
      }
    }
  }

  private static String ask(ScriptedClient client, String to, String payload) {
    client.send("<iq type='get' id='ask' to='" + to + "'>" + payload + "</iq>");
    return client.receiveFirst(e -> "ask".equals(e.attribute("id"))).toString();
  }
}
