package im.zonda.module.muc.home;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.Origin;
import org.junit.jupiter.api.Test;

class SentMessagesTest {
  private final SentMessages messages = new SentMessages();

  /// What has caused a message.
  private record Cause(long since) implements Origin {
    @Override
    public long trace() {
      return since + 1;
    }

    @Override
    public boolean acknowledges() {
      return false;
    }

    @Override
    public void hold() {}

    @Override
    public void release() {}
  }

  @Test
  void copiesAreMeasuredFromTheArrivalOfTheMessage() {
    Origin alone = messages.send(1, new Cause(77));
    assertThat(alone.since()).isEqualTo(77);
    assertThat(alone.acknowledges()).isFalse();
    alone.release();
    messages.start(1);
    Origin counted = messages.send(2, new Cause(78));
    assertThat(counted.since()).isEqualTo(78);
    assertThat(counted.trace()).isEqualTo(79);
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
