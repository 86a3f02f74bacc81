package im.zonda.app.operation.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhyCommandTest {
  private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-11-28T15:00:00+01:00");

  @ParameterizedTest
  @CsvSource({
    "14:03, 2026-11-28T13:03:00Z",
    "15:00, 2026-11-28T14:00:00Z",
    "15:01, 2026-11-27T14:01:00Z",
    "2026-11-27T23:59, 2026-11-27T22:59:00Z",
    "2026-11-27T14:03:30Z, 2026-11-27T14:03:30Z",
    "2026-11-27T14:03-05:00, 2026-11-27T19:03:00Z"
  })
  void timesAreOfTheReadersZone(String written, Instant meant) {
    assertThat(WhyCommand.time(written, NOW)).isEqualTo(meant);
  }

  @Test
  void otherTextIsNoTime() {
    assertThatThrownBy(() -> WhyCommand.time("noon", NOW)).isInstanceOf(DateTimeException.class);
    assertThatThrownBy(() -> WhyCommand.time("2026-13-01T10:00", NOW))
        .isInstanceOf(DateTimeException.class);
  }
}
