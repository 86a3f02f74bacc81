package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The tests and keys that `docs/bounds.md` names exist, and each row has a test.
class BoundsTableTest {
  /// What a sender can cause in rows that have no test yet. The list only shrinks: a row that has a
  /// test must leave it.
  private static final Set<String> OPEN = Set.of("stanzas in a second to other accounts");

  private static final int COLUMNS = 4;

  /// A class, or a method of it, whose name may be cut by an ellipsis where it is clear.
  private static final Pattern TEST = Pattern.compile("`(\\w+)(?:#(\\w+)(…)?)?`");

  private static final Pattern KEY = Pattern.compile("`([a-z0-9-]+(?:\\.[a-z0-9-]+)*)`");

  private record Row(String cause, String bound, String test) {}

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : SourceTree.read(Path.of("docs/bounds.md")).split("\n", -1)) {
      if (!line.startsWith("| ") || line.startsWith("| what it can cause")) {
        continue;
      }
      String[] cells = line.substring(1, line.lastIndexOf('|')).split("\\|", -1);
      assertThat(cells).as(line).hasSize(COLUMNS);
      rows.add(new Row(cells[0].strip(), cells[1], cells[3].strip()));
    }
    assertThat(rows).hasSizeGreaterThan(50);
    return rows;
  }

  @Test
  void everyRowNamesTestsThatExist() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (Path file : SourceTree.java()) {
      String name = String.valueOf(file.getFileName());
      if (file.toString().contains("src/test/java")) {
        sources.merge(name.replace(".java", ""), SourceTree.read(file), String::concat);
      }
    }
    List<String> wrong = new ArrayList<>();
    for (Row row : rows()) {
      Matcher test = TEST.matcher(row.test);
      int named = 0;
      while (test.find()) {
        named++;
        String source = sources.getOrDefault(test.group(1), "");
        String method = test.group(2);
        String start = "void " + method + (test.group(3) == null ? "(" : "");
        int found = source.indexOf(start);
        boolean once = found >= 0 && found == source.lastIndexOf(start);
        if (source.isEmpty() || (method != null && !once)) {
          wrong.add(row.cause + ": there is no " + test.group());
        }
      }
      if ((named == 0) != OPEN.contains(row.cause)) {
        wrong.add(row.cause + ": " + row.test);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyKeyIsInTheReference() throws IOException {
    String reference = SourceTree.read(Path.of("docs/reference/config.md"));
    List<String> wrong = new ArrayList<>();
    for (Row row : rows()) {
      Matcher key = KEY.matcher(row.bound);
      while (key.find()) {
        String full = key.group(1);
        int dot = full.lastIndexOf('.');
        String section = dot < 0 ? "limits" : full.substring(0, dot);
        int start = reference.indexOf("\n## `[" + section + "]`");
        int end = reference.indexOf("\n## ", start + 1);
        String text =
            start < 0 ? "" : reference.substring(start, end < 0 ? reference.length() : end);
        if (!text.contains("\n| `" + full.substring(dot + 1) + "` |")) {
          wrong.add(row.cause + ": there is no " + full);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }
}
