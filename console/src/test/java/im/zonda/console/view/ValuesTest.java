package im.zonda.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.annotation.UnitText;
import im.zonda.operation.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValuesTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  private static Values values(String language) {
    return new Values(Objects.requireNonNull(ConsoleTexts.read().languages().get(language)), NOW);
  }

  @ParameterizedTest
  @CsvSource({
    "0s, now",
    "44s, now",
    "45s, 1 min ago",
    "5m, 5 min ago",
    "-5m, in 5 min",
    "89m, 89 min ago",
    "90m, 2 h ago",
    "-35h, in 35 h",
    "36h, 2 days ago",
    "60d, 60 days ago",
    "61d, 2026-09-28",
    "-61d, 2027-01-28"
  })
  void timesAreRelatedToNow(String before, String text) {
    boolean later = before.startsWith("-");
    Duration distance =
        Objects.requireNonNull(UnitText.duration(later ? before.substring(1) : before));
    Instant time = later ? NOW.plus(distance) : NOW.minus(distance);
    Cell cell = values("en").time(time);
    assertThat(cell.text()).isEqualTo(text);
    assertThat(cell.exact()).endsWith(" UTC").startsWith(time.toString().substring(0, 10));
  }

  @Test
  void numbersAreOfTheReadersLanguage() {
    assertThat(values("en").number(1_234_567)).isEqualTo("1,234,567");
    assertThat(values("de").number(1_234_567)).isEqualTo("1.234.567");
    assertThat(values("en").size(1_023)).isEqualTo("1023 B");
    assertThat(values("en").size(1_536)).isEqualTo("1.5 KiB");
    assertThat(values("en").size(75L << 30)).isEqualTo("75 GiB");
    assertThat(values("en").size(Long.MAX_VALUE)).isEqualTo("8192 PiB");
  }

  @Test
  void statesHaveAMeaningBesideTheWord() {
    Value text = new Value.Text(10);
    assertThat(values("en").cell(text, "failed")).isEqualTo(Cell.of("failed").with(Tone.BAD));
    assertThat(values("en").cell(text, "done").tone()).isEqualTo(Tone.GOOD);
    assertThat(values("en").cell(text, "blue").tone()).isEqualTo(Tone.PLAIN);
    assertThat(values("en").cell(new Value.Many(text, 9), List.of("a", "b")).text())
        .isEqualTo("a, b");
    assertThat(values("en").cell(text, null).text()).isEmpty();
  }
}
