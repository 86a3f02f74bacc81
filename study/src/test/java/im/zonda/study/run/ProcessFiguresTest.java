package im.zonda.study.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessFiguresTest {
  @Test
  void readsThisProcess() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/stat")), "there is no /proc");

    ProcessFigures figures = ProcessFigures.of(ProcessHandle.current().pid());

    assertThat(figures.cpuMillis()).isPositive();
    assertThat(figures.jitMillis()).isPositive().isLessThan(figures.cpuMillis());
    assertThat(figures.kilobytes())
        .containsOnlyKeys("VmSize", "VmHWM", "VmRSS", "Pss", "AnonHugePages");
    assertThat(figures.kilobytes().get("VmRSS")).isLessThan(figures.kilobytes().get("VmSize"));
  }
}
