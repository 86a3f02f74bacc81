package im.zonda.cluster.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.store.StoreException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class RetryingFlushTest {
  private int flushes;

  /// Fails so, one time after the other; then it succeeds.
  private Runnable failing(StoreException.Category... categories) {
    Queue<StoreException.Category> failures = new ArrayDeque<>(List.of(categories));
    return () -> {
      flushes++;
      StoreException.Category failure = failures.poll();
      if (failure != null) {
        throw new StoreException(failure, "no", null);
      }
    };
  }

  @Test
  void waitsUntilTheDatabaseIsBack() {
    RetryingFlush.flush(
        failing(StoreException.Category.UNAVAILABLE, StoreException.Category.OVERLOADED),
        () -> false);
    assertThat(flushes).isEqualTo(3);
  }

  @Test
  void doesNotWaitForALogThatIsClosed() {
    Runnable flush = failing(StoreException.Category.UNAVAILABLE, StoreException.Category.CLOSED);
    assertThatThrownBy(() -> RetryingFlush.flush(flush, () -> false))
        .isInstanceOf(StoreException.class)
        .extracting(e -> ((StoreException) e).category())
        .isEqualTo(StoreException.Category.CLOSED);
    assertThat(flushes).isEqualTo(2);
  }

  @Test
  void doesNotWaitIfTheClusterHasGoneOn() {
    Runnable flush =
        failing(StoreException.Category.UNAVAILABLE, StoreException.Category.UNAVAILABLE);
    assertThatThrownBy(() -> RetryingFlush.flush(flush, () -> flushes == 2))
        .isInstanceOf(StoreException.class);
    assertThat(flushes).isEqualTo(2);
  }

  @Test
  void aThreadThatIsInterruptedDoesNotWait() {
    Runnable flush = failing(StoreException.Category.UNAVAILABLE);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> RetryingFlush.flush(flush, () -> false))
          .isInstanceOf(StoreException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
