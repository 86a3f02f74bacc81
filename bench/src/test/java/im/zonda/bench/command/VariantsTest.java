package im.zonda.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariantsTest {
  @Test
  void eachCombinationRunsOnce() {
    Variants variants =
        new Variants(
            Map.of("times", List.of("1", "10")), List.of("zgc"), List.of("default", "thp"));

    assertThat(variants.all())
        .containsExactly(
            new Variants.Variant(
                "times-1-zgc-default", Map.of("times", "1"), "-XX:-UseG1GC -XX:+UseZGC"),
            new Variants.Variant(
                "times-1-zgc-thp",
                Map.of("times", "1"),
                "-XX:-UseG1GC -XX:+UseZGC -XX:+UseTransparentHugePages"),
            new Variants.Variant(
                "times-10-zgc-default", Map.of("times", "10"), "-XX:-UseG1GC -XX:+UseZGC"),
            new Variants.Variant(
                "times-10-zgc-thp",
                Map.of("times", "10"),
                "-XX:-UseG1GC -XX:+UseZGC -XX:+UseTransparentHugePages"));
  }

  @Test
  void withoutValuesThereIsOneRun() {
    assertThat(new Variants(Map.of(), List.of(), List.of()).all())
        .containsExactly(new Variants.Variant("", Map.of(), ""));
  }

  @Test
  void anUnknownCollectorIsRejectedWithThoseThatThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Variants(Map.of(), List.of("cms"), List.of()))
        .withMessage("--gc cms: there are g1, parallel, serial, shenandoah, shipped, zgc");
  }

  @Test
  void tooManyRunsAreRejected() {
    Variants variants =
        new Variants(Map.of("times", Collections.nCopies(101, "1")), List.of(), List.of());

    assertThatIllegalArgumentException()
        .isThrownBy(variants::all)
        .withMessage("101 runs are more than 100");
  }
}
