package im.zonda.bench.scenario.story;

import im.zonda.bench.load.Options;

/// Which accounts a story has: first those who listen, then those who are absent, then those who
/// arrive, in turns.
///
/// @param rate people who arrive each second
/// @param contacts contacts on each roster
/// @param think nanoseconds between two steps
/// @param listeners how many listen
/// @param absent how many are never there
/// @param rooms how many rooms there are
record StoryNumbers(double rate, int contacts, long think, int listeners, int absent, int rooms) {
  /// The steps of a story, after which somebody thinks.
  private static final int STEPS = 7;

  private static final double NANOS = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  /// How much longer than the pauses between its steps a story may take.
  private static final double SLACK_SECONDS = 10;

  private static final int MOST = 1_000_000;

  /// Reads the options.
  ///
  /// @throws IllegalArgumentException if one makes no sense
  static StoryNumbers of(Options options) {
    StoryNumbers numbers =
        new StoryNumbers(
            options.number("rate"),
            options.whole("contacts"),
            (long) (options.number("think") * NANOS_PER_MILLI),
            options.whole("listeners"),
            options.whole("absent"),
            options.whole("rooms"));
    if (numbers.rate <= 0 || numbers.rate * numbers.seconds() > MOST) {
      throw new IllegalArgumentException("--rate " + options.text("rate") + " cannot be done");
    }
    if (numbers.contacts < 0 || numbers.think < 0) {
      throw new IllegalArgumentException("--contacts and --think must not be negative");
    }
    if (numbers.listeners < 1 || numbers.absent < 1 || numbers.rooms < 1) {
      throw new IllegalArgumentException("--listeners, --absent and --rooms must be at least 1");
    }
    if (numbers.rooms > numbers.listeners) {
      throw new IllegalArgumentException("--rooms must not be more than --listeners");
    }
    return numbers;
  }

  /// How long a story may take, in seconds.
  private double seconds() {
    return STEPS * think / NANOS + SLACK_SECONDS;
  }

  /// How many accounts arrive in turns.
  int pool() {
    return (int) Math.ceil(rate * seconds());
  }

  int accounts() {
    return listeners + absent + pool();
  }

  /// The account of someone who is absent.
  int absentee(int story) {
    return listeners + story % absent;
  }

  /// The account of someone who arrives.
  int visitor(int story) {
    return listeners + absent + story % pool();
  }
}
