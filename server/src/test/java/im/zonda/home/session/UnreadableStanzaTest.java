package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.lifecycle.RecordingStream;
import im.zonda.home.lifecycle.TestClock;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.session.Outgoing.Fate;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.link.ack.AckCount;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A stanza that was kept as its bytes and cannot be read again costs only itself.
final class UnreadableStanzaTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");

  private final RecordingStream first = new RecordingStream();
  private final RecordingStream second = new RecordingStream();
  private final TestClock clock = new TestClock();
  private final Budget<LocalSession> budget =
      new Budget<>(OutgoingBoundsTest.limits(20, 65_536, 1 << 20), Long.MAX_VALUE, clock);
  private final List<String> events = new ArrayList<>();
  private final LoneSession session = new LoneSession(JULIET, first, budget, clock);
  private final Outgoing outgoing = session.outgoing();

  private void begin() {
    assertThat(session.bound()).isEqualTo(Fate.TAKEN);
    assertThat(outgoing.manage()).isTrue();
  }

  private Fate send(String body) {
    return send(body, TestStanzas.message(body));
  }

  private Fate send(String name, Stanza stanza) {
    return outgoing.send(stanza, () -> events.add(name));
  }

  private static Stanza unreadable(String body) {
    return TestStanzas.unreadable(TestStanzas.message(body));
  }

  private void resume() {
    assertThat(session.resumed((message, time) -> message)).isEqualTo(Fate.TAKEN);
  }

  private static void assertSaysNothing(Stanza stanza) {
    assertThat(stanza)
        .isInstanceOfSatisfying(
            Message.class,
            message -> {
              assertThat(message.type()).isEqualTo(Message.Type.HEADLINE);
              assertThat(message.payloads()).isEmpty();
              assertThat(message.from()).isEqualTo(ROMEO);
              assertThat(message.to()).isEqualTo(JULIET);
            });
  }

  @Test
  void aResumptionReplacesItAndSendsEverythingBehindItWithTheRightNumbers() {
    begin();
    send("1");
    send("2", unreadable("2"));
    send("3");
    session.detach();
    send("4", unreadable("4"));
    send("5");
    assertThat(session.resuming(second, 1)).isEqualTo(AckCount.VALID);
    resume();
    assertThat(second.delivered())
        .extracting(ToStream.Deliver::number)
        .containsExactly(2L, 3L, 4L, 5L);
    assertThat(second.texts()).containsExactly("message", "3", "message", "5");
    assertSaysNothing(second.stanzas().getFirst());
    assertThat(outgoing.acknowledged(5)).isEqualTo(AckCount.VALID);
    assertThat(events).containsExactly("1", "2", "3", "4", "5");
    assertThat(budget.taken()).isZero();
  }

  /// The client waits for the answer.
  @Test
  void anAnswerIsReplacedByAnError() {
    begin();
    Stanza answer =
        TestStanzas.of(
            "<iq type='result' id='q&apos;1' from='example.org' to='juliet@example.org/balcony'/>");
    session.detach();
    // It may have one child at most.
    Stanza unreadable =
        answer
            .withPayload(Element.builder("urn:example", "a").build())
            .withPayload(Element.builder("urn:example", "b").build());
    send("answer", unreadable);
    session.resuming(second, 0);
    resume();
    assertThat(second.stanzas())
        .singleElement()
        .isInstanceOfSatisfying(
            Iq.class,
            iq -> {
              assertThat(iq.type()).isEqualTo(Iq.Type.ERROR);
              assertThat(iq.id()).isEqualTo("q'1");
              assertThat(iq.from()).isEqualTo(Jid.of("example.org"));
            });
  }

  @Test
  void theSessionEndsAndIsSavedWithAllThatItHas() {
    begin();
    session.detach();
    send("1", unreadable("1"));
    send("2");
    assertThat(texts(outgoing.waiting())).containsExactly("message", "2");
    assertThat(texts(Objects.requireNonNull(outgoing.unsettled()))).containsExactly("message", "2");
    assertThat(texts(session.session().ended())).containsExactly("message", "2");
    assertThat(budget.taken()).isZero();
  }

  private static List<String> texts(List<KeptStanza> kept) {
    return kept.stream().map(each -> TestStanzas.text(each.stanza())).toList();
  }

  /// XEP-0352: what was held for an inactive client goes out before the next message.
  @Test
  void whatWasHeldDoesNotFailTheNextMessage() {
    begin();
    session.active(false);
    outgoing.send(composing("a"), null);
    outgoing.send(TestStanzas.unreadable(composing("b")), null);
    outgoing.send(composing("c"), null);
    assertThat(first.stanzas()).as("held back").isEmpty();
    assertThat(send("text")).isEqualTo(Fate.TAKEN);
    assertThat(first.stanzas()).hasSize(4);
    assertThat(first.stanzas())
        .extracting(Stanza::from)
        .startsWith(user("a"), user("b"), user("c"));
    assertThat(first.stanzas().get(1).payloads()).isEmpty();
    assertThat(first.texts()).endsWith("text");
    assertThat(outgoing.acknowledged(4)).isEqualTo(AckCount.VALID);
    assertThat(events).containsExactly("text");
    assertThat(budget.taken()).isZero();
  }

  private static Jid user(String name) {
    return Jid.of(name + "@example.org/r");
  }

  /// So large that it is kept as its bytes if anything else is kept.
  private static Stanza composing(String from) {
    return TestStanzas.of(
        "<message type='chat' from='"
            + user(from)
            + "'><composing xmlns='http://jabber.org/protocol/chatstates'>"
            + "x".repeat(10_000)
            + "</composing></message>");
  }
}
