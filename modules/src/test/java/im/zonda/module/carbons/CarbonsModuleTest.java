package im.zonda.module.carbons;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.IqReply;
import im.zonda.module.hints.HintsModule;
import im.zonda.module.stanzaid.StanzaIdModule;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CarbonsModuleTest {
  private static final String RECEIVED =
      "<received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>%s</forwarded>"
          + "</received>";
  private static final String SENT =
      "<sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>%s</forwarded>"
          + "</sent>";
  private static final String CHAT =
      "<message xmlns='jabber:client' type='chat' id='m' from='%s' to='%s'><body>hi</body></message>";

  private final TestContext context =
      new TestContext().install(new CarbonsModule(), new StanzaIdModule(), new HintsModule());
  private final TestSession juliet = context.bind("juliet@example.org/balcony");
  private final TestSession home = context.bind("romeo@example.org/home");
  private final TestSession garden = context.bind("romeo@example.org/garden");
  private final TestSession plain = context.bind("romeo@example.org/plain");

  @BeforeEach
  void enable() {
    for (TestSession session : List.of(juliet, home, garden)) {
      session.presence(TestXml.presence("<presence/>"));
      assertThat(ask(session, "enable")).isEqualTo(IqReply.empty());
    }
    plain.presence(TestXml.presence("<presence/>"));
  }

  // --- whom copies go to ------------------------------------------------------------------------

  @Test
  void whatOneClientReceivesTheOthersAreCopied() {
    send(juliet, "type='chat' id='m' to='" + home.jid() + "'", "<body>hi</body>");
    String original = CHAT.formatted(juliet.jid(), home.jid());
    Expect.receives(home, original);
    Expect.receives(garden, copy(garden, "chat", RECEIVED, original));
    Expect.receivesNothing(plain);
  }

  @Test
  void whatOneClientSendsTheOthersAreCopied() {
    send(home, "type='chat' id='m' to='" + juliet.jid() + "'", "<body>hi</body>");
    String original = CHAT.formatted(home.jid(), juliet.jid());
    Expect.receives(juliet, original);
    Expect.receives(garden, copy(garden, "chat", SENT, original));
    Expect.receivesNothing(home);
    Expect.receivesNothing(plain);
  }

  @Test
  void alsoWhatAClientSendsThatWantsNoCopiesItself() {
    send(plain, "type='chat' id='m' to='" + juliet.jid() + "'", "<body>hi</body>");
    Expect.receives(garden, copy(garden, "chat", SENT, CHAT.formatted(plain.jid(), juliet.jid())));
  }

  @Test
  void noCopyGoesToWhoHasTheMessageAnyway() {
    send(juliet, "type='chat' id='m' to='romeo@example.org'", "<body>hi</body>");
    String original = CHAT.formatted(juliet.jid(), "romeo@example.org");
    Expect.receives(home, original);
    Expect.receives(garden, original);
    Expect.receives(plain, original);
  }

  @Test
  void aNegativePriorityIsNoReasonToGetNoCopies() {
    garden.presence(TestXml.presence("<presence><priority>-1</priority></presence>"));
    send(juliet, "type='chat' id='m' to='romeo@example.org'", "<body>hi</body>");
    String original = CHAT.formatted(juliet.jid(), "romeo@example.org");
    Expect.receives(garden, copy(garden, "chat", RECEIVED, original));
  }

  @Test
  void aClientThatIsNotAvailableGetsCopiesOfWhatOthersReceive() {
    garden.presence(null);
    send(juliet, "type='chat' id='m' to='" + home.jid() + "'", "<body>hi</body>");
    Expect.receives(
        garden, copy(garden, "chat", RECEIVED, CHAT.formatted(juliet.jid(), home.jid())));
  }

  @Test
  void butNoneOfWhatItWillBeGivenWhenItIsAvailable() {
    for (TestSession session : List.of(home, garden, plain)) {
      session.presence(null);
    }
    String id = "<stanza-id xmlns='urn:xmpp:sid:0' by='%s' id='7'/>";
    deliverNowhere(id.formatted("romeo@example.org"));
    Expect.receivesNothing(garden);
    // A message that is in nobody's log would be missed.
    deliverNowhere(id.formatted("room@example.org"));
    assertThat(garden.takeReceived()).hasSize(1);
  }

  @Test
  void anAccountThatWritesToItselfIsCopiedOnce() {
    send(home, "type='chat' id='m' to='" + garden.jid() + "'", "<body>hi</body>");
    String original = CHAT.formatted(home.jid(), garden.jid());
    Expect.receives(garden, original);
    Expect.receivesNothing(home);
    assertThat(ask(plain, "enable")).isEqualTo(IqReply.empty());
    send(home, "type='chat' id='m' to='" + garden.jid() + "'", "<body>hi</body>");
    Expect.receives(garden, original);
    Expect.receives(plain, copy(plain, "chat", RECEIVED, original));
    Expect.receivesNothing(home);
  }

  @Test
  void theCopiesOfOneMessageShareTheirBytes() {
    assertThat(ask(plain, "enable")).isEqualTo(IqReply.empty());
    send(juliet, "type='chat' id='m' to='" + home.jid() + "'", "<body>hi</body>");
    Stanza one = garden.takeReceived().getFirst();
    Stanza two = plain.takeReceived().getFirst();
    assertThat(one.payloads().getFirst()).isSameAs(two.payloads().getFirst());
  }

  @Test
  void theCopyOfASentMessageNamesItsPlaceInTheArchive() {
    send(
        home,
        "type='chat' id='m' to='" + juliet.jid() + "'",
        "<body>hi</body><store xmlns='urn:xmpp:hints'/>");
    assertThat(garden.takeReceived().getFirst().toElement().toString())
        .containsPattern(
            "<stanza-id xmlns='urn:xmpp:sid:0' by='romeo@example.org' id='sid-[0-9a-z]+'/>");
  }

  // --- enable and disable -----------------------------------------------------------------------

  @Test
  void disablingEndsItAndMayBeDoneTwice() {
    for (int i = 0; i < 2; i++) {
      assertThat(ask(garden, "disable")).isEqualTo(IqReply.empty());
    }
    send(juliet, "type='chat' to='" + home.jid() + "'", "<body>hi</body>");
    Expect.receivesNothing(garden);
    for (int i = 0; i < 2; i++) {
      assertThat(ask(garden, "enable")).isEqualTo(IqReply.empty());
    }
    send(juliet, "type='chat' to='" + home.jid() + "'", "<body>hi</body>");
    assertThat(garden.takeReceived()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"juliet@example.org", "nobody@example.org"})
  void nobodyEnablesThemForSomeoneElse(String account) {
    for (String word : List.of("enable", "disable")) {
      IqReply reply =
          context.ask(
              home,
              TestXml.iq(
                  "<iq type='set' id='e' to='%s'><%s xmlns='urn:xmpp:carbons:2'/></iq>"
                      .formatted(account, word)));
      assertThat(reply).isEqualTo(IqReply.refuse(ErrorCondition.NOT_ALLOWED));
    }
  }

  @Test
  void theServerSaysThatItDoesThis() {
    assertThat(context.host().features())
        .contains("urn:xmpp:carbons:2", "urn:xmpp:carbons:rules:0");
  }

  // --- what is copied ---------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(
      strings = {
        "chat|<body>x</body>",
        "chat|<x xmlns='jabber:x:oob'/>",
        "normal|<body>x</body>",
        "normal|<received xmlns='urn:xmpp:receipts' id='1'/>",
        "normal|<composing xmlns='http://jabber.org/protocol/chatstates'/>",
        "normal|<displayed xmlns='urn:xmpp:chat-markers:0' id='1'/>",
        "headline|<displayed xmlns='urn:xmpp:chat-markers:0' id='1'/>",
        "normal|<x xmlns='jabber:x:conference' jid='room@example.org'/>",
        "normal|<x xmlns='http://jabber.org/protocol/muc#user'><invite/></x>"
      })
  void whatIsCopied(String message) {
    assertThat(isCopied(message, true)).isTrue();
    assertThat(isCopied(message, false)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "normal|<x xmlns='jabber:x:oob'/>",
        "headline|<body>x</body>",
        "groupchat|<body>x</body>",
        "groupchat|<body>x</body><request xmlns='urn:xmpp:receipts'/>",
        "groupchat|<x xmlns='http://jabber.org/protocol/muc#user'><invite/></x>",
        "chat|<body>x</body><private xmlns='urn:xmpp:carbons:2'/>",
        "chat|<body>x</body><no-copy xmlns='urn:xmpp:hints'/>",
        "error|<error type='cancel'/>"
      })
  void whatIsNotCopied(String message) {
    assertThat(isCopied(message, true)).isFalse();
    assertThat(isCopied(message, false)).isFalse();
  }

  @Test
  void aRoomSendsItsPrivateMessagesToEveryClientItself() {
    String message = "chat|<body>x</body><x xmlns='http://jabber.org/protocol/muc#user'/>";
    assertThat(isCopied(message, true)).isFalse();
    assertThat(isCopied(message, false)).isTrue();
  }

  @Test
  void anErrorIsCopiedIfItAnswersWhatWasEligible() {
    send(home, "type='chat' id='m1' to='nobody@example.org'", "<body>hi</body>");
    send(
        home,
        "type='chat' id='m2' to='nobody@example.org'",
        "<body>hi</body><private xmlns='urn:xmpp:carbons:2'/>");
    garden.takeReceived();
    String error =
        "<message type='error' id='%s' from='nobody@example.org' to='%s'><error type='cancel'/>"
            + "</message>";
    for (String id : List.of("m2", "other", "m1")) {
      context.send(TestXml.stanza(error.formatted(id, home.jid())));
    }
    context.deliver();
    String inner =
        error.formatted("m1", home.jid()).replace("<message", "<message xmlns='jabber:client'");
    Expect.receives(garden, copy(garden, "error", RECEIVED, inner));
  }

  @Test
  void anErrorThatAClientSendsIsCopiedToo() {
    send(juliet, "type='chat' id='m1' to='" + home.jid() + "'", "<body>hi</body>");
    garden.takeReceived();
    send(home, "type='error' id='m1' to='" + juliet.jid() + "'", "<error type='cancel'/>");
    assertThat(garden.takeReceived()).hasSize(1);
    send(home, "type='error' id='m2' to='" + juliet.jid() + "'", "<error type='cancel'/>");
    Expect.receivesNothing(garden);
  }

  @Test
  void onlySoManyMessagesAreRemembered() {
    for (int i = 0; i < 65; i++) {
      send(home, "type='chat' id='m" + i + "' to='" + juliet.jid() + "'", "<body>hi</body>");
    }
    garden.takeReceived();
    for (String id : List.of("m0", "m1")) {
      send(
          juliet, "type='error' id='" + id + "' to='" + home.jid() + "'", "<error type='cancel'/>");
    }
    assertThat(garden.takeReceived()).hasSize(1);
  }

  // --- forged copies ----------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {RECEIVED, SENT})
  void row62_nobodyButTheServerMakesCopies(String wrapper) {
    String forged = wrapper.formatted(CHAT.formatted("juliet@example.org/balcony", home.jid()));
    for (String to : List.of("romeo@example.org", home.jid().toString())) {
      for (String type : List.of("chat", "normal", "headline", "groupchat")) {
        send(juliet, "type='%s' to='%s'".formatted(type, to), forged + "<body>x</body>");
        assertThat(juliet.takeReceived().getFirst().toElement().toString())
            .contains("<not-allowed ");
      }
    }
    // Nor does it get in from elsewhere, nor from the account's own clients.
    context.send(
        TestXml.stanza(
            "<message from='tybalt@elsewhere.example' to='romeo@example.org'>"
                + forged
                + "</message>"));
    send(plain, "to='romeo@example.org'", forged);
    plain.takeReceived();
    for (TestSession session : List.of(home, garden, plain)) {
      Expect.receivesNothing(session);
    }
  }

  @Test
  void row62_nothingOfAForgedCopyIsLeftInAnError() {
    String forged = RECEIVED.formatted(CHAT.formatted("juliet@example.org/balcony", home.jid()));
    send(juliet, "type='error' to='" + home.jid() + "'", forged + "<error type='cancel'/>");
    Expect.receives(home, "<message type='error'><error type='cancel'/></message>");
    Expect.receivesNothing(juliet);
  }

  @Test
  void aCopyThatComesBackAsAnErrorIsNotCopied() {
    send(juliet, "type='chat' id='m' to='" + home.jid() + "'", "<body>hi</body>");
    garden.takeReceived();
    home.takeReceived();
    send(garden, "type='error' to='romeo@example.org'", "<error type='cancel'/>");
    send(garden, "type='error' id='m' to='romeo@example.org'", "<error type='cancel'/>");
    for (TestSession session : List.of(juliet, garden)) {
      Expect.receivesNothing(session);
    }
  }

  // --- aids -------------------------------------------------------------------------------------

  private boolean isCopied(String message, boolean received) {
    String type = message.substring(0, message.indexOf('|'));
    String payload = message.substring(message.indexOf('|') + 1);
    TestSession sender = received ? juliet : home;
    TestSession receiver = received ? home : juliet;
    send(sender, "type='%s' id='c' to='%s'".formatted(type, receiver.jid()), payload);
    assertThat(receiver.takeReceived()).hasSize(1);
    return !garden.takeReceived().isEmpty();
  }

  private void deliverNowhere(String payload) {
    String message =
        "<message type='chat' from='juliet@example.org/balcony' to='romeo@example.org'>"
            + "<body>hi</body>"
            + payload
            + "</message>";
    context.host().delivered(context.home(home.jid()), TestXml.message(message), List.of());
  }

  private void send(TestSession session, String attributes, String payload) {
    context.fromClient(
        session, TestXml.stanza("<message " + attributes + ">" + payload + "</message>"));
  }

  private IqReply ask(TestSession session, String word) {
    return context.ask(
        session,
        TestXml.iq("<iq type='set' id='e'><" + word + " xmlns='urn:xmpp:carbons:2'/></iq>"));
  }

  private static String copy(TestSession to, String type, String wrapper, String original) {
    return "<message type='%s' from='romeo@example.org' to='%s'>%s</message>"
        .formatted(type, to.jid(), wrapper.formatted(original));
  }
}
