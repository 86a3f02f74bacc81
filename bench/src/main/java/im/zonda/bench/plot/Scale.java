package im.zonda.bench.plot;

import java.util.ArrayList;
import java.util.List;

/// One axis: which values it shows, and where.
///
/// @param low the least value
/// @param high the greatest, above the least
/// @param logarithmic whether each step up is ten times the one below; the least is above 0 then
public record Scale(double low, double high, boolean logarithmic) {
  private static final int STEPS = 6;

  /// Checks the values.
  public Scale {
    if (!(low < high) || (logarithmic && low <= 0)) {
      throw new IllegalArgumentException("an axis from " + low + " to " + high);
    }
  }

  /// An axis from 0 to a round number that is not less than a value.
  public static Scale fromZero(double most) {
    double step = step(Math.max(most, 1e-9));
    return new Scale(0, step * Math.max(1, Math.ceil(most / step - 1e-9)), false);
  }

  /// An axis of powers of ten that holds all values above 0.
  ///
  /// @param least the least value; one of 0 or below is not shown in its place
  /// @param most the greatest value
  public static Scale ofPowers(double least, double most) {
    double top = Math.max(most, 1e-6);
    double low = Math.pow(10, Math.floor(Math.log10(Math.clamp(least, top / 1e9, top)) + 1e-9));
    double high = Math.pow(10, Math.ceil(Math.log10(top) - 1e-9));
    return new Scale(low, high > low ? high : low * 10, true);
  }

  /// The distance of marks of about six on an axis up to a value: 1, 2 or 5 times a power of ten.
  private static double step(double most) {
    double power = Math.pow(10, Math.floor(Math.log10(most / STEPS)));
    double times = most / STEPS / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
  }

  /// Where a value is: 0 at the least, 1 at the greatest; values outside at the nearer end.
  public double place(double value) {
    double shown = Math.clamp(value, low, high);
    return logarithmic
        ? Math.log(shown / low) / Math.log(high / low)
        : (shown - low) / (high - low);
  }

  /// The values that are written at the axis.
  public List<Double> marks() {
    List<Double> marks = new ArrayList<>();
    if (logarithmic) {
      for (double mark = low; mark <= high * 1.0001; mark *= 10) {
        marks.add(mark);
      }
      return marks;
    }
    double step = step(high - low);
    for (int i = (int) Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) {
      marks.add(i * step);
    }
    return marks;
  }
}
