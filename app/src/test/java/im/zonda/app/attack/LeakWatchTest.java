package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A watch that gets no reports would let every leak pass.
@Tag("small-heap")
class LeakWatchTest {
  @Test
  void hearsAPlantedLeak() {
    try (LeakWatch watch = LeakWatch.open()) {
      PooledByteBufAllocator.DEFAULT.buffer(64).writeInt(1);
      assertThatThrownBy(
              () -> watch.assertNone(() -> PooledByteBufAllocator.DEFAULT.buffer(64).release()))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("LEAK");
    }
  }
}
