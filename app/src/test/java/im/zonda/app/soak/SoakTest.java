package im.zonda.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.attack.LeakWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The first seconds of a [Soak]: enough to see that it runs and that nothing grows fast. A long
/// one runs with `./zonda test --soak MINUTES`.
@Timeout(120)
@Tag("small-heap")
class SoakTest {
  private static final boolean ALL = Boolean.getBoolean("zonda.test.all");
  private static final Duration ROUND = Duration.ofSeconds(ALL ? 20 : 3);

  @Test
  void nothingGrowsFast() throws IOException {
    try (LeakWatch leaks = LeakWatch.open();
        Soak soak = new Soak()) {
      soak.live(ROUND, 1);
      Vitals warm = Vitals.measure();
      soak.live(ROUND, 2);
      soak.live(ROUND, 3);
      leaks.assertNone(() -> soak.live(Duration.ofMillis(500), 4));
      Vitals end = Vitals.measure();

      assertThat(soak.steps()).isGreaterThan(ALL ? 600 : 60);
      assertThat(end.heap() - warm.heap()).as("%s, then %s", warm, end).isLessThan(16_000_000);
      assertThat(end.direct() - warm.direct()).as("direct memory").isLessThan(16_000_000);
      assertThat(end.threads() - warm.threads()).as("threads").isLessThan(10);
      assertThat(end.files() - warm.files()).as("files").isLessThan(30);
    }
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.DAYS)
  @EnabledIfSystemProperty(named = "zonda.soak.minutes", matches = "[0-9]+")
  void nothingGrows() throws Exception {
    Soak.main(new String[] {System.getProperty("zonda.soak.minutes")});
  }
}
