package im.zonda.module.strangers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.S2s.Strangers;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageHoldTest {
  private final HoldingHost host = new HoldingHost();

  @Test
  void whatAStrangerHasSentArrivesInOrderWithItsTimeOnceTheReceiverHasWritten() {
    assertThat(host.isHeld(HoldingHost.JULIET, "one")).isTrue();
    host.context().clock().advance(Duration.ofHours(1));
    assertThat(host.isHeld(HoldingHost.JULIET, "two")).isTrue();
    assertThat(host.isHeld(Jid.of("nurse@b.test"), "three")).isTrue();
    assertThat(host.stored()).hasSize(3);
    assertThat(host.received()).isEmpty();
    host.does("<message type='chat' to='juliet@b.test'><body>x</body></message>");
    List<Stanza> came = List.copyOf(host.romeo().takeReceived());
    assertThat(came).extracting(HoldingHost::body).containsExactly("one", "two");
    assertThat(came).extracting(Stanza::from).containsOnly(HoldingHost.JULIET);
    assertThat(came)
        .extracting(each -> each.toString())
        .satisfiesExactly(
            first -> assertThat(first).contains("from='example.org' stamp='2026-11-21T12:00:01"),
            second -> assertThat(second).contains("stamp='2026-11-21T13:00:01"));
    assertThat(host.stored()).hasSize(1);
    assertThat(host.says(HoldingHost.JULIET, "four")).isEqualTo(Verdict.pass());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<presence to='juliet@b.test'/>",
        "<presence type='subscribe' to='juliet@b.test'/>",
        "<presence type='subscribed' to='juliet@b.test'/>"
      })
  void presenceMakesASenderKnown(String presence) {
    host.context()
        .arrives(
            TestXml.stanza(
                "<presence type='subscribe' from='juliet@b.test' to='"
                    + HoldingHost.ROMEO
                    + "'/>"));
    host.says(HoldingHost.JULIET, "one");
    host.does(presence);
    assertThat(host.received()).containsExactly("one");
    assertThat(host.stored()).isEmpty();
  }

  @Test
  void aNewContactIsKnown() {
    host.says(HoldingHost.JULIET, "one");
    host.context()
        .ask(
            host.romeo(),
            TestXml.iq(
                "<iq type='set' id='r'><query xmlns='jabber:iq:roster'>"
                    + "<item jid='juliet@b.test'/></query></iq>"));
    assertThat(host.received()).containsExactly("one");
  }

  @Test
  void whatIsHeldLastsWhenTheHomeIsLoadedAgain() {
    host.says(HoldingHost.JULIET, "one");
    host.says(HoldingHost.JULIET, "two");
    host.context().home(HoldingHost.ROMEO).unload();
    host.does("<message type='chat' to='juliet@b.test'><body>x</body></message>");
    assertThat(host.received()).containsExactly("one", "two");
  }

  @Test
  void aMessageThatCannotBeStoredIsNotTaken() {
    host.context().stores().fail(StoreException.Category.FULL);
    assertThatThrownBy(() -> host.says(HoldingHost.JULIET, "one"))
        .isInstanceOf(StoreException.class);
    host.context().stores().fail(null);
    assertThat(host.isHeld(HoldingHost.JULIET, "two")).isTrue();
    host.does("<message type='chat' to='juliet@b.test'><body>x</body></message>");
    assertThat(host.received()).containsExactly("two");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<composing xmlns='http://jabber.org/protocol/chatstates'/>",
        "<thread>t</thread><paused xmlns='http://jabber.org/protocol/chatstates'/>",
        "<active xmlns='http://jabber.org/protocol/chatstates'/><no-store xmlns='urn:xmpp:hints'/>"
      })
  void aChatStateIsNeitherHeldNorAnswered(String payloads) {
    assertThat(host.arrives(payloads)).isEqualTo(new Verdict.Drop(Reason.STRANGER));
    assertThat(host.stored()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<thread>t</thread>",
        "<no-copy xmlns='urn:xmpp:hints'/>",
        "<request xmlns='urn:xmpp:receipts'/>",
        "<body>x</body><no-store xmlns='urn:xmpp:hints'/>",
        "<body>x</body><no-store xmlns='urn:xmpp:hints'/>"
            + "<active xmlns='http://jabber.org/protocol/chatstates'/>",
        "<request xmlns='urn:xmpp:receipts'/>"
            + "<active xmlns='http://jabber.org/protocol/chatstates'/>",
        ""
      })
  void whatIsNotStoredForAnyoneIsRejected(String payloads) {
    assertThat(host.arrives(payloads))
        .isInstanceOfSatisfying(
            Verdict.Refuse.class,
            refused ->
                assertThat(refused.error().condition())
                    .isEqualTo(ErrorCondition.SUBSCRIPTION_REQUIRED));
    assertThat(host.stored()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<thread xmlns='urn:example:other'>t</thread>",
        "<displayed xmlns='urn:xmpp:chat-markers:0' id='m'/>",
        "<store xmlns='urn:xmpp:hints'/>",
        "<body>x</body><composing xmlns='http://jabber.org/protocol/chatstates'/>"
      })
  void whatWouldWaitForAnOfflineAccountIsHeld(String payloads) {
    assertThat(host.arrives(payloads)).isInstanceOf(Verdict.Keep.class);
    assertThat(host.stored()).hasSize(1);
  }

  @Test
  void whatIsNotStoredPassesWhileMessagesOfAKnownSenderAreHeld() {
    host.says(HoldingHost.JULIET, "one");
    host.context().config(HoldingHost.config(Strangers.ACCEPT));
    assertThat(host.arrives("<composing xmlns='http://jabber.org/protocol/chatstates'/>"))
        .isEqualTo(Verdict.pass());
  }

  @Test
  void anAccountThatDoesNotExistAnswersAsWhereAllAreAccepted() {
    assertThat(
            host.context()
                .arrives(
                    TestXml.stanza(
                        "<message type='chat' from='%s' to='nobody@example.org'><body>x</body></message>"
                            .formatted(HoldingHost.JULIET))))
        .isEqualTo(Verdict.pass());
  }

  @ParameterizedTest
  @CsvSource({
    "00001795262401000000, 'juliet@@b.test\n<message/>'",
    "00001795262401000000, 'juliet@b.test/balcony\n<message'",
    "00001795262401000000, 'juliet@b.test/balcony\n<presence/>'",
    "00001795262401000000, 'juliet@b.test/balcony\n<message from=''tybalt@b.test''/>'",
    "00001795262401000000, ''",
    "yesterday, 'juliet@b.test/balcony\n<message/>'"
  })
  void aDamagedValueStaysAndTheOthersAreDelivered(String key, String value) {
    KeyValueStore store = host.context().stores().keyValues("held");
    store.put(HoldingHost.ROMEO, key, value.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8));
    host.context().home(HoldingHost.ROMEO).unload();
    assertThat(host.isHeld(HoldingHost.JULIET, "one")).isTrue();
    host.does("<message type='chat' to='juliet@b.test'><body>x</body></message>");
    assertThat(host.received()).containsExactly("one");
    assertThat(host.stored()).containsOnlyKeys(key);
    assertThat(host.isHeld(Jid.of("nurse@b.test"), "two")).isTrue();
  }

  @Test
  void aMessageStaysInTheStoreUntilTheLogHasIt() {
    host.says(HoldingHost.JULIET, "one");
    host.context().stores().messages().holdCommits();
    host.does("<message type='chat' to='juliet@b.test'><body>x</body></message>");
    assertThat(host.received()).containsExactly("one");
    assertThat(host.stored()).hasSize(1);
    host.context().home(HoldingHost.ROMEO).unload();
    host.context().bind(HoldingHost.ROMEO + "/other");
    assertThat(host.received()).as("once").isEmpty();
    host.context().stores().messages().flush();
    host.context().runTasks();
    assertThat(host.stored()).isEmpty();
  }

  @Test
  void whatTheLogHasNotTakenWhenTheServerEndsIsDeliveredByTheNext() {
    host.says(HoldingHost.JULIET, "one");
    host.context().stores().messages().holdCommits();
    host.does("<message type='chat' to='juliet@b.test'><body>x</body></message>");
    host.context().stores().messages().failHeld(StoreException.Category.CLOSED);
    host.context().runTasks();
    assertThat(host.stored()).hasSize(1);
  }

  @Test
  void whileTheLogIsFullMessagesAreHeldLonger() {
    host.says(HoldingHost.JULIET, "one");
    host.says(HoldingHost.JULIET, "two");
    host.context().stores().messages().congested(true);
    host.does("<message type='chat' to='juliet@b.test'><body>x</body></message>");
    assertThat(host.received()).isEmpty();
    assertThat(host.isHeld(HoldingHost.JULIET, "three")).isTrue();
    host.context().stores().messages().congested(false);
    host.context().clock().advance(MessageHold.RETRY);
    host.context().runTasks();
    assertThat(host.received()).containsExactly("one", "two", "three");
    assertThat(host.stored()).isEmpty();
  }

  @Test
  void aMessageThatCannotBeRemovedIsNotDeliveredAgain() {
    host.says(HoldingHost.JULIET, "one");
    host.context().stores().messages().holdCommits();
    host.does("<presence to='juliet@b.test'/>");
    host.context().stores().fail(StoreException.Category.UNAVAILABLE);
    host.context().stores().messages().flush();
    host.context().runTasks();
    host.context().stores().fail(null);
    assertThat(host.received()).containsExactly("one");
    host.context().home(HoldingHost.ROMEO).unload();
    host.context().bind(HoldingHost.ROMEO + "/other");
    assertThat(host.received()).isEmpty();
    assertThat(host.stored()).hasSize(1);
    host.context().clock().advance(MessageHold.RETRY);
    host.context().runTasks();
    assertThat(host.stored()).isEmpty();
  }

  @Test
  void whereAllAreAcceptedTheRestArrivesWithTheNextSession() {
    host.says(HoldingHost.JULIET, "one");
    TestContext open = host.context().config(HoldingHost.config(Strangers.ACCEPT));
    open.bind(HoldingHost.ROMEO + "/other");
    assertThat(host.received()).containsExactly("one");
    assertThat(host.stored()).isEmpty();
  }

  @Test
  void whereAllAreAcceptedTheRestArrivesWithTheNextRound() {
    host.says(HoldingHost.JULIET, "one");
    host.context().config(HoldingHost.config(Strangers.ACCEPT));
    host.pass(HeldRounds.LONG_PAUSE);
    assertThat(host.received()).containsExactly("one");
    assertThat(host.stored()).isEmpty();
  }

  @Test
  void whatComesWhileMessagesAreHeldDoesNotOvertakeThem() {
    host.says(HoldingHost.JULIET, "one");
    host.context().config(HoldingHost.config(Strangers.ACCEPT));
    assertThat(host.isHeld(HoldingHost.JULIET, "two")).isTrue();
    assertThat(host.received()).containsExactly("one", "two");
    assertThat(host.says(HoldingHost.JULIET, "three")).isEqualTo(Verdict.pass());
  }
}
