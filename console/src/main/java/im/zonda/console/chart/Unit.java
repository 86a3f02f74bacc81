package im.zonda.console.chart;

import im.zonda.console.view.Values;
import java.util.Locale;

/// The unit of the values of a chart.
public enum Unit {
  /// How many there are.
  COUNT,
  /// How many a second.
  RATE,
  /// Lengths of time, in seconds.
  SECONDS,
  /// Sizes.
  BYTES,
  /// Sizes a second.
  BYTE_RATE,
  /// Processors that are busy.
  CORES;

  private static final double HUNDRED = 100;
  private static final double BINARY = 1_024;

  /// The word by which the script of the page knows it.
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// A value as people read it, with its unit.
  public String text(Values values, double value) {
    return switch (this) {
      case COUNT -> number(values, value, 1);
      case RATE -> number(values, value, 1) + "/s";
      case SECONDS -> seconds(values, value);
      case BYTES -> values.size(Math.round(value));
      case BYTE_RATE -> values.size(Math.round(value)) + "/s";
      case CORES -> number(values, value, 2);
    };
  }

  /// A value as a sentence has it that says that it is of a second.
  public String inSentence(Values values, double value) {
    return switch (this) {
      case RATE -> COUNT.text(values, value);
      case BYTE_RATE -> BYTES.text(values, value);
      case COUNT, SECONDS, BYTES, CORES -> text(values, value);
    };
  }

  private static String number(Values values, double value, int digits) {
    double shift = Math.pow(10, digits);
    double rounded = Math.round(value * shift) / shift;
    return rounded >= HUNDRED || rounded == Math.rint(rounded)
        ? values.number(Math.round(value))
        : String.format(Locale.of(values.language().code()), "%." + digits + "f", rounded);
  }

  private static String seconds(Values values, double value) {
    if (value == 0 || value >= 1) {
      return number(values, value, 1) + " s";
    }
    return value >= 1e-3 ? number(values, value * 1e3, 1) + " ms" : Math.round(value * 1e6) + " µs";
  }

  /// The top of the scale for values up to `most`: 1, 2 or 5 with zeros, for sizes a power of two.
  double ceiling(double most) {
    if (most <= 0 || Double.isNaN(most)) {
      return floor();
    }
    double base = this == BYTES || this == BYTE_RATE ? 2 : 10;
    double top = Math.max(floor(), Math.pow(base, Math.floor(Math.log(most) / Math.log(base))));
    double unit = top;
    for (double factor : new double[] {1, 2, 5, 10}) {
      top = unit * factor;
      if (top >= most * (1 - 1e-9)) {
        break;
      }
    }
    return top;
  }

  /// The least top, so that noise about zero does not look like much.
  private double floor() {
    return switch (this) {
      case COUNT, RATE -> 1;
      case SECONDS -> 1e-3;
      case BYTES, BYTE_RATE -> BINARY;
      case CORES -> 0.1;
    };
  }
}
