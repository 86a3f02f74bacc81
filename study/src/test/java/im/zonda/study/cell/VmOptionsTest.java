package im.zonda.study.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VmOptionsTest {
  private final VmOptions options =
      new VmOptions(
          List.of(
              "-XX:+UseG1GC",
              "-XX:-G1UseAdaptiveIHOP",
              "-XX:MaxNewSize=64m",
              "-XX:+UseCompactObjectHeaders",
              "-XX:+ExitOnOutOfMemoryError"),
          Path.of("graal"));

  @Test
  void theFirstCellHasTheOptionsOfTheProduct() {
    assertThat(options.of(Vm.BASE)).containsAll(options.shipped());
  }

  @Test
  void anotherCollectorTakesThePlaceOfG1() {
    assertThat(options.of(Vm.BASE.with(Collector.SERIAL)))
        .contains("-XX:+UseSerialGC", "-XX:MaxNewSize=64m", "-XX:+ExitOnOutOfMemoryError")
        .doesNotContain("-XX:+UseG1GC", "-XX:-G1UseAdaptiveIHOP");
    assertThat(options.of(Vm.BASE.with(Collector.G1)))
        .contains("-XX:+UseG1GC")
        .doesNotContain("-XX:MaxNewSize=64m");
  }

  @Test
  void eachFactorHasItsOption() {
    assertThat(options.of(Vm.BASE.withoutCompactHeaders()))
        .contains("-XX:-UseCompactObjectHeaders")
        .doesNotContain("-XX:+UseCompactObjectHeaders");
    assertThat(options.of(Vm.BASE.with(Jit.GRAAL)))
        .contains("-XX:+UseJVMCICompiler", "--upgrade-module-path=graal");
    assertThat(options.of(Vm.BASE.with(LargePages.TRANSPARENT)))
        .contains("-XX:+UseTransparentHugePages");
  }

  @Test
  void cellsHaveNamesOfTheirOwnAndTheFirstIsTheBase() {
    List<Cell> cells = Matrix.cells(Set.of("other"));

    assertThat(cells.getFirst().name()).isEqualTo(Cell.BASE);
    assertThat(new HashSet<>(cells.stream().map(Cell::name).toList())).hasSize(cells.size());
    assertThat(cells.stream().map(Cell::name)).contains("jvm-other", "zgc", "driver");
  }
}
