package im.zonda.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.history.RoomLedger.Report;
import im.zonda.testkit.history.RoomLedger.Said;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Plants each fault that the checker must find.
class RoomLedgerTest {
  private final RoomLedger ledger = new RoomLedger();
  private int stay;

  @BeforeEach
  void twoSpeakers() {
    List.of("a-1", "a-2", "a-3", "b-1", "b-2").forEach(ledger::said);
    stay = ledger.enters("room/a");
  }

  private static List<Said> archive(String... entries) {
    return Stream.of(entries).map(RoomLedgerTest::entry).toList();
  }

  private static Said entry(String text) {
    String[] parts = text.split(":", -1);
    return new Said(parts[0], parts[1]);
  }

  private void hears(String... entries) {
    for (String entry : entries) {
      ledger.heard(stay, entry(entry));
    }
  }

  @Test
  void allIsWell() {
    ledger.acknowledged("a-1");
    hears("11:b-1", "12:a-2");
    Report report = ledger.report(archive("10:a-1", "11:b-1", "12:a-2", "13:a-3"));
    assertThat(report.clean()).as("%s", report).isTrue();
  }

  @Test
  void whatWasAcknowledgedIsThere() {
    ledger.acknowledged("a-1");
    ledger.acknowledged("a-2");
    assertThat(ledger.report(archive("10:a-1")).lost()).containsExactly("a-2");
  }

  @Test
  void whatWasRefusedNeedNotBeThere() {
    ledger.acknowledged("a-2");
    ledger.refused("a-2");
    assertThat(ledger.report(archive("10:a-1")).clean()).isTrue();
  }

  @Test
  void nothingIsInvented() {
    assertThat(ledger.report(archive("10:c-1")).invented()).containsExactly("c-1");
    hears("11:c-2");
    assertThat(ledger.report(archive()).invented()).hasSize(1);
  }

  @Test
  void nothingIsKeptMoreOftenThanItWasSaid() {
    assertThat(ledger.report(archive("10:a-1", "11:a-1")).doubled()).containsExactly("a-1");
    ledger.said("a-1");
    assertThat(ledger.report(archive("10:a-1", "11:a-1")).clean()).isTrue();
  }

  @Test
  void nothingIsReceivedTwiceUnlessARoomMaySendItAgain() {
    RoomLedger lenient = new RoomLedger(true);
    for (RoomLedger each : List.of(ledger, lenient)) {
      List.of("a-1", "b-1").forEach(each::said);
      int visit = each.enters("room/b");
      Stream.of("10:a-1", "11:b-1", "10:a-1", "11:b-1")
          .forEach(entry -> each.heard(visit, entry(entry)));
    }
    List<Said> archive = archive("10:a-1", "11:b-1");
    assertThat(ledger.report(archive).wronglyReceived()).hasSize(2);
    assertThat(lenient.report(archive).clean()).isTrue();
    assertThat(lenient.report(archive).repeated()).isEqualTo(2);
  }

  @Test
  void theOrderOfASpeakerIsKept() {
    assertThat(ledger.report(archive("10:a-2", "11:b-1", "12:a-1")).disordered())
        .containsExactly("a-1");
  }

  /// Its sender says it again when it has entered, after what the room has taken meanwhile.
  @Test
  void whatWasRefusedHasThePlaceInWhichItWasSaidAgain() {
    ledger.refused("a-1");
    assertThat(ledger.report(archive("10:a-2", "11:b-1", "12:a-1")).disordered()).isEmpty();
    ledger.refused("a-3");
    assertThat(ledger.report(archive("10:a-3", "11:b-1", "12:a-2")).disordered()).isEmpty();
  }

  @Test
  void everyoneHearsTheOrderOfTheArchive() {
    hears("11:b-1", "10:a-1");
    assertThat(ledger.report(archive("10:a-1", "11:b-1")).wronglyReceived()).hasSize(1);
  }

  @Test
  void noClientReceivesAMessageTwice() {
    hears("10:a-1", "10:a-1");
    assertThat(ledger.report(archive("10:a-1")).wronglyReceived()).hasSize(1);
  }

  @Test
  void noClientReceivesAnotherMessage() {
    hears("10:a-2");
    assertThat(ledger.report(archive("10:a-1")).wronglyReceived()).hasSize(1);
  }

  @Test
  void noClientMissesAMessage() {
    hears("10:a-1", "12:a-2");
    assertThat(ledger.report(archive("10:a-1", "11:b-1", "12:a-2")).missed()).hasSize(1);
    // An occupant that enters again may have missed messages.
    stay = ledger.enters("room/a");
    hears("14:a-3");
    assertThat(ledger.report(archive("10:a-1", "11:b-1", "12:a-2", "13:b-2", "14:a-3")).missed())
        .hasSize(1);
  }

  @Test
  void onlyTheLastWordsBeforeACrashMayVanish() {
    hears("10:a-1", "11:b-1");
    assertThat(ledger.report(archive("10:a-1")).clean()).isTrue();
    hears("12:a-2");
    assertThat(ledger.report(archive("10:a-1", "12:a-2")).vanished()).hasSize(1);
  }
}
