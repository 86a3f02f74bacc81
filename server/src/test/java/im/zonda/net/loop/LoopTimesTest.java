package im.zonda.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopTimesTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final LoopTimes times = new LoopTimes();

  @Test
  void turnsAreAddedUp() {
    times.turn(3, 20, 1);
    times.turn(0, 30, 2);
    assertThat(times.events()).isEqualTo(3);
    assertThat(times.busy()).isEqualTo(50);
  }

  @Test
  void theLongestTurnIsForgottenAfterAMinute() {
    for (long start : new long[] {0, -SECOND, Long.MAX_VALUE / 2}) {
      LoopTimes own = new LoopTimes();
      own.turn(1, 900, start);
      own.turn(1, 20, start + SECOND);
      own.turn(1, 30, start + 30 * SECOND);
      assertThat(own.longest(start + 50 * SECOND)).isEqualTo(900);
      assertThat(own.longest(start + 66 * SECOND)).isEqualTo(30);
      assertThat(own.longest(start + 100 * SECOND)).isZero();
      own.turn(1, 5, start + 120 * SECOND);
      assertThat(own.longest(start + 121 * SECOND)).isEqualTo(5);
    }
  }

  @Test
  void aLoopSaysWhatItDoes() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    MeasuredLoops loops =
        new MeasuredLoops(1, new DefaultThreadFactory("test"), NioIoHandler.newFactory());
    try {
      MeasuredLoop loop = (MeasuredLoop) loops.iterator().next();
      loop.execute(() -> {
        begun.countDown();
        try {
          end.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      begun.await();
      Duration before = loop.figures(1, 7).busy();
      loop.execute(() -> {});
      assertThat(loop.figures(1, 7).tasks()).isEqualTo(1);
      assertThat(loop.figures(1, 7).connections()).isEqualTo(7);
      end.countDown();
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
      assertThat(loop.figures(1, 7).busy()).isGreaterThan(before);
      assertThat(loop.figures(1, 7).longest()).isPositive();
      assertThat(loop.figures(1, 7).tasks()).isZero();
    } finally {
      end.countDown();
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }
}
