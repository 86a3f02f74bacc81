package im.zonda.bench.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.bench.result.Result;
import im.zonda.bench.target.Target.TargetProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SamplerTest {
  private static final long SELF = ProcessHandle.current().pid();

  @Test
  void theCpuTimeOfAProcessIsWhatItsOwnThreadsHaveUsed() throws IOException {
    assumeTrue(ProcFiles.ofMachine().exist(), "needs /proc");
    try (Sampler sampler = new Sampler(List.of(new TargetProcess("server", SELF)), List.of(SELF))) {
      double own = work();
      Samples samples = sampler.stop();
      double micros = samples.uses().getFirst().cpuMicros();
      assertTrue(micros >= own, micros + " us of all threads, " + own + " us of this one");
      assertTrue(samples.uses().getFirst().residentMost() > 1 << 20);
      assertEquals(
          List.of("cpu-server", "rss-server", "cpu-generator"),
          samples.series().stream().map(Result.Series::name).toList());
      assertFalse(samples.threads().isEmpty());
      assertTrue(samples.machine().generator() > 0);
    }
  }

  /// Uses 30 ms of CPU, and says how much it was, in microseconds.
  private static double work() {
    var threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    while (threads.getCurrentThreadCpuTime() - begin < 30_000_000) {
      Thread.onSpinWait();
    }
    return (threads.getCurrentThreadCpuTime() - begin) / 1e3;
  }

  @Test
  void withoutFilesOfTheKernelNothingIsKnown(@TempDir Path nothing) throws IOException {
    ProcFiles none = new ProcFiles(nothing);
    try (Sampler sampler =
        new Sampler(none, List.of(new TargetProcess("server", SELF)), List.of(SELF))) {
      Samples samples = sampler.stop();
      assertEquals(List.of(), samples.uses());
      assertTrue(Double.isNaN(samples.machine().others()));
      assertEquals(List.of(), samples.notes());
    }
  }

  @Test
  void otherWorkOnTheMachineIsSaid() {
    Samples samples =
        new Samples(0, 1, List.of(), List.of(), Map.of(), new Samples.Machine(0.5, 0.3, 0.1));
    assertEquals(
        List.of(
            "Other work on the machine used 0.30 processors; figures with less than 0.25 can be"
                + " relied on."),
        samples.notes());
  }
}
