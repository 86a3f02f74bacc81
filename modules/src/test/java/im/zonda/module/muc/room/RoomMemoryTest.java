package im.zonda.module.muc.room;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.RoomMemory.Charge;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomMemoryTest {
  private static final long LITTLE = 65_536;
  private static final long MAX = 10_000_000;
  private static final long PIECE = 1_000;

  private final RoomMemory memory = new RoomMemory(MAX);

  private static Jid user(int number) {
    return Jid.of("u" + number + "@example.org");
  }

  /// Charges pieces until one is rejected.
  private List<Charge> takeAll(Jid user) {
    List<Charge> taken = new ArrayList<>();
    Charge next = memory.charge(user);
    while (next.resize(PIECE)) {
      taken.add(next);
      next = memory.charge(user);
    }
    return taken;
  }

  @Test
  void oneAccountGetsAThirdOfHalfAndOthersAreServed() {
    takeAll(user(0));
    assertThat(memory.usedBy(user(0))).isBetween(MAX / 6, MAX / 6 + LITTLE);
    assertThat(memory.charge(user(1)).resize(100 * PIECE)).isTrue();
  }

  @Test
  void accountsThatUseMuchLeaveHalfToThoseThatUseLittle() {
    for (int i = 0; i < 50; i++) {
      takeAll(user(i));
    }
    assertThat(memory.used()).isLessThan(MAX / 2 + 51 * LITTLE);
    for (int i = 50; i < 60; i++) {
      assertThat(memory.charge(user(i)).resize(LITTLE)).isTrue();
    }
    for (int i = 60; i < 200; i++) {
      takeAll(user(i));
      assertThat(memory.used()).isLessThanOrEqualTo(MAX);
    }
    assertThat(memory.isScarce()).isTrue();
    assertThat(memory.charge(user(200)).resize(LITTLE)).as("all of it is used").isFalse();
  }

  @Test
  void endedChargesAreReleased() {
    List<Charge> taken = takeAll(user(0));
    Charge first = taken.getFirst();
    assertThat(first.resize(3 * PIECE)).isFalse();
    assertThat(first.resize(PIECE / 2)).isTrue();
    first.set(3 * PIECE);
    assertThat(memory.usedBy(user(0))).isEqualTo((taken.size() + 2) * PIECE);
    taken.forEach(Charge::release);
    taken.forEach(Charge::release);
    assertThat(memory.used()).isZero();
    assertThat(memory.usedBy(user(0))).isZero();
  }
}
