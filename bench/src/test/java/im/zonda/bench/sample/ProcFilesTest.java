package im.zonda.bench.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import im.zonda.bench.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcFilesTest {
  private static final String BEHIND =
      " 700 700 0 -1 4194560 100 200 7 0 %d %d 5 6 20 0 1 0 1000 218000000 2600 0";

  @TempDir Path root;
  private ProcFiles files;

  @BeforeEach
  void record() throws IOException {
    files = new ProcFiles(root);
    write("stat", "cpu  63374 1616 6957 71259 746 20 235 105 0 0\ncpu0 30923 793 2872 37371\n");
    write("700/stat", "700 (a (name) of 2) S 1" + BEHIND.formatted(12, 30));
    write("700/status", "Name:\tpostgres\nVmHWM:\t   70000 kB\nVmRSS:\t   12345 kB\nThreads:\t1\n");
    write(
        "700/smaps_rollup",
        """
        55-7f ---p 00000000 00:00 0  [rollup]
        Rss: 99 kB
        Pss:  17 kB
        AnonHugePages:      2048 kB
        """);
    write("701/stat", "701 (child) S 700" + BEHIND.formatted(1, 0));
    write("702/stat", "702 (grandchild) S 701" + BEHIND.formatted(1, 0));
    write("703/stat", "703 (stranger) S 1" + BEHIND.formatted(1, 0));
    write("700/task/700/stat", "700 (java) S 1" + BEHIND.formatted(1, 1));
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void cpuTimeIsUserAndSystemTimeAlsoWithParenthesesInTheName() throws IOException {
    assertEquals(Optional.of(new ProcessStat(700, 1, 420_000_000, 107)), files.process(700));
    assertEquals(Optional.empty(), files.process(704));
  }

  @Test
  void aProcessIsSampledWithAllItsDescendants() throws IOException {
    assertEquals(List.of(700L, 701L, 702L), files.tree(700));
    assertEquals(List.of(703L), files.tree(703));
  }

  @Test
  void faultsCountFromAMomentAndHugePagesAsTheyAre() throws IOException {
    PageUse now = files.pages(700).orElseThrow();
    assertEquals(new PageUse(107, 2_048 * 1024), now);
    assertEquals(
        List.of(100.0, 2.0),
        now.figuresSince(new PageUse(7, 0)).stream().map(Result.Figure::value).toList());
    assertEquals(Optional.empty(), files.pages(704));
  }

  @Test
  void memoryThatProcessesShareIsCountedInProportion() throws IOException {
    assertEquals(12_345 * 1024, files.resident(700, false));
    assertEquals(17 * 1024, files.resident(700, true));
    assertEquals(0, files.resident(704, true));
  }

  @Test
  void theMachineWorksWhenItIsNeitherIdleNorWaitsNorIsStolen() throws IOException {
    long busy = (63_374 + 1_616 + 6_957 + 20 + 235) * 10_000_000L;
    assertEquals(new MachineStat(busy, 1_050_000_000), files.machine());
    assertEquals(new MachineStat(0, 0), files.machine().since(files.machine()));
  }

  @Test
  void anotherKernelIsAClearError() throws IOException {
    write("stat", "intr 1 2 3");
    assertThrows(IllegalArgumentException.class, files::machine);
  }
}
