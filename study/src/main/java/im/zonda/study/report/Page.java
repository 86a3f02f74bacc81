package im.zonda.study.report;

import java.util.ArrayList;
import java.util.List;

/// A report as Markdown and as HTML.
final class Page {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --line: #8886; --bar: #36c; --other: #c63; }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; }
      table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
      th, td { border: 1px solid var(--line); padding: .2em .6em; text-align: left; vertical-align: top; }
      .wide { overflow-x: auto; }
      svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
      code { font-size: .9em; }
      @media print { body { max-width: none; margin: 0; } .wide { overflow: visible; } }
      """;

  private final StringBuilder markdown = new StringBuilder();
  private final StringBuilder html = new StringBuilder();
  private final String title;

  Page(String title) {
    this.title = title;
    markdown.append("# ").append(title).append("\n\n");
    html.append("<h1>").append(escape(title)).append("</h1>\n");
  }

  Page heading(String text) {
    markdown.append("## ").append(text).append("\n\n");
    html.append("<h2>").append(escape(text)).append("</h2>\n");
    return this;
  }

  Page paragraph(String text) {
    markdown.append(text).append("\n\n");
    html.append("<p>").append(inline(text)).append("</p>\n");
    return this;
  }

  Page list(List<String> sentences) {
    html.append("<ul>\n");
    for (String sentence : sentences) {
      markdown.append("- ").append(sentence).append('\n');
      html.append("<li>").append(inline(sentence)).append("</li>\n");
    }
    markdown.append('\n');
    html.append("</ul>\n");
    return this;
  }

  /// A table, nothing if it has no rows.
  Page table(List<String> columns, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return this;
    }
    List<List<String>> all = new ArrayList<>();
    all.add(columns);
    all.add(columns.stream().map(_ -> "---").toList());
    all.addAll(rows);
    for (List<String> row : all) {
      markdown.append("| ").append(String.join(" | ", row)).append(" |\n");
    }
    markdown.append('\n');
    html.append("<div class=\"wide\"><table>\n<thead><tr>");
    columns.forEach(each -> html.append("<th scope=\"col\">").append(escape(each)).append("</th>"));
    html.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      html.append("<tr>");
      row.forEach(each -> html.append("<td>").append(inline(each)).append("</td>"));
      html.append("</tr>\n");
    }
    html.append("</tbody></table></div>\n");
    return this;
  }

  /// A picture, in HTML only: Markdown has the figures in a table.
  Page picture(String svg) {
    html.append(svg).append('\n');
    return this;
  }

  String markdown() {
    return markdown.toString();
  }

  String html() {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>"
        + escape(title)
        + "</title>\n<style>\n"
        + STYLE
        + "</style></head>\n<body>\n<main>\n"
        + html
        + "</main>\n</body>\n</html>\n";
  }

  static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /// Markdown's code becomes that of HTML.
  private static String inline(String text) {
    StringBuilder out = new StringBuilder();
    String[] parts = escape(text).split("`", -1);
    for (int i = 0; i < parts.length; i++) {
      out.append(i % 2 == 1 ? "<code>" + parts[i] + "</code>" : parts[i]);
    }
    return out.toString();
  }
}
