package im.zonda.bench.plot;

import java.util.ArrayList;
import java.util.List;

/// Values over an axis.
///
/// @param name for the legend
/// @param color 0 to 7: the number of a colour of the page
/// @param style how the curve is drawn
/// @param x in ascending order
/// @param y as many; NaN is a gap
@SuppressWarnings("ArrayRecordComponent") // numbers by the thousand, which nobody changes
public record Curve(String name, int color, Style style, double[] x, double[] y) {
  /// How a curve is drawn.
  public enum Style {
    /// A line.
    LINE,
    /// A line with a dot at each value, for few values.
    DOTTED,
    /// A line that stands back.
    THIN,
    /// A line of dashes.
    DASHED,
    /// An area above the areas of the curves before.
    AREA
  }

  /// More columns of a plot cannot be told apart.
  private static final int COLUMNS = 240;

  /// A curve of one value a second, the first at the end of the first second.
  public static Curve ofSeconds(String name, int color, Style style, double[] values) {
    double[] x = new double[values.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = i + 1;
    }
    return new Curve(name, color, style, x, values);
  }

  /// The greatest value; NaN if there is none.
  public double most() {
    double most = Double.NaN;
    for (double value : y) {
      most = Double.isNaN(value) || value <= most ? most : value;
    }
    return most;
  }

  /// The least value above 0; NaN if there is none.
  public double leastAboveZero() {
    double least = Double.NaN;
    for (double value : y) {
      least = value > 0 && !(value >= least) ? value : least;
    }
    return least;
  }

  /// The curve with at most 480 points: of each column of the plot, the least and the greatest
  /// value in the order in which they came, so that no spike is lost. A column with only NaN is a
  /// gap.
  public Curve thinned() {
    if (x.length <= 2 * COLUMNS) {
      return this;
    }
    List<double[]> kept = new ArrayList<>();
    for (int column = 0; column < COLUMNS; column++) {
      int from = (int) ((long) x.length * column / COLUMNS);
      int to = (int) ((long) x.length * (column + 1) / COLUMNS);
      int least = from;
      int most = from;
      for (int i = from; i < to; i++) {
        least = Double.isNaN(y[least]) || y[i] < y[least] ? i : least;
        most = Double.isNaN(y[most]) || y[i] > y[most] ? i : most;
      }
      kept.add(new double[] {x[Math.min(least, most)], y[Math.min(least, most)]});
      if (least != most) {
        kept.add(new double[] {x[Math.max(least, most)], y[Math.max(least, most)]});
      }
    }
    return new Curve(
        name,
        color,
        style,
        kept.stream().mapToDouble(point -> point[0]).toArray(),
        kept.stream().mapToDouble(point -> point[1]).toArray());
  }
}
