package im.zonda.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.store.StoreException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class PatientFlushTest {
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
    PatientFlush.flush(
        failing(StoreException.Category.UNAVAILABLE, StoreException.Category.OVERLOADED),
        () -> false);
    assertThat(flushes).isEqualTo(3);
  }

  @Test
  void doesNotWaitForALogThatIsClosed() {
    Runnable flush = failing(StoreException.Category.UNAVAILABLE, StoreException.Category.CLOSED);
    assertThatThrownBy(() -> PatientFlush.flush(flush, () -> false))
        .isInstanceOf(StoreException.class)
        .extracting(e -> ((StoreException) e).category())
        .isEqualTo(StoreException.Category.CLOSED);
    assertThat(flushes).isEqualTo(2);
  }

  @Test
  void doesNotWaitIfTheClusterHasGoneOn() {
    Runnable flush =
        failing(StoreException.Category.UNAVAILABLE, StoreException.Category.UNAVAILABLE);
    assertThatThrownBy(() -> PatientFlush.flush(flush, () -> flushes == 2))
        .isInstanceOf(StoreException.class);
    assertThat(flushes).isEqualTo(2);
  }

  @Test
  void aThreadThatIsInterruptedDoesNotWait() {
    Runnable flush = failing(StoreException.Category.UNAVAILABLE);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> PatientFlush.flush(flush, () -> false))
          .isInstanceOf(StoreException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
