package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.ClusterRows;
import im.zonda.cluster.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Contract of the row of a cluster.
public abstract class ClusterRowsContract {
  private static final Member A = new Member("a", 7);
  private static final Member B = new Member("b-2", 1_795_000_000_000L);
  private static final ClusterRow FIRST =
      new ClusterRow(
          1,
          List.of(A, B),
          Map.of("a", 7L, "b-2", 1_795_000_000_000L, "gone", 3L),
          0,
          Set.of(B),
          1);

  /// The row of a cluster that has never run; all calls in one test give the same one, as another
  /// process has it.
  protected abstract ClusterRows rows();

  @Test
  void aClusterThatHasNeverRunHasAnEmptyRow() {
    assertThat(rows().read()).isEqualTo(ClusterRow.EMPTY);
  }

  @Test
  void anotherProcessReadsWhatWasSet() {
    assertThat(rows().compareAndSet(0, FIRST)).isTrue();
    assertThat(rows().read()).isEqualTo(FIRST);
    ClusterRow next = new ClusterRow(2, List.of(), Map.of("a", 8L), 0);
    assertThat(rows().compareAndSet(1, next)).isTrue();
    assertThat(rows().read()).isEqualTo(next);
  }

  @Test
  void anotherEpochIsNotReplaced() {
    ClusterRows rows = rows();
    assertThat(rows.compareAndSet(1, FIRST)).isFalse();
    assertThat(rows.read()).isEqualTo(ClusterRow.EMPTY);
    rows.compareAndSet(0, FIRST);
    assertThat(rows.compareAndSet(0, new ClusterRow(1, List.of(B), Map.of(), 0))).isFalse();
    assertThat(rows.compareAndSet(2, new ClusterRow(3, List.of(B), Map.of(), 0))).isFalse();
    assertThat(rows.read()).isEqualTo(FIRST);
  }

  @Test
  void renewalsCountInTheirEpochAndAreKept() {
    ClusterRows rows = rows();
    rows.renew(0);
    rows.compareAndSet(0, FIRST);
    rows.renew(1);
    rows().renew(1);
    rows.renew(2);
    assertThat(rows.read().renewals()).isEqualTo(2);
    rows.compareAndSet(1, new ClusterRow(2, List.of(A), Map.of(), 0));
    assertThat(rows.read()).isEqualTo(new ClusterRow(2, List.of(A), Map.of(), 2));
  }

  @Test
  void oneOfManyProcessesWins() throws Exception {
    int processes = 4;
    int epochs = 10;
    CyclicBarrier together = new CyclicBarrier(processes);
    try (ExecutorService threads = Executors.newFixedThreadPool(processes)) {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < processes; i++) {
        ClusterRows rows = rows();
        Member self = new Member("p" + i, i + 1);
        tasks.add(() -> {
          int won = 0;
          for (int epoch = 0; epoch < epochs; epoch++) {
            together.await();
            ClusterRow next = new ClusterRow(epoch + 1, List.of(self), Map.of(), 0);
            won += rows.compareAndSet(epoch, next) ? 1 : 0;
            together.await();
          }
          return won;
        });
      }
      int won = 0;
      for (Future<Integer> each : threads.invokeAll(tasks)) {
        won += each.get();
      }
      assertThat(won).isEqualTo(epochs);
    }
  }
}
