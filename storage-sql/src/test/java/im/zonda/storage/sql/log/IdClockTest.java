package im.zonda.storage.sql.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdClockTest {
  private long now = 1_763_700_000_000_000L;

  private Instant instant() {
    return Instant.ofEpochSecond(now / 1_000_000, now % 1_000_000 * 1_000);
  }

  @Test
  void aServerAloneUsesEveryMicrosecond() {
    IdClock clock = new IdClock(this::instant, 0);
    assertThat(clock.next()).isEqualTo(now);
    assertThat(clock.next()).isEqualTo(now + 1);
    now += 5;
    assertThat(clock.next()).isEqualTo(now);
    now -= 1_000;
    assertThat(clock.next()).isEqualTo(now + 1_001);
  }

  @Test
  void theFirstIdIsAtLeastTheOneAskedFor() {
    for (int node = 0; node < 3; node++) {
      assertThat(new IdClock(this::instant, now + 100, node, 3).next())
          .isBetween(now + 100, now + 102);
    }
  }

  /// Owners move between nodes whose clocks differ, and each move raises the new node's clock.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void idsOfSeveralNodesAreUniqueAndGrowForEachOwner(long seed) {
    Random random = new Random(seed);
    int nodes = 1 + random.nextInt(16);
    List<IdClock> clocks = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      long skew = random.nextLong(2_000_000) - 1_000_000;
      clocks.add(new IdClock(() -> instant().plusNanos(skew * 1_000), 0, node, nodes));
    }
    Set<Long> issued = new HashSet<>();
    Map<Integer, Integer> homes = new HashMap<>();
    Map<Integer, Long> lastOf = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      int owner = random.nextInt(20);
      if (random.nextInt(10) == 0 || !homes.containsKey(owner)) {
        int home = random.nextInt(nodes);
        homes.put(owner, home);
        clocks.get(home).raiseAbove(lastOf.getOrDefault(owner, 0L));
      }
      int home = homes.get(owner);
      long id = clocks.get(home).next();
      assertThat(Math.floorMod(id, nodes)).isEqualTo(home);
      assertThat(issued.add(id)).as("issued once").isTrue();
      assertThat(id).isGreaterThan(lastOf.getOrDefault(owner, 0L));
      lastOf.put(owner, id);
      now += random.nextInt(-3, 5);
    }
  }

  @Test
  void threadsThatShareAClockGetDifferentIds() throws InterruptedException, ExecutionException {
    IdClock clock = new IdClock(this::instant, 0, 2, 7);
    CountDownLatch start = new CountDownLatch(1);
    Set<Long> all = new HashSet<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Long>>> results = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        results.add(
            threads.submit(() -> {
              start.await();
              List<Long> own = new ArrayList<>();
              for (int i = 0; i < 1_000; i++) {
                own.add(clock.next());
                clock.raiseAbove(own.getLast());
              }
              return own;
            }));
      }
      start.countDown();
      for (Future<List<Long>> result : results) {
        assertThat(result.get()).isSorted();
        all.addAll(result.get());
      }
    }
    assertThat(all).hasSize(8_000);
  }

  @Test
  void aRaisedClockNeedsANewBound() {
    IdClock clock = new IdClock(this::instant, now + 10_000_000);
    clock.reserved(now + 20_000_000);
    assertThat(clock.low()).isFalse();
    clock.raiseAbove(now + 30_000_000);
    assertThat(clock.low()).isTrue();
    assertThat(clock.wanted()).isGreaterThan(now + 30_000_000);
    clock.raiseAbove(now);
    assertThat(clock.next()).as("a lower id changes nothing").isEqualTo(now + 30_000_001);
  }

  @Test
  void aNodeHasANumberBelowTheirCount() {
    for (int node : new int[] {-1, 3}) {
      assertThatThrownBy(() -> new IdClock(this::instant, 0, node, 3))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new IdClock(this::instant, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
