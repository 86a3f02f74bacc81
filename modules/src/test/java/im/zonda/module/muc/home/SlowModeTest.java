package im.zonda.module.muc.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.SlowMode.Decision;
import im.zonda.module.muc.room.RoomMemory;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SlowModeTest {
  private static final Jid CRONE = Jid.of("crone@example.org");
  private static final Jid HAG = Jid.of("hag@example.org");

  private final RoomMemory memory = new RoomMemory(1_000_000);
  private final SlowMode slowMode = new SlowMode(memory);

  @Test
  void anAccountWaitsForTheWholeDuration() {
    assertThat(slowMode.speak(CRONE, 0, 20)).isEqualTo(Decision.ALLOWED);
    assertThat(slowMode.speak(CRONE, 19_999, 20)).isEqualTo(Decision.TOO_SOON);
    assertThat(slowMode.speak(HAG, 19_999, 20)).isEqualTo(Decision.ALLOWED);
    assertThat(slowMode.speak(CRONE, 20_000, 20)).isEqualTo(Decision.ALLOWED);
    assertThat(slowMode.speak(HAG, 20_000, 20)).isEqualTo(Decision.TOO_SOON);
  }

  @Test
  void aRejectedMessageDoesNotProlongTheWait() {
    slowMode.speak(CRONE, 0, 20);
    slowMode.speak(CRONE, 10_000, 20);
    assertThat(slowMode.speak(CRONE, 20_000, 20)).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void aMessageOfAClockThatWasAheadMakesNobodyWait() {
    long year = 31_536_000_000L;
    slowMode.restore(HAG, year);
    slowMode.restore(CRONE, year);
    assertThat(slowMode.speak(CRONE, 0, 20)).isEqualTo(Decision.ALLOWED);
    assertThat(slowMode.speak(CRONE, 19_999, 20)).isEqualTo(Decision.TOO_SOON);
    assertThat(slowMode.speak(CRONE, 20_000, 20)).isEqualTo(Decision.ALLOWED);
    assertThat(slowMode.speak(HAG, 20_000, 20)).isEqualTo(Decision.ALLOWED);
    slowMode.clear();
    assertThat(memory.usedBy(CRONE)).isZero();
    assertThat(memory.usedBy(HAG)).isZero();
  }

  @Test
  void aMessageThatWasNotSentDoesNotCount() {
    slowMode.speak(CRONE, 0, 20);
    slowMode.forget(CRONE);
    assertThat(slowMode.speak(CRONE, 1, 20)).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void anAccountIsChargedUntilItMaySendAgain() {
    slowMode.speak(CRONE, 0, 20);
    assertThat(memory.usedBy(CRONE)).isPositive();
    slowMode.speak(HAG, 20_000, 20);
    assertThat(memory.usedBy(CRONE)).isZero();
    slowMode.clear();
    assertThat(memory.usedBy(HAG)).isZero();
  }

  @Test
  void anAccountWithoutMemoryMayNotSend() {
    SlowMode poor = new SlowMode(new RoomMemory(600));
    assertThat(poor.speak(CRONE, 0, 20)).isEqualTo(Decision.ALLOWED);
    assertThat(poor.speak(HAG, 0, 20)).isEqualTo(Decision.NO_MEMORY);
    assertThat(poor.speak(HAG, 20_000, 20)).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void anotherNodeKnowsWhoHasToWait() throws IOException {
    slowMode.speak(CRONE, 0, 20);
    slowMode.speak(HAG, 10_000, 20);
    SlowMode next = new SlowMode(memory);
    next.restore(CRONE, 0); // from the archive
    next.read(slowMode.write());
    assertThat(next.speak(HAG, 20_000, 20)).isEqualTo(Decision.TOO_SOON);
    assertThat(next.speak(CRONE, 20_000, 20)).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void damagedBytesAreAnError() {
    slowMode.speak(CRONE, 0, 20);
    byte[] bytes = slowMode.write();
    byte[] damaged = Arrays.copyOf(bytes, bytes.length - 1);
    assertThatThrownBy(() -> slowMode.read(damaged)).isInstanceOf(IOException.class);
  }
}
