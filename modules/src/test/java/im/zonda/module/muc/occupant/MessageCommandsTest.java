package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.module.muc.MucModule;
import im.zonda.module.muc.home.TestOrigin;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Stanza;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When a message that a room rejects has been handled.
final class MessageCommandsTest {
  private static final Jid ROOM = Jid.of("coven@rooms.example.org");
  private static final String OWNER = "crone@example.org/desktop";

  /// Counts what waits before the message has been handled.
  private static final class Counting implements Origin {
    private int holds;

    @Override
    public long identity() {
      return 7;
    }

    @Override
    public boolean acknowledges() {
      return true;
    }

    @Override
    public void hold() {
      holds++;
    }

    @Override
    public void release() {
      holds--;
    }
  }

  private final TestContext context = new TestContext().install(new MucModule());
  private final At<?> room = new At<>(context.host().services().getFirst());

  private record At<T>(DomainService<T> service, T home) {
    At(DomainService<T> service) {
      this(service, service.load(ROOM));
    }

    void accept(Stanza stanza, Origin origin) {
      service.accept(home, new Envelope(stanza, origin, null));
    }
  }

  @BeforeEach
  void found() {
    context.stores().messages().keepOrigins();
    room.accept(
        TestXml.presence(
            "<presence from='%s' to='%s/first'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                .formatted(OWNER, ROOM)),
        Origin.NONE);
    room.accept(
        TestXml.iq(
            """
            <iq type='set' id='1' from='%s' to='%s'>\
            <query xmlns='http://jabber.org/protocol/muc#owner'>\
            <x xmlns='jabber:x:data' type='submit'/></query></iq>\
            """
                .formatted(OWNER, ROOM)),
        Origin.NONE);
    context.takeSent();
  }

  private List<String> sentBodies(String id, String body, Origin origin) {
    room.accept(
        TestXml.message(
            "<message type='groupchat' %s from='%s' to='%s'><body>%s</body></message>"
                .formatted(id, OWNER, ROOM, body)),
        origin);
    return context.takeSent().stream()
        .map(each -> each.toElement().toString())
        .filter(each -> each.contains("<body>"))
        .map(each -> each.replaceAll("(?s).*<body>(.*)</body>.*", "$1"))
        .toList();
  }

  /// Its sender's former home has sent it, late, and its client sends it again: in either order.
  @ParameterizedTest
  @CsvSource({"0, 5000", "5000, 0", "5000, 5000"})
  void aMessageThatComesTwiceIsSentOnce(long firstAge, long secondAge) {
    Jid session = Jid.of(OWNER);
    assertThat(sentBodies("id='a'", "one", new TestOrigin(session, 7, firstAge)))
        .containsExactly("one");
    assertThat(sentBodies("id='a'", "one", new TestOrigin(session, 7, secondAge))).isEmpty();
  }

  /// Otherwise its client would forget a message that nothing has stored.
  @Test
  void theSecondCopyIsHandledWhenTheFirstIsInTheLog() {
    context.stores().messages().holdCommits();
    assertThat(sentBodies("id='a'", "one", new TestOrigin(Jid.of(OWNER), 7, 0))).hasSize(1);
    Counting second = new Counting();
    assertThat(sentBodies("id='a'", "one", second)).isEmpty();
    assertThat(second.holds).isEqualTo(1);
    context.stores().messages().flush();
    assertThat(second.holds).isZero();
  }

  /// One stanza may be for the room and for an occupant (XEP-0033).
  @Test
  void aPrivateMessageOfTheSameStanzaIsSent() {
    TestOrigin origin = new TestOrigin(Jid.of(OWNER), 7, 0);
    assertThat(sentBodies("id='a'", "one", origin)).containsExactly("one");
    room.accept(
        TestXml.message(
            "<message type='chat' id='a' from='%s' to='%s/first'><body>two</body></message>"
                .formatted(OWNER, ROOM)),
        origin);
    assertThat(context.takeSent()).hasSize(1);
  }

  /// After a crash a client may send another message with the number of the first.
  @ParameterizedTest
  @CsvSource({
    "id='a', id='b', 7, 7",
    "'', '', 7, 7",
    "id='a', id='a', 7, 8",
    "id='a', id='a', 0, 0"
  })
  void anotherMessageIsSent(String first, String second, long identity, long other) {
    Jid session = Jid.of(OWNER);
    assertThat(sentBodies(first, "one", new TestOrigin(session, identity, 0)))
        .containsExactly("one");
    assertThat(sentBodies(second, "two", new TestOrigin(session, other, 9))).containsExactly("two");
  }

  /// Otherwise the message would be acknowledged to the client, which would never get the error if
  /// the room's node died before the sender's home had it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hag@example.org/pda|groupchat||<body>hi</body>|not-acceptable",
        "crone@example.org/desktop|chat||<body>hi</body>|bad-request",
        "crone@example.org/desktop|chat|/nobody|<body>hi</body>|item-not-found",
        "hag@example.org/pda|normal||<x xmlns='jabber:x:data' type='submit'/>|bad-request",
        "hag@example.org/pda|normal||<x xmlns='http://jabber.org/protocol/muc#user'>"
            + "<invite to='x@example.org'/></x>|not-acceptable"
      })
  void aRejectedMessageWaitsUntilItsSenderHasTheError(
      String from, String type, String nick, String payload, String condition) {
    Counting origin = new Counting();
    room.accept(
        TestXml.message(
            "<message type='%s' id='m' from='%s' to='%s%s'>%s</message>"
                .formatted(type, from, ROOM, nick == null ? "" : nick, payload)),
        origin);
    assertThat(context.takeSent())
        .singleElement()
        .satisfies(error -> {
          assertThat(error.toElement().toString()).contains(condition);
          assertThat(error.to()).isEqualTo(Jid.of(from));
        });
    assertThat(origin.holds).isEqualTo(1);
  }
}
