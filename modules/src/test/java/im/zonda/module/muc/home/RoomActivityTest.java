package im.zonda.module.muc.home;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.TestXml;
import org.junit.jupiter.api.Test;

class RoomActivityTest {
  private static final long HOUR = 3_600_000;
  private static final long NOW = 480_000 * HOUR + HOUR / 2;

  private final RoomActivity activity = new RoomActivity();

  private void count(int messages, long millis) {
    for (int i = 0; i < messages; i++) {
      activity.count(millis);
    }
  }

  @Test
  void theRateIsThatOfTheLastDay() {
    activity.restart(NOW - 24 * HOUR);
    count(36, NOW - 10 * HOUR);
    count(12, NOW - 2 * HOUR); // the archive is read from the newest on, or not
    assertThat(activity.perHour(NOW, 0)).hasValue(2);
  }

  @Test
  void olderMessagesAreForgotten() {
    activity.restart(NOW - 24 * HOUR);
    count(48, NOW);
    count(5, NOW - 30 * HOUR);
    assertThat(activity.perHour(NOW, 0)).hasValue(2);
    assertThat(activity.perHour(NOW + 24 * HOUR, 0).getAsDouble()).isBetween(1.9, 2.0);
    assertThat(activity.perHour(NOW + 26 * HOUR, 0)).hasValue(0);
  }

  @Test
  void aNewRoomHasARateOverItsAge() {
    activity.restart(NOW - 24 * HOUR);
    count(6, NOW - HOUR / 2);
    assertThat(activity.perHour(NOW, NOW - HOUR / 2)).hasValue(6);
    assertThat(activity.perHour(NOW + HOUR, NOW - 2 * HOUR)).hasValue(2);
  }

  @Test
  void thereIsNoRateBeforeMessagesWereCountedForAnHour() {
    assertThat(activity.perHour(NOW, 0)).isEmpty();
    count(3, NOW);
    assertThat(activity.perHour(NOW + HOUR - 1, 0)).isEmpty();
    assertThat(activity.perHour(NOW + HOUR, 0)).hasValue(3);
  }

  @Test
  void aRoomWithMoreMessagesThanAreReadHasTheRateOfThose() {
    activity.restart(NOW - 24 * HOUR);
    count(100, NOW);
    activity.startAt(NOW - HOUR / 4);
    assertThat(activity.perHour(NOW, 0)).hasValue(400);
  }

  @Test
  void messagesWithoutBodyAndCorrectionsDoNotCount() {
    assertThat(RoomActivity.counts(TestXml.message("<message><body>x</body></message>"))).isTrue();
    assertThat(RoomActivity.counts(TestXml.message("<message><subject>x</subject></message>")))
        .isFalse();
    assertThat(
            RoomActivity.counts(
                TestXml.message(
                    "<message><body>x</body>"
                        + "<replace xmlns='urn:xmpp:message-correct:0' id='1'/></message>")))
        .isFalse();
  }
}
