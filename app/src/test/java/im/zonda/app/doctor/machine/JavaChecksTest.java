package im.zonda.app.doctor.machine;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Finding.Level;
import java.util.List;
import org.junit.jupiter.api.Test;

class JavaChecksTest {
  private static final long GIB = 1L << 30;
  private static final List<String> EXIT = List.of("-XX:+ExitOnOutOfMemoryError");

  private static ProcessFacts.Java java(int feature, long heap, String collector) {
    return new ProcessFacts.Java(feature + ".0.1", feature, heap, List.of(collector), EXIT);
  }

  private static ProcessFacts.Java with(String... options) {
    return new ProcessFacts.Java("25", 25, GIB, List.of("G1"), List.of(options));
  }

  @Test
  void aGoodRuntimeHasNothingToMend() {
    assertThat(JavaChecks.all(java(25, GIB, "G1 Young Generation")))
        .hasSize(4)
        .allMatch(each -> each.level() == Level.OK);
  }

  @Test
  void version() {
    assertThat(JavaChecks.version(java(25, GIB, "G1")).level()).isEqualTo(Level.OK);
    assertThat(JavaChecks.version(java(24, GIB, "G1")).level()).isEqualTo(Level.PROBLEM);
  }

  @Test
  void heap() {
    assertThat(JavaChecks.heap(java(25, 128L << 20, "G1")).level()).isEqualTo(Level.OK);
    assertThat(JavaChecks.heap(java(25, 127L << 20, "G1")).level()).isEqualTo(Level.WARNING);
  }

  @Test
  void collector() {
    for (String good : List.of("G1 Old Generation", "ZGC Minor Cycles", "Shenandoah Cycles")) {
      assertThat(JavaChecks.collector(java(25, GIB, good)).level()).isEqualTo(Level.OK);
    }
    for (String bad : List.of("Copy", "MarkSweepCompact", "PS Scavenge")) {
      assertThat(JavaChecks.collector(java(25, GIB, bad)).level()).isEqualTo(Level.WARNING);
    }
  }

  @Test
  void options() {
    String exit = EXIT.getFirst();
    assertThat(JavaChecks.options(with(exit, "-Xmx1g")))
        .extracting(Finding::level)
        .containsExactly(Level.OK);
    assertThat(JavaChecks.options(with()))
        .extracting(Finding::level)
        .containsExactly(Level.WARNING);
    assertThat(JavaChecks.options(with(exit, "-Xint")))
        .extracting(Finding::level)
        .containsExactly(Level.WARNING);
    assertThat(JavaChecks.options(with(exit, "-agentlib:jdwp=address=*:8000")))
        .extracting(Finding::level)
        .containsExactly(Level.PROBLEM);
  }
}
