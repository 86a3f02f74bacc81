package im.zonda.cluster.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendBatchTest {
  private static final Jid ROOM = Jid.of("room@rooms.example.org");
  private static final Jid OCCUPANT = Jid.of("room@rooms.example.org/nick");
  private static final Jid ACCOUNT = Jid.of("juliet@example.org");

  private final List<String> done = new ArrayList<>();
  private final SendBatch together =
      new SendBatch(new Inbox(Runnable::run, () -> done.add("left")));

  private void add(Jid from, String name) {
    together.add(from, () -> done.add(name));
  }

  @Test
  void whatAHomeSendsInOneActionLeavesTogetherAndInOrder() {
    together.run(
        ROOM,
        () -> {
          add(OCCUPANT, "first");
          add(OCCUPANT, "second");
          assertThat(done).isEmpty();
        });
    assertThat(done).containsExactly("first", "second", "left");
  }

  @Test
  void whatOthersSendOnTheSameThreadDoesNotWait() {
    together.run(
        ROOM,
        () -> {
          add(OCCUPANT, "of the room");
          add(ACCOUNT, "of an account");
        });
    assertThat(done).containsExactly("of an account", "left", "of the room", "left");
  }

  @Test
  void outsideOfAnActionNothingWaits() {
    add(OCCUPANT, "one");
    assertThat(done).containsExactly("one", "left");
  }

  @Test
  void ofALargeRoomSomeLeaveMeanwhile() {
    together.run(
        ROOM,
        () -> {
          for (int i = 0; i < 100; i++) {
            add(OCCUPANT, "one");
          }
          assertThat(done).hasSize(65).last().isEqualTo("left");
        });
    assertThat(done).hasSize(102).last().isEqualTo("left");
  }

  @Test
  void anActionThatFailsLosesNothing() {
    assertThatThrownBy(() ->
            together.run(
                ROOM,
                () -> {
                  add(OCCUPANT, "one");
                  throw new IllegalStateException("expected by the test");
                }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(done).containsExactly("one", "left");
  }
}
