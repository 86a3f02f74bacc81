package im.zonda.app.pages;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A page of Markdown.
///
/// @param name its path in the tree
record Page(String name, String text) {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("#{1,6} (.+)");
  private static final Pattern FENCE = Pattern.compile("```(\\w*)");

  /// A line in a block of code, or outside of all.
  ///
  /// @param number from 1
  /// @param block the number of the block, from 1; 0 outside
  /// @param language the word after the fence; empty without one
  record Line(int number, int block, String language, String text) {}

  /// All lines but the fences.
  List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    int blocks = 0;
    boolean open = false;
    String language = "";
    String[] all = text.split("\n", -1);
    for (int i = 0; i < all.length; i++) {
      Matcher fence = FENCE.matcher(all[i].strip());
      if (fence.matches()) {
        open = !open;
        blocks += open ? 1 : 0;
        language = open ? fence.group(1) : "";
      } else {
        lines.add(new Line(i + 1, open ? blocks : 0, language, all[i]));
      }
    }
    return lines;
  }

  /// The targets of links that are in the tree.
  List<String> links() {
    StringBuilder prose = new StringBuilder();
    for (Line line : lines()) {
      if (line.block == 0) {
        prose.append(line.text.replaceAll("`[^`]*`", "")).append('\n');
      }
    }
    List<String> links = new ArrayList<>();
    Matcher link = LINK.matcher(prose);
    while (link.find()) {
      if (!link.group(1).matches("[a-z]+:.*")) {
        links.add(link.group(1));
      }
    }
    return links;
  }

  /// The names by which links lead to its headings, as GitHub makes them.
  Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    for (Line line : lines()) {
      Matcher heading = HEADING.matcher(line.text);
      if (line.block == 0 && heading.matches()) {
        String plain = heading.group(1).replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1");
        String anchor =
            plain
                .toLowerCase(Locale.ROOT)
                .strip()
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
        for (int i = 1; !anchors.add(i == 1 ? anchor : anchor + "-" + (i - 1)); i++) {}
      }
    }
    return anchors;
  }
}
