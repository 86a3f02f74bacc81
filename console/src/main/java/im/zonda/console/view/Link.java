package im.zonda.console.view;

/// Something that can be chosen.
///
/// @param text what it says
/// @param url where it leads
/// @param danger whether what it leads to cannot be undone
public record Link(String text, String url, boolean danger) {
  /// A link to a page.
  public static Link to(String text, String url) {
    return new Link(text, url, false);
  }
}
