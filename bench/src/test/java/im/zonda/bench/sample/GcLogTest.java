package im.zonda.bench.sample;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import im.zonda.bench.result.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

class GcLogTest {
  /// From virtual machines with G1 and ZGC, and the beginning of a line that is being written.
  private static final String LOG =
      """
      [0.011s][1795946481638ms][781800695248ns] Concurrent Workers: 1
      [0.559s][1795946482186ms][782348548510ns] GC(0) Pause Young (Normal) (G1 Evacuation Pause)
      [0.575s][1795946482203ms][782365393440ns] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 15M->4M(32M) 16.842ms
      [0.575s][1795946482203ms][782365416235ns] Safepoint "G1CollectForAllocation", Time since last: 536468606 ns, Reaching safepoint: 3704 ns, At safepoint: 16877548 ns, Leaving safepoint: 3544 ns, Total: 16884796 ns, Threads: 0 runnable, 10 total
      [0.079s][1795946484731ms][784892881022ns] Safepoint "ZMarkStartYoungAndOld", Time since last: 35312337 ns, Reaching safepoint: 125333 ns, At safepoint: 28370 ns, Leaving safepoint: 17900 ns, Total: 171603 ns, Threads: 1 runnable, 8 total
      [0.091s][1795946484743ms][784904940699ns] GC(0) Major Collection (Warmup) 4M(12%)->6M(19%) 0.012s
      [0.787s][1795946485000ms][7849\
      """;

  private static final long BEGIN = 782_000_000_000L;
  private static final long END = 786_000_000_000L;

  private final GcLog log = GcLog.parse(LOG.lines());

  @Test
  void pausesAreMarksOnTheAxisOfTheMeasuredPart() {
    assertEquals(
        List.of(new Result.Mark(0.365416235, 16.884796, "G1CollectForAllocation")),
        log.marks(BEGIN, END, 1));
    assertEquals(2, log.marks(BEGIN, END, 0).size());
  }

  @Test
  void pausesBeforeAndAfterTheMeasuredPartAreLeftOut() {
    assertEquals(List.of(), log.marks(BEGIN + 1_000_000_000, END - 2_000_000_000, 0));
  }

  @Test
  void theHeapInUseIsThatAfterTheLastCollectionOfEachSecond() {
    double none = Double.NaN;
    assertArrayEquals(new double[] {4, none, 6, none}, log.liveHeap(BEGIN, 4).values());
  }
}
