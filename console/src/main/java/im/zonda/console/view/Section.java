package im.zonda.console.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a page.
///
/// @param title its heading; empty for none
/// @param facts values with their names
/// @param table a table, or null
/// @param text a text of several lines, such as a file; empty for none
/// @param note a sentence: why there is nothing, or why it may not be seen; empty for none
/// @param links what can be done
public record Section(
    String title,
    List<Fact> facts,
    @Nullable Table table,
    String text,
    String note,
    List<Link> links) {
  /// Copies the lists.
  public Section {
    facts = List.copyOf(facts);
    links = List.copyOf(links);
  }

  /// Values with their names.
  public static Section of(String title, List<Fact> facts) {
    return new Section(title, facts, null, "", "", List.of());
  }

  /// A table.
  ///
  /// @param empty what is said if it has no rows
  public static Section of(String title, Table table, String empty) {
    return new Section(title, List.of(), table, "", table.rows().isEmpty() ? empty : "", List.of());
  }

  /// A sentence.
  public static Section note(String title, String sentence) {
    return new Section(title, List.of(), null, "", sentence, List.of());
  }

  /// A text of several lines.
  public static Section text(String title, String text) {
    return new Section(title, List.of(), null, text, "", List.of());
  }

  /// The same with another heading.
  public Section titled(String other) {
    return new Section(other, facts, table, text, note, links);
  }

  /// The same with what can be done.
  public Section with(List<Link> more) {
    return new Section(title, facts, table, text, note, more);
  }
}
