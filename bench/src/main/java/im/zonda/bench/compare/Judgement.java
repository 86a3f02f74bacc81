package im.zonda.bench.compare;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.statistics.Ratio;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The judgement of B by a ratio of costs.
///
/// @param kind the judgement in one word
/// @param sentence the judgement with its figures
public record Judgement(Kind kind, String sentence) {
  /// A smaller gain is not worth code that is harder to read.
  public static final double WORTH = 0.005;

  /// A judgement in one word.
  public enum Kind {
    /// B costs less.
    FASTER,
    /// B costs more.
    SLOWER,
    /// A difference is there, and too small to act on.
    NOT_WORTH_CODE,
    /// Pairs of A alone differ by as much.
    WITHIN_NOISE,
    /// No difference was shown.
    NO_DIFFERENCE
  }

  /// Judges a ratio.
  ///
  /// @param a the name of A
  /// @param b the name of B
  /// @param ratio how many times as much B costs
  /// @param same the ratio of pairs of A alone; null if it was not measured
  public static Judgement of(String a, String b, Ratio ratio, @Nullable Ratio same) {
    double difference = Math.abs(ratio.value() - 1);
    double floor = same == null ? 0 : same.largestDifference();
    if (ratio.holdsOne()) {
      return new Judgement(
          Kind.NO_DIFFERENCE,
          "There is no difference between "
              + a
              + " and "
              + b
              + " larger than "
              + percent(ratio.largestDifference())
              + ".");
    }
    String costs =
        b
            + " costs "
            + percent(difference)
            + (ratio.value() < 1 ? " less" : " more")
            + " than "
            + a
            + " ("
            + signed(ratio.low())
            + " to "
            + signed(ratio.high())
            + ")";
    if (difference < floor) {
      return new Judgement(
          Kind.WITHIN_NOISE,
          costs
              + ", and "
              + a
              + " differs from itself by up to "
              + percent(floor)
              + " on this machine.");
    } else if (difference < WORTH) {
      return new Judgement(
          Kind.NOT_WORTH_CODE, costs + ": below " + percent(WORTH) + ", not worth code.");
    }
    return ratio.value() < 1
        ? new Judgement(Kind.FASTER, b + " is faster: " + costs + ".")
        : new Judgement(Kind.SLOWER, b + " is slower: " + costs + ".");
  }

  private static String percent(double share) {
    return Numbers.of(100 * share) + " %";
  }

  private static String signed(double ratio) {
    return String.format(Locale.ROOT, "%+.1f %%", 100 * (ratio - 1));
  }
}
