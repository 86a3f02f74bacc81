package im.zonda.console.chart;

import java.time.Duration;
import java.util.List;

/// A length of time that a chart shows, up to now.
public enum Range {
  /// 12 minutes in steps of five seconds.
  MINUTES("12m", "seconds", Duration.ofMinutes(12), Duration.ofSeconds(5)),
  /// Three hours by minutes.
  HOURS("3h", "minutes", Duration.ofHours(3), Duration.ofMinutes(1)),
  /// A day in steps of five minutes.
  DAY("24h", "minutes", Duration.ofHours(24), Duration.ofMinutes(5)),
  /// 30 days in steps of two hours.
  MONTH("30d", "quarters", Duration.ofDays(30), Duration.ofHours(2));

  private final String word;
  private final String stored;
  private final Duration length;
  private final Duration step;

  Range(String word, String stored, Duration length, Duration step) {
    this.word = word;
    this.stored = stored;
    this.length = length;
    this.step = step;
  }

  /// The word for it in addresses.
  public String word() {
    return word;
  }

  /// The word for the steps of the history that it is read from.
  public String stored() {
    return stored;
  }

  /// How long it is.
  public Duration length() {
    return length;
  }

  /// The length of a step.
  public Duration step() {
    return step;
  }

  /// How many steps it has.
  public int steps() {
    return Math.toIntExact(length.dividedBy(step));
  }

  /// Those that there are of any node, or of this node only.
  ///
  /// @param here whether it is this node that is asked
  public static List<Range> of(boolean here) {
    return here ? List.of(values()) : List.of(HOURS, DAY, MONTH);
  }

  /// The range with that word; the first if it is another word.
  public static Range find(String word, boolean here) {
    for (Range each : of(here)) {
      if (each.word.equals(word)) {
        return each;
      }
    }
    return of(here).getFirst();
  }
}
