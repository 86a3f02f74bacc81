package im.zonda.module.muc.home;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.Origin;
import org.junit.jupiter.api.Test;

class SentMessagesTest {
  private final SentMessages messages = new SentMessages();

  @Test
  void copiesAreMeasuredFromTheArrivalOfTheMessage() {
    Origin alone = messages.send(1, 77);
    assertThat(alone.since()).isEqualTo(77);
    assertThat(alone.acknowledges()).isFalse();
    alone.release();
    messages.start(1);
    Origin counted = messages.send(2, 78);
    assertThat(counted.since()).isEqualTo(78);
    assertThat(messages.handledUpTo()).isEqualTo(1);
    counted.release();
    assertThat(messages.handledUpTo()).isEqualTo(2);
  }

  @Test
  void thoseOfAFormerHomeAreNot() {
    assertThat(messages.send(1)).isSameAs(Origin.NONE);
    messages.start(1);
    assertThat(messages.send(2).since()).isZero();
  }
}
