package im.zonda.web.page;

import im.zonda.http.page.FormToken;

/// HTML under construction. Markup is written in the program; every value is escaped.
public final class Markup {
  private final StringBuilder out = new StringBuilder(4_096);

  /// Adds markup.
  ///
  /// @param constant written in this program, without any value
  public Markup tag(String constant) {
    out.append(constant);
    return this;
  }

  /// Adds a text.
  public Markup text(String value) {
    escape(value);
    return this;
  }

  /// Adds a space, a name, and a value in quotation marks.
  public Markup attribute(String name, String value) {
    out.append(' ').append(name).append("=\"");
    escape(value);
    out.append('"');
    return this;
  }

  /// Adds an element with a text.
  public Markup element(String name, String value) {
    return tag("<" + name + ">").text(value).tag("</" + name + ">");
  }

  /// Adds a link.
  public Markup link(String url, String value) {
    return tag("<a").attribute("href", url).tag(">").text(value).tag("</a>");
  }

  /// Adds the field of a form that proves where the form comes from ([FormToken]).
  public Markup formToken(String token) {
    return tag("<input type=\"hidden\" name=\"" + FormToken.FIELD + "\"")
        .attribute("value", token)
        .tag(">\n");
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        // Characters that change the direction of what follows could disguise a name.
        case '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068' ->
            out.append('\ufffd');
        default -> out.append(c < ' ' && c != '\n' && c != '\t' ? '\ufffd' : c);
      }
    }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
