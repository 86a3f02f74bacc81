package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Values are bound, never concatenated into the text of a statement.
class SqlTextTest {
  /// A text that begins like SQL, or goes on like it, and something that is no literal joined to
  /// it.
  private static final Pattern JOINED =
      Pattern.compile(
          "\"[^\"\\n]*\\b(?:select|insert|update|delete|pragma|where|values|and|in)\\b[^\"\\n]*\""
              + "\\s*\\+\\s*([A-Za-z_][A-Za-z_0-9.]*)");

  private static final Pattern FORMATTED =
      Pattern.compile("\\.formatted\\(|String\\.format\\(|\\.concat\\(|StringTemplate");

  /// What is joined to SQL, and why that is no value.
  private static final Set<String> ALLOWED =
      Set.of(
          "row", // question marks
          "SqlSyntax.parameters",
          "IDS.sql",
          "ROWS.sql",
          "table", // names of tables and columns in our code
          "table.name",
          "target.name",
          "TABLE",
          "CopyMark.TABLE",
          "WHOLE", // the name of a row in our code
          "where",
          "column",
          "syntax.contains", // conditions in our code
          "syntax.containsBytes",
          "AFFILIATIONS", // parts of statements in our code
          "SUBSCRIPTIONS",
          "OF_COLLECTION",
          "PubSubRows.COLUMNS",
          "ids",
          "numbers", // numbers of ours, where no parameter is possible or a plan needs them
          "after",
          "version");

  @Test
  void noValueIsJoinedToSql() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      found.addAll(joined(Files.readString(source)));
      assertThat(FORMATTED.matcher(Files.readString(source)).find())
          .as(source.toString())
          .isFalse();
    }
    assertThat(ALLOWED).containsAll(found);
    assertThat(found).contains("row", "version"); // else this test looks at nothing
  }

  @Test
  void aJoinedValueWouldBeFound() {
    assertThat(joined("query(\"select a from b where c = '\" + name + \"'\")")).contains("name");
    assertThat(joined("query(\"delete from b where c = \"\n    + jid.local())"))
        .contains("jid.local");
  }

  private static List<String> joined(String source) {
    List<String> names = new ArrayList<>();
    Matcher matcher = JOINED.matcher(source);
    while (matcher.find()) {
      String around = source.substring(Math.max(0, matcher.start() - 400), matcher.start());
      // Messages for people say "in" and "and" too; they go into exceptions.
      int statement = around.lastIndexOf(';');
      if (around.lastIndexOf("Exception(") <= statement
          && around.lastIndexOf("damaged(") <= statement) {
        names.add(matcher.group(1));
      }
    }
    return names;
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
