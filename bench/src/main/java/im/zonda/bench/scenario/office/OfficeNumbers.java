package im.zonda.bench.scenario.office;

import im.zonda.bench.load.Options;
import java.time.Duration;

/// The users of an office: first the active ones, then the quiet ones, then the active ones who
/// come late.
///
/// @param users how many are there before the late ones
/// @param active how many of them are active
/// @param late how many come late
/// @param loginRate logins a second
/// @param quietSeconds mean time between two requests of a quiet user
/// @param activeSeconds mean time between two requests of an active user
/// @param seconds the length of the measured part
/// @param occupants users in a room
record OfficeNumbers(
    int users,
    int active,
    int late,
    double loginRate,
    double quietSeconds,
    double activeSeconds,
    double seconds,
    int occupants) {
  private static final double NANOS = 1e9;

  /// When the late ones come, as a part of the whole time.
  private static final double LATE = 0.7;

  /// When active users begin to talk in rooms.
  private static final double ROOMS = 2.0 / 3;

  /// Reads the options.
  ///
  /// @throws IllegalArgumentException if one makes no sense
  static OfficeNumbers of(Options options) {
    OfficeNumbers numbers =
        new OfficeNumbers(
            options.whole("users"),
            options.whole("active"),
            options.whole("late"),
            options.number("login-rate"),
            options.number("quiet-interval"),
            1 / options.number("active-rate"),
            options.number("seconds"),
            options.whole("occupants"));
    if (numbers.users < 2 || numbers.active < 0 || numbers.active > numbers.users) {
      throw new IllegalArgumentException("--users must be at least 2, and at least --active");
    }
    if (numbers.late < 0 || numbers.occupants < 1) {
      throw new IllegalArgumentException("--late must be 0 or more, --occupants 1 or more");
    }
    if (!(numbers.loginRate > 0) || !(numbers.quietSeconds > 0)) {
      throw new IllegalArgumentException("--login-rate and --quiet-interval must be more than 0");
    }
    if (!(numbers.activeSeconds > 0) || Double.isInfinite(numbers.activeSeconds)) {
      throw new IllegalArgumentException("--active-rate must be more than 0");
    }
    if (numbers.users / numbers.loginRate > numbers.seconds * ROOMS) {
      throw new IllegalArgumentException(
          "logins of "
              + numbers.users
              + " users at "
              + numbers.loginRate
              + " a second take too long for --seconds "
              + numbers.seconds);
    }
    return numbers;
  }

  int accounts() {
    return users + late;
  }

  boolean isActive(int user) {
    return user < active || user >= users;
  }

  double interval(int user) {
    return isActive(user) ? activeSeconds : quietSeconds;
  }

  /// When a user logs in, in nanoseconds from the beginning.
  long login(int user) {
    double at = user < users ? user / loginRate : LATE * seconds + (user - users) / loginRate;
    return (long) (at * NANOS);
  }

  /// How many of the users before the late ones should be there after some nanoseconds.
  int there(long nanos) {
    return Math.clamp((long) (nanos * loginRate / NANOS), 1, users);
  }

  /// When active users begin to talk in rooms, in nanoseconds from the beginning.
  long rooms() {
    return (long) (ROOMS * seconds * NANOS);
  }

  /// The end, in nanoseconds from the beginning.
  long end() {
    return (long) (seconds * NANOS);
  }

  Duration time() {
    return Duration.ofSeconds((long) seconds + 30);
  }
}
