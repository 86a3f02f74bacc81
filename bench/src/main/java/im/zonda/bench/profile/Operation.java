package im.zonda.bench.profile;

import im.zonda.bench.load.Outcome;
import im.zonda.bench.result.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The unit of a load, such as a message: the first figure of CPU time names it.
///
/// @param name such as `message`
/// @param count how many there were in the measured phase
record Operation(String name, double count) {
  private static final String COST = "cpu-per-";

  /// The operation of a scenario; null if none of its figures is the CPU time of one.
  static @Nullable Operation of(List<Result.Figure> figures, Outcome outcome) {
    for (Result.Figure figure : figures) {
      if (figure.name().startsWith(COST) && figure.value() > 0) {
        double micros =
            switch (figure.unit()) {
              case "us" -> figure.value();
              case "ms" -> 1e3 * figure.value();
              default -> Double.NaN;
            };
        double count = outcome.serverMicros() / micros;
        if (count > 0) {
          return new Operation(figure.name().substring(COST.length()).replace('-', ' '), count);
        }
      }
    }
    return null;
  }
}
