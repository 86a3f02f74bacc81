package im.zonda.bench.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/// A plot of curves over one axis.
///
/// @param title what it shows, with its unit
/// @param description what can be seen, for people who cannot see it
/// @param across the axis from left to right
/// @param up the axis from bottom to top
/// @param quantity what the axis across shows
/// @param curves what is drawn, the last in front
/// @param lines values that are marked by a line across
/// @param pauses what is marked in a strip below; empty for no strip
public record Panel(
    String title,
    String description,
    Scale across,
    Scale up,
    Quantity quantity,
    List<Curve> curves,
    List<Level> lines,
    List<Pause> pauses) {
  /// What an axis from left to right shows.
  public enum Quantity {
    /// Seconds.
    SECONDS,
    /// Connected users.
    USERS,
    /// Rooms, the largest first.
    ROOMS,
    /// Lengths in bytes.
    BYTES,
    /// Runs, by their numbers from 1.
    RUNS,
    /// Percentiles p, where each is at `1 / (1 - p)`.
    PERCENTILES;

    /// What is written at a mark.
    public String label(double mark, boolean last) {
      return switch (this) {
        case SECONDS -> Numbers.of(mark) + (last ? " s" : "");
        case RUNS -> mark == Math.rint(mark) && mark > 0 ? "run " + Numbers.of(mark) : "";
        case USERS -> Numbers.of(mark) + (last ? " users" : "");
        case ROOMS -> Numbers.of(mark) + (last ? " rooms" : "");
        case BYTES -> Numbers.of(mark) + (last ? " bytes" : "");
        case PERCENTILES ->
            new BigDecimal(100 - 100 / mark)
                    .round(new MathContext(9))
                    .stripTrailingZeros()
                    .toPlainString()
                + " %";
      };
    }
  }

  /// A value that a reader compares with.
  ///
  /// @param label what the value means
  public record Level(double value, String label) {}

  /// A mark in the strip.
  ///
  /// @param at its place on the axis across
  /// @param millis its length
  public record Pause(double at, double millis) {}
}
