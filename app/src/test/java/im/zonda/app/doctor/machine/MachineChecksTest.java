package im.zonda.app.doctor.machine;

import static im.zonda.app.finding.ExpectFinding.is;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.finding.Finding.Level;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineChecksTest {
  private static final long MIB = 1L << 20;

  static final MachineFacts GOOD =
      new MachineFacts(
          8_192 * MIB, null, 1_024 * MIB, 1L, "madvise", 4_096L, 1_024L, true, List.of("chronyd"));
  static final MachineFacts NOTHING =
      new MachineFacts(null, null, null, null, null, null, null, null, List.of());

  static ProcessFacts process(Long openFiles, Long swapped, long heap) {
    return new ProcessFacts(
        true,
        openFiles,
        swapped,
        1_000L,
        0L,
        new ProcessFacts.Java(
            "25.0.1", 25, heap, List.of("G1 Young"), List.of("-XX:+ExitOnOutOfMemoryError")));
  }

  private static final ProcessFacts SERVER = process(65_536L, 0L, 2_048 * MIB);

  static MachineFacts with(String name, Object value) {
    return FactsCopy.with(GOOD, name, value);
  }

  @Test
  void aGoodMachineHasNothingToMend() {
    assertThat(MachineChecks.all(GOOD, SERVER, 20_000)).allMatch(each -> each.level() == Level.OK);
    assertThat(MachineChecks.all(GOOD, SERVER, 20_000))
        .noneMatch(each -> each.text().startsWith("not known"));
  }

  @Test
  void whatIsNotKnownIsNoProblem() {
    ProcessFacts unknown = new ProcessFacts(true, null, null, null, null, SERVER.java());
    assertThat(MachineChecks.all(NOTHING, unknown, 20_000))
        .hasSize(6)
        .allMatch(each -> each.level() == Level.OK && each.text().startsWith("not known: "));
  }

  @Test
  void openFiles() {
    is(Level.OK, MachineChecks.openFiles(process(21_024L, 0L, MIB), 20_000), "21024 files");
    is(
        Level.OK,
        MachineChecks.openFiles(process(Long.MAX_VALUE, 0L, MIB), 20_000),
        "any number of files");
    is(
        Level.WARNING,
        MachineChecks.openFiles(process(21_023L, 0L, MIB), 20_000),
        "21023 files, but limits allow 20000 connections",
        "LimitNOFILE=65536");
    is(Level.PROBLEM, MachineChecks.openFiles(process(1_024L, 0L, MIB), 20_000), "only 1024 files");
    is(
        Level.WARNING,
        MachineChecks.openFiles(process(65_536L, 0L, MIB), 100_000),
        "LimitNOFILE=131072");
  }

  @Test
  void backlog() {
    is(Level.OK, MachineChecks.backlog(with("backlog", 4_096L)));
    is(
        Level.WARNING,
        MachineChecks.backlog(with("backlog", 128L)),
        "128 connections",
        "net.core.somaxconn = 4096");
  }

  @Test
  void swap() {
    is(Level.OK, MachineChecks.swap(with("swap", 0L), SERVER), "there is none");
    is(Level.OK, MachineChecks.swap(with("swappiness", 10L), SERVER), "1024 MiB");
    is(
        Level.WARNING,
        MachineChecks.swap(with("swappiness", 60L), SERVER),
        "vm.swappiness is 60",
        "vm.swappiness = 1");
    is(
        Level.WARNING,
        MachineChecks.swap(GOOD, process(65_536L, 20 * MIB, MIB)),
        "20 MiB of the server are in the swap",
        "MemorySwapMax=0");
    is(
        Level.OK,
        MachineChecks.swap(
            GOOD, new ProcessFacts(false, 65_536L, 20 * MIB, 0L, 0L, SERVER.java())));
  }

  @Test
  void hugePages() {
    is(Level.OK, MachineChecks.hugePages(with("hugePages", "never")));
    is(
        Level.WARNING,
        MachineChecks.hugePages(with("hugePages", "always")),
        "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
  }

  @Test
  void clock() {
    is(Level.OK, MachineChecks.clock(GOOD), "it is synchronised; chronyd runs");
    MachineFacts wrong = with("synchronised", false);
    is(Level.WARNING, MachineChecks.clock(wrong), "although a time service runs; chronyd runs");
    is(
        Level.WARNING,
        MachineChecks.clock(FactsCopy.with(wrong, "timeServices", List.of())),
        "no time service runs here",
        "sudo apt install chrony");
  }

  @Test
  void memory() {
    is(Level.OK, MachineChecks.memory(GOOD, SERVER), "this machine has 8192 MiB");
    MachineFacts container = with("memoryLimit", 2_304 * MIB);
    is(
        Level.OK,
        MachineChecks.memory(container, SERVER),
        "the limit of this container or service is 2304 MiB, the heap is 2048 MiB at most");
    is(
        Level.WARNING,
        MachineChecks.memory(with("memoryLimit", 2_303 * MIB), SERVER),
        "256 MiB beside it",
        "ZONDA_JAVA_OPTS=-Xmx1151m");
    is(
        Level.PROBLEM,
        MachineChecks.memory(with("memoryLimit", 1_024 * MIB), SERVER),
        "the kernel ends the server",
        "-Xmx512m");
  }
}
