package im.zonda.console.view;

/// A figure of the overview.
///
/// @param name by which a new value is put into the page
/// @param label what it counts
/// @param value the figure
/// @param note a few words about it; may be empty
/// @param link the page where more is known; empty for none
/// @param spark how it was lately
public record Tile(
    String name, String label, String value, String note, String link, Sparkline spark) {
  /// A figure of which it is not known how it was.
  public Tile(String name, String label, String value, String note, String link) {
    this(name, label, value, note, link, Sparkline.NONE);
  }
}
