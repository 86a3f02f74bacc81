package im.zonda.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.testkit.history.MessageLedger.Trust;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Plants each fault that the ledger must find, and a similar correct case.
class MessageLedgerTest {
  private final MessageLedger ledger = new MessageLedger(null);

  @Test
  void onceAndInOrderIsClean() {
    send(1, 2, 3);
    acknowledge(1, 2, 3);
    int session = romeo();
    arrive(session, 1, 2, 3);

    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report().counts())
        .isEqualTo(new LedgerReport.Counts(3, 3, 3, 0, 0, 0, 0, 0, 0));
    assertThat(ledger.missing(null)).isZero();
  }

  @Test
  void findsALoss() {
    send(1, 2, 3);
    acknowledge(1, 2, 3);
    arrive(romeo(), 1, 3);

    assertThat(ledger.report().lost()).containsExactly(key(2));
    assertThat(ledger.report().clean()).isFalse();
    assertThat(ledger.missing(null)).isOne();
    assertThat(ledger.missing("romeo")).isOne();
    assertThat(ledger.missing("mercutio")).isZero();
  }

  @Test
  void whatWasNotAcknowledgedOrWasRefusedIsNotLost() {
    send(1, 2, 3);
    acknowledge(1, 3);
    ledger.refused(key(3));
    arrive(romeo(), 1);

    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report().counts().refused()).isOne();
    assertThat(ledger.report().counts().delivered()).isOne();
  }

  @Test
  void whatIsInTheArchiveIsNotLost() {
    send(1, 2);
    acknowledge(1, 2);
    arrive(romeo(), 1);
    arrive(ledger.archive("romeo"), 1, 2);

    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report().counts().onlyInArchive()).isOne();
    assertThat(ledger.report().counts().sameStanzaId()).isZero();
  }

  @Test
  void findsWhatTheArchiveLacks() {
    send(1, 2);
    acknowledge(1, 2);
    arrive(romeo(), 1, 2);
    arrive(ledger.archive("romeo"), 1);

    assertThat(ledger.report().notInArchive()).containsExactly(key(2));
    assertThat(ledger.report().clean()).isFalse();
  }

  @Test
  void theSameStanzaIdInALaterSessionIsAllowedAndCounted() {
    send(1);
    acknowledge(1);
    arrive(romeo(), 1);
    arrive(romeo(), 1);

    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report().counts().sameStanzaId()).isOne();
  }

  @Test
  void findsTheSameStanzaIdTwiceInOneSession() {
    send(1);
    int session = romeo();
    arrive(session, 1);
    arrive(session, 1);

    assertThat(ledger.report().repeated()).containsExactly(key(1));
    assertThat(ledger.report().clean()).isFalse();
  }

  @Test
  void findsADoubleThatItsSenderDidNotCause() {
    send(1);
    int session = romeo();
    ledger.arrived(session, key(1), "a");
    ledger.arrived(session, key(1), "b");

    assertThat(ledger.report().doubled()).containsExactly(key(1));
    assertThat(ledger.report().clean()).isFalse();
  }

  @Test
  void aCopyThatItsSenderCausedIsAllowedAndCountedButNotMore() {
    send(1);
    ledger.sentAgain(key(1));
    int session = romeo();
    ledger.arrived(session, key(1), "a");
    ledger.arrived(session, key(1), "b");
    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report().counts().sameOriginId()).isOne();

    ledger.arrived(session, key(1), "c");
    assertThat(ledger.report().doubled()).containsExactly(key(1));
  }

  @Test
  void aDoubleInTheArchiveOnlyIsFoundToo() {
    send(1);
    acknowledge(1);
    ledger.arrived(romeo(), key(1), "a");
    int archive = ledger.archive("romeo");
    ledger.arrived(archive, key(1), "a");
    ledger.arrived(archive, key(1), "b");

    assertThat(ledger.report().doubled()).containsExactly(key(1));
  }

  @Test
  void withoutStanzaIdsEverySecondCopyIsADouble() {
    send(1, 2);
    int session = romeo();
    ledger.arrived(session, key(1), "");
    ledger.arrived(session, key(1), "");

    assertThat(ledger.report().doubled()).containsExactly(key(1));
  }

  @Test
  void eachDeviceGetsItsCopy() {
    send(1, 2);
    acknowledge(1, 2);
    int one = ledger.session("romeo", "one", false, Trust.MANAGED);
    int other = ledger.session("romeo", "other", false, Trust.MANAGED);
    arrive(one, 1, 2);
    arrive(other, 1, 2);

    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report().counts().sameStanzaId()).isZero();
    assertThat(ledger.report().counts().sameOriginId()).isZero();
  }

  @Test
  void findsAnotherIdForAnotherDevice() {
    send(1);
    ledger.arrived(ledger.session("romeo", "one", false, Trust.MANAGED), key(1), "a");
    ledger.arrived(ledger.session("romeo", "other", false, Trust.MANAGED), key(1), "b");

    assertThat(ledger.report().doubled()).containsExactly(key(1));
  }

  @Test
  void findsAChangeOfOrderWithinASessionAndAcrossSessions() {
    send(1, 2, 3, 4);
    arrive(romeo(), 1, 3, 2);
    assertThat(ledger.report().reordered()).containsExactly(key(2));

    send(5);
    arrive(romeo(), 5, 4);
    assertThat(ledger.report().reordered()).containsExactly(key(2), key(4));
    assertThat(ledger.report().clean()).isFalse();
  }

  /// A server that has refused it may take it when its sender sends it again.
  @Test
  void whatWasRefusedHasNoOrder() {
    send(1, 2, 3);
    ledger.refused(key(1));
    arrive(romeo(), 2, 1, 3);

    assertThat(ledger.report().reordered()).isEmpty();
  }

  @Test
  void aSecondCopyHasNoOrder() {
    send(1, 2, 3);
    arrive(romeo(), 1, 2, 3);
    arrive(romeo(), 2, 3);

    assertThat(ledger.report().reordered()).isEmpty();
  }

  @Test
  void ofTwoDevicesEachSessionHasItsOwnOrder() {
    send(1, 2, 3);
    arrive(ledger.session("romeo", "one", false, Trust.MANAGED), 2);
    arrive(ledger.session("romeo", "one", false, Trust.MANAGED), 1);
    assertThat(ledger.report().reordered()).isEmpty();

    arrive(ledger.session("romeo", "other", false, Trust.MANAGED), 3, 1);
    assertThat(ledger.report().reordered()).containsExactly(key(1));
  }

  @Test
  void ofTwoDevicesOneMayGetLateWhatTheOtherHasNotAcknowledged() {
    send(1, 2, 3);
    int one = ledger.session("romeo", "one", false, Trust.MANAGED);
    arrive(one, 3);
    ledger.arrived(one, key(1), "id1", true);
    assertThat(ledger.report().reordered()).isEmpty();

    ledger.arrived(one, key(2), "id2", false);
    assertThat(ledger.report().reordered()).containsExactly(key(2));
  }

  @Test
  void theOnlyDeviceGetsEvenLateMessagesInOrder() {
    send(1, 2);
    int session = romeo();
    arrive(session, 2);
    ledger.arrived(session, key(1), "id1", true);
    assertThat(ledger.report().reordered()).containsExactly(key(1));
  }

  @Test
  void whatOneDeviceHadAndItsSenderSendsAgainHasNoOrderAtTheOther() {
    send(1, 2);
    arrive(ledger.session("romeo", "one", false, Trust.MANAGED), 1, 2);
    int one = ledger.session("romeo", "one", false, Trust.MANAGED);
    int other = ledger.session("romeo", "other", false, Trust.MANAGED);
    arrive(other, 2);
    ledger.sentAgain(key(1));
    ledger.arrived(one, key(1), "another id");
    ledger.arrived(other, key(1), "another id");

    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report().counts().sameOriginId()).isOne();
  }

  @Test
  void withoutStreamManagementWhatItsSenderSendsAgainHasNoOrder() {
    send(1, 2, 3);
    int session = ledger.session("romeo", "r", true, Trust.UNMANAGED);
    arrive(session, 3);
    ledger.sentAgain(key(1));
    arrive(session, 1);
    assertThat(ledger.report().reordered()).isEmpty();

    arrive(session, 2);
    assertThat(ledger.report().reordered()).containsExactly(key(2));
  }

  @Test
  void withoutStreamManagementWhatWasLostBeforeAKillMayComeAfterIt() {
    send(1, 2, 3);
    arrive(ledger.unmanagedSession("romeo", "r", 7), 2);
    int afterKill = ledger.unmanagedSession("romeo", "r", 8);
    arrive(afterKill, 1, 2, 3);
    assertThat(ledger.report().clean()).isTrue();
  }

  @Test
  void withoutStreamManagementTheOrderIsKeptOverSessionsBetweenKills() {
    send(1, 2);
    arrive(ledger.unmanagedSession("romeo", "r", 7), 2);
    arrive(ledger.unmanagedSession("romeo", "r", 7), 1);
    assertThat(ledger.report().reordered()).containsExactly(key(1));
  }

  @Test
  void theArchiveHasAnOrderToo() {
    send(1, 2);
    arrive(ledger.archive("romeo"), 2, 1);

    assertThat(ledger.report().reordered()).containsExactly(key(1));
  }

  @Test
  void theOrderOfDifferentSendersIsFree() {
    send(1, 2);
    History.Key other = new History.Key("mercutio", "romeo", 1);
    ledger.sent(other);
    int session = romeo();
    arrive(session, 1, 2);
    ledger.arrived(session, other, "x");

    assertThat(ledger.report().clean()).isTrue();
  }

  @Test
  void findsWhatNobodySentThere() {
    send(1);
    arrive(romeo(), 2);
    ledger.arrived(ledger.session("mercutio", "m", true, Trust.MANAGED), key(1), "id");

    assertThat(ledger.report().invented()).containsExactly(key(2), key(1));
  }

  @Test
  void aBreachOfTheProtocolIsNotClean() {
    ledger.violated("h goes backwards");

    assertThat(ledger.report().clean()).isFalse();
    assertThat(ledger.report().violations()).isEqualTo(List.of("h goes backwards"));
  }

  /// A server sends again what the other one has not acknowledged when the link breaks.
  @Test
  void aBrokenLinkAllowsOneMoreStanzaId() {
    MessageLedger federated = MessageLedger.federated(null);
    federated.sent(key(1));
    federated.acknowledged(key(1));
    int session = federated.session("romeo", "r", true, Trust.MANAGED);
    federated.arrived(session, key(1), "first");
    federated.linkBroken();
    federated.arrived(session, key(1), "second");
    assertThat(federated.report().clean()).isTrue();
    assertThat(federated.report().counts().sentAgainByServer()).isOne();
    federated.arrived(session, key(1), "third");
    assertThat(federated.report().doubled()).containsExactly(key(1));
  }

  @Test
  void aLinkThatWasBrokenBeforeAMessageWasSentIsNoReason() {
    MessageLedger federated = MessageLedger.federated(null);
    federated.linkBroken();
    federated.sent(key(1));
    int session = federated.session("romeo", "r", true, Trust.MANAGED);
    federated.arrived(session, key(1), "first");
    federated.arrived(session, key(1), "second");
    assertThat(federated.report().doubled()).containsExactly(key(1));
  }

  @Test
  void aLinkMayBreakAfterAMessageThatWasSentWhileItWasToBreak() {
    MessageLedger federated = MessageLedger.federated(null);
    federated.linkBreaks();
    federated.sent(key(1));
    int session = federated.session("romeo", "r", true, Trust.MANAGED);
    federated.arrived(session, key(1), "first");
    federated.arrived(session, key(1), "second");
    assertThat(federated.report().doubled()).isEmpty();
    federated.arrived(session, key(1), "third");
    assertThat(federated.report().doubled()).containsExactly(key(1));
  }

  @Test
  void aSenderCountsByOne() {
    send(1);
    assertThatThrownBy(() -> send(3)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void keysAreReadFromWhatTheyWrite() {
    assertThat(History.Key.parse(key(17).toString())).isEqualTo(key(17));
    for (String other : List.of("", "a", "a-b", "-b-1", "a--1", "a-b-", "a-b-x")) {
      assertThat(History.Key.parse(other)).as(other).isNull();
    }
  }

  @Test
  void theJournalHasEveryEvent(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("history.txt");
    try (Journal journal = new Journal(file)) {
      MessageLedger told = new MessageLedger(journal);
      told.sent(key(1));
      told.acknowledged(key(1));
      told.arrived(told.session("romeo", "r", true, Trust.MANAGED), key(1), "id1");
    }
    assertThat(Files.readAllLines(file))
        .extracting(line -> line.substring(line.indexOf(' ') + 1))
        .containsExactly(
            "sent juliet-romeo-1",
            "acknowledged juliet-romeo-1",
            "session romeo/r 0",
            "arrived juliet-romeo-1 0 id1");
  }

  private int romeo() {
    return ledger.session("romeo", "r", true, Trust.MANAGED);
  }

  private void send(long... numbers) {
    for (long number : numbers) {
      ledger.sent(key(number));
    }
  }

  private void acknowledge(long... numbers) {
    for (long number : numbers) {
      ledger.acknowledged(key(number));
    }
  }

  private void arrive(int session, long... numbers) {
    for (long number : numbers) {
      ledger.arrived(session, key(number), "id" + number);
    }
  }

  private static History.Key key(long number) {
    return new History.Key("juliet", "romeo", number);
  }
}
