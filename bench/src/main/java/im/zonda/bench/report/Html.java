package im.zonda.bench.report;

import im.zonda.bench.plot.Curve;
import im.zonda.bench.plot.Markup;
import im.zonda.bench.plot.Panel;
import im.zonda.bench.plot.PanelSvg;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Elements of a page, one after the other.
final class Html {
  /// A cell that stands to the right: a number, perhaps with its unit and interval.
  private static final Pattern NUMBER = Pattern.compile("[-+<>]?[0-9][0-9.,]*( .{1,24})?");

  private final StringBuilder html = new StringBuilder();

  /// Appends markup as it is.
  Html raw(String markup) {
    html.append(markup).append('\n');
    return this;
  }

  /// Appends a heading.
  Html heading(int level, String text) {
    return element("h" + level, "", text);
  }

  /// Appends a paragraph.
  Html paragraph(String text) {
    return element("p", "", text);
  }

  /// Appends an element with a text.
  ///
  /// @param kind the class of its style; may be empty
  Html element(String name, String kind, String text) {
    String style = kind.isEmpty() ? "" : " class=\"" + kind + "\"";
    return raw("<" + name + style + ">" + Markup.escape(text) + "</" + name + ">");
  }

  /// Appends a list.
  Html list(List<String> items) {
    raw("<ul>");
    items.forEach(item -> element("li", "", item));
    return raw("</ul>");
  }

  /// Appends a table. The first cell of each row names it.
  ///
  /// @param caption what it shows; may be empty
  Html table(String caption, List<String> columns, List<List<String>> rows) {
    raw(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\""
            + Markup.escape(caption.isEmpty() ? columns.getFirst() : caption)
            + "\"><table>");
    if (!caption.isEmpty()) {
      element("caption", "", caption);
    }
    raw("<thead><tr>");
    columns.forEach(column -> raw("<th scope=\"col\">" + Markup.escape(column) + "</th>"));
    raw("</tr></thead><tbody>");
    for (List<String> row : rows) {
      html.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        String cell = Markup.escape(row.get(i));
        if (i == 0) {
          html.append("<th scope=\"row\">").append(cell).append("</th>");
        } else {
          html.append(NUMBER.matcher(row.get(i)).matches() ? "<td class=\"n\">" : "<td>");
          html.append(cell).append("</td>");
        }
      }
      html.append("</tr>\n");
    }
    return raw("</tbody></table></div>");
  }

  /// Appends a plot with its legend, and its figures in a table that is folded.
  Html plot(Panel panel, List<String> columns, List<List<String>> rows) {
    raw("<figure>");
    element("figcaption", "", panel.title());
    if (panel.curves().size() > 1) {
      raw("<ul class=\"legend\">");
      List<Curve> curves =
          Stream.concat(
                  panel.curves().stream().filter(curve -> curve.style() != Curve.Style.THIN),
                  panel.curves().stream().filter(curve -> curve.style() == Curve.Style.THIN))
              .toList();
      for (Curve curve : curves) {
        boolean area = curve.style() == Curve.Style.AREA;
        raw(
            "<li><svg viewBox=\"0 0 22 10\" aria-hidden=\"true\">"
                + (area
                    ? "<rect class=\"a" + curve.color() + "\" width=\"22\" height=\"10\"/>"
                    : "<path class=\"line c"
                        + curve.color()
                        + " "
                        + curve.style().name().toLowerCase(Locale.ROOT)
                        + "\" d=\"M0 5h22\"/>")
                + "</svg>"
                + Markup.escape(curve.name())
                + "</li>");
      }
      raw("</ul>");
    }
    raw(PanelSvg.draw(panel));
    details("The figures of this plot", new Html().table("", columns, rows));
    return raw("</figure>");
  }

  /// Appends a part that is folded.
  Html details(String summary, Html content) {
    raw("<details><summary>" + Markup.escape(summary) + "</summary>");
    return raw(content.toString()).raw("</details>");
  }

  @Override
  public String toString() {
    return html.toString();
  }
}
