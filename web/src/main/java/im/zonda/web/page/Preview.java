package im.zonda.web.page;

/// The preview of a page that clients, search engines and social networks show with a link to it
/// (the Open Graph protocol). They load no scripts, and the picture by its absolute URL.
///
/// @param description a sentence
/// @param url the URL of the page, by which everyone reaches it
/// @param picture the URL of a picture
public record Preview(String description, String url, String picture) {
  /// The preview of a page of a host.
  ///
  /// @param base the URL of the host, without a slash at the end
  /// @param path of the page
  public static Preview of(String base, String path, String description) {
    return new Preview(description, base + path, base + Look.PICTURE);
  }

  /// Adds the elements to the head of a page.
  void add(Markup head, String title, String server) {
    head.tag("<meta name=\"description\"").attribute("content", description).tag(">\n");
    property(head, "og:type", "website");
    property(head, "og:site_name", server);
    property(head, "og:title", title);
    property(head, "og:description", description);
    property(head, "og:url", url);
    property(head, "og:image", picture);
  }

  private static void property(Markup head, String name, String value) {
    head.tag("<meta").attribute("property", name).attribute("content", value).tag(">\n");
  }
}
