package im.zonda.plugins.filter.match;

import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Necessary condition of a pattern: what every text has that it matches, so that most texts need
/// not be compared with it.
///
/// @param exact the only text that matches, in one case; null if there are others
/// @param anyOf texts in one case of which one must be there; empty if none is known
/// @param digits how many ASCII digits must be there
/// @param chars how many characters must be there
/// @param size about how many steps the compiled pattern has
record Needs(@Nullable String exact, List<String> anyOf, int digits, int chars, long size) {
  private static final int MOST_TEXTS = 100;
  private static final int MOST_EXACT = 100;

  /// Those of nothing at all.
  static final Needs NOTHING = new Needs("", List.of(), 0, 0, 1);

  /// Those of one character of several.
  static Needs ofAny(boolean isDigit, int size) {
    return new Needs(null, List.of(), isDigit ? 1 : 0, 1, size);
  }

  /// Those of one certain character.
  static Needs ofChar(int codePoint) {
    int digits = codePoint >= '0' && codePoint <= '9' ? 1 : 0;
    int folded = Letters.fold(codePoint);
    return new Needs(Character.toString(folded), List.of(), digits, 1, 1);
  }

  /// The texts of which one must be there.
  List<String> literals() {
    return exact != null && !exact.isEmpty() ? List.of(exact) : anyOf;
  }

  /// Those of this and then `next`.
  Needs then(Needs next) {
    boolean isExact =
        exact != null && next.exact != null && exact.length() + next.exact.length() <= MOST_EXACT;
    return new Needs(
        isExact ? exact + next.exact : null,
        isExact ? List.of() : better(literals(), next.literals()),
        digits + next.digits,
        chars + next.chars,
        size + next.size);
  }

  /// Those of one or the other.
  Needs or(Needs other) {
    List<String> texts = List.of();
    if (!literals().isEmpty() && !other.literals().isEmpty()) {
      TreeSet<String> both = new TreeSet<>(literals());
      both.addAll(other.literals());
      texts = both.size() <= MOST_TEXTS ? List.copyOf(both) : List.of();
    }
    boolean isSame = exact != null && exact.equals(other.exact);
    return new Needs(
        isSame ? exact : null,
        isSame ? List.of() : texts,
        Math.min(digits, other.digits),
        Math.min(chars, other.chars),
        size + other.size + 1);
  }

  /// Those of this, `least` times or more.
  ///
  /// @param most how often at most; -1 without a bound
  Needs repeated(int least, int most) {
    long copies = Math.max(1, Math.max(least, most));
    long steps = size > Integer.MAX_VALUE ? size : (size + 1) * copies;
    if (least == 0) {
      return new Needs(null, List.of(), 0, 0, steps);
    }
    boolean isOnce = least == 1 && most == 1;
    return new Needs(
        isOnce ? exact : null,
        isOnce ? anyOf : literals(),
        times(digits, least),
        times(chars, least),
        steps);
  }

  private static int times(int number, int factor) {
    return (int) Math.min((long) number * factor, Integer.MAX_VALUE / 4);
  }

  private static List<String> better(List<String> one, List<String> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    int ofOne = shortest(one);
    int ofOther = shortest(other);
    if (ofOne != ofOther) {
      return ofOne > ofOther ? one : other;
    }
    return one.size() <= other.size() ? one : other;
  }

  private static int shortest(List<String> texts) {
    int least = Integer.MAX_VALUE;
    for (String text : texts) {
      least = Math.min(least, text.length());
    }
    return least;
  }
}
