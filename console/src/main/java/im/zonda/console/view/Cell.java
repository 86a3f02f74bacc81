package im.zonda.console.view;

import org.jspecify.annotations.Nullable;

/// A value as a page shows it.
///
/// @param text what is read
/// @param link where it leads, below `/admin/`; null if it does not
/// @param exact the exact value of a time, or null
/// @param tone what it means
/// @param number whether it is a number, which is aligned by its digits
/// @param spark how it was lately; drawn instead of the text
public record Cell(
    String text,
    @Nullable String link,
    @Nullable String exact,
    Tone tone,
    boolean number,
    Sparkline spark) {
  /// A value without a drawing.
  public Cell(
      String text, @Nullable String link, @Nullable String exact, Tone tone, boolean number) {
    this(text, link, exact, tone, number, Sparkline.NONE);
  }

  /// How a value was lately.
  public static Cell of(Sparkline spark) {
    return new Cell("", null, null, Tone.PLAIN, false, spark);
  }

  /// A text.
  public static Cell of(String text) {
    return new Cell(text, null, null, Tone.PLAIN, false);
  }

  /// A number.
  public static Cell ofNumber(String text) {
    return new Cell(text, null, null, Tone.PLAIN, true);
  }

  /// A text that leads to another page.
  public static Cell link(String text, String link) {
    return new Cell(text, link, null, Tone.PLAIN, false);
  }

  /// The same with a meaning.
  public Cell with(Tone other) {
    return new Cell(text, link, exact, other, number, spark);
  }

  /// The same, leading to another page.
  public Cell to(@Nullable String other) {
    return new Cell(text, other, exact, tone, number, spark);
  }
}
