package im.zonda.console.view;

import org.jspecify.annotations.Nullable;

/// A figure of the overview.
///
/// @param name by which a new value is put into the page
/// @param label what it counts
/// @param value the figure
/// @param note a few words about it; may be empty
/// @param link the page where more is known; empty for none
/// @param spark how it was lately, empty before anything was measured; null if that is not known
public record Tile(
    String name, String label, String value, String note, String link, @Nullable Sparkline spark) {
  /// A figure of which it is not known how it was.
  public Tile(String name, String label, String value, String note, String link) {
    this(name, label, value, note, link, null);
  }
}
