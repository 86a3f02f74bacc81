package im.zonda.bench.plot;

/// Text within HTML and SVG.
public final class Markup {
  private Markup() {}

  /// Escapes what has a meaning in elements and in attributes with double quotes.
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
