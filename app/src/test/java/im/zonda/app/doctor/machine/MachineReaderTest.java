package im.zonda.app.doctor.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineReaderTest {
  @TempDir private Path root;

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void readsWhatLinuxHas() throws IOException {
    write("proc/meminfo", "MemTotal:        8000 kB\nMemFree: 1 kB\nSwapTotal:       100 kB\n");
    write("proc/sys/vm/swappiness", "60\n");
    write("proc/sys/net/core/somaxconn", "128\n");
    write("proc/sys/net/ipv4/ip_unprivileged_port_start", "1024\n");
    write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    write("proc/71/comm", "chronyd\n");
    write("proc/72/comm", "bash\n");
    MachineFacts facts = new MachineReader(root).machine();
    assertThat(facts.memory()).isEqualTo(8_000 * 1_024);
    assertThat(facts.swap()).isEqualTo(100 * 1_024);
    assertThat(facts.swappiness()).isEqualTo(60);
    assertThat(facts.backlog()).isEqualTo(128);
    assertThat(facts.firstFreePort()).isEqualTo(1_024);
    assertThat(facts.hugePages()).isEqualTo("madvise");
    assertThat(facts.memoryLimit()).isNull();
    assertThat(facts.timeServices()).containsExactly("chronyd");
  }

  @Test
  void theSmallestLimitOfTheControlGroupsCounts() throws IOException {
    write("proc/self/cgroup", "0::/system.slice/zonda.service\n");
    write("sys/fs/cgroup/system.slice/zonda.service/memory.max", "max\n");
    write("sys/fs/cgroup/system.slice/memory.max", "4096000\n");
    assertThat(new MachineReader(root).machine().memoryLimit()).isEqualTo(4_096_000);
    write("sys/fs/cgroup/system.slice/zonda.service/memory.max", "1024000\n");
    assertThat(new MachineReader(root).machine().memoryLimit()).isEqualTo(1_024_000);
    write("proc/self/cgroup", "0::/../../elsewhere\n");
    assertThat(new MachineReader(root).machine().memoryLimit()).isNull();
  }

  @Test
  void readsTheProcess() throws IOException {
    write(
        "proc/self/limits",
        "Limit  Soft  Hard  Units\nMax open files            1024    524288   files\n");
    write("proc/self/status", "Uid:\t7\t8\t8\t8\nCapEff:\t0000000000000400\nVmSwap:\t  12 kB\n");
    ProcessFacts facts = new MachineReader(root).process(true);
    assertThat(facts.openFiles()).isEqualTo(1_024);
    assertThat(facts.user()).isEqualTo(8);
    assertThat(facts.capabilities()).isEqualTo(0x400);
    assertThat(facts.swapped()).isEqualTo(12 * 1_024);
    assertThat(facts.java().feature()).isEqualTo(Runtime.version().feature());
    write("proc/self/limits", "Max open files            unlimited    unlimited   files\n");
    assertThat(new MachineReader(root).process(true).openFiles()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void nothingIsKnownWhereNothingIs() {
    MachineFacts facts = new MachineReader(root).machine();
    assertThat(facts.memory()).isNull();
    assertThat(facts.swap()).isNull();
    assertThat(facts.backlog()).isNull();
    assertThat(facts.hugePages()).isNull();
    assertThat(facts.timeServices()).isEmpty();
    ProcessFacts process = new MachineReader(root).process(false);
    assertThat(process.openFiles()).isNull();
    assertThat(process.capabilities()).isNull();
  }
}
