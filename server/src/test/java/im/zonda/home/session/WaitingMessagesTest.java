package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.session.WaitingMessages.Room;
import org.junit.jupiter.api.Test;

/// What is known of how many messages wait.
final class WaitingMessagesTest {
  private final WaitingMessages waiting = new WaitingMessages();

  private void count(int answer) {
    waiting.asking();
    waiting.counted(answer);
  }

  @Test
  void thereIsRoomUpToTheLimit() {
    count(3);
    assertThat(waiting.room(5)).isEqualTo(Room.FREE);
    waiting.joined();
    waiting.joined();
    assertThat(waiting.room(5)).isEqualTo(Room.FULL);
  }

  @Test
  void aCountThatMayBeTooHighIsCheckedOnlyAtTheLimit() {
    count(4);
    waiting.delivered();
    assertThat(waiting.room(5)).isEqualTo(Room.FREE);
    waiting.joined();
    assertThat(waiting.room(5)).isEqualTo(Room.UNKNOWN);
    count(5);
    assertThat(waiting.room(5)).isEqualTo(Room.FULL);
  }

  @Test
  void whatMayHaveBeenCountedTwiceIsChecked() {
    count(2);
    waiting.joined(3);
    assertThat(waiting.room(5)).isEqualTo(Room.UNKNOWN);
  }

  @Test
  void aCountThatMayBeTooLowIsCheckedAlways() {
    count(0);
    waiting.joinedUncounted();
    assertThat(waiting.room(5)).isEqualTo(Room.UNKNOWN);
  }

  @Test
  void whatHappensWhileTheLogIsAskedMakesTheAnswerInexact() {
    waiting.asking();
    waiting.joinedUncounted();
    waiting.counted(1);
    assertThat(waiting.room(5)).isEqualTo(Room.UNKNOWN);
  }

  @Test
  void whenAllHasBeenReadThereIsNothingToRead() {
    assertThat(waiting.unread()).isFalse();
    count(1);
    assertThat(waiting.unread()).isTrue();
    waiting.unread(false);
    waiting.joined();
    assertThat(waiting.unread()).isTrue();
  }
}
