package im.zonda.console.view;

/// A small drawing of one line, without a scale.
///
/// @param line the path of the line, in the language of SVG; empty if there is nothing to draw
/// @param area the path of what is below it
public record Sparkline(String line, String area) {
  /// The width of the drawing, which is stretched.
  public static final int WIDTH = 300;

  /// The height of the drawing, which is stretched.
  public static final int HEIGHT = 40;

  /// None.
  public static final Sparkline NONE = new Sparkline("", "");

  /// Whether there is nothing to draw.
  public boolean isEmpty() {
    return line.isEmpty();
  }
}
