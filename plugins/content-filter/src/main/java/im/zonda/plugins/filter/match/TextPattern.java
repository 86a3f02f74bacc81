package im.zonda.plugins.filter.match;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/// A regular expression in the syntax of RE2, which takes time in proportion to the text whatever
/// it is. It ignores the case unless it says `(?-i)`.
public final class TextPattern {
  /// The most characters of a pattern.
  public static final int MOST_CHARS = 2_000;

  /// The most steps of a compiled pattern.
  private static final int MOST_STEPS = 5_000;

  private final Pattern pattern;
  private final Needs needs;

  private TextPattern(Pattern pattern, Needs needs) {
    this.pattern = pattern;
    this.needs = needs;
  }

  /// Compiles a pattern.
  ///
  /// @throws IllegalArgumentException if it is none, is too large or matches the empty text; the
  ///   message is a sentence for people
  public static TextPattern of(String text) {
    if (text.length() > MOST_CHARS) {
      throw new IllegalArgumentException("a pattern has more than " + MOST_CHARS + " characters");
    }
    Needs needs = NeedsReader.read(text);
    if (needs.size() > MOST_STEPS) {
      throw new IllegalArgumentException("a pattern repeats too much");
    }
    Pattern pattern;
    try {
      pattern = Pattern.compile(text, Pattern.CASE_INSENSITIVE);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("not a pattern: " + e.getMessage(), e);
    }
    if (pattern.matcher("").find()) {
      throw new IllegalArgumentException("a pattern matches the empty text, and so every message");
    }
    return new TextPattern(pattern, needs);
  }

  Pattern pattern() {
    return pattern;
  }

  Needs needs() {
    return needs;
  }

  @Override
  public String toString() {
    return pattern.pattern();
  }
}
