package im.zonda.app.operation.line;

import im.zonda.app.status.ByteCount;
import im.zonda.operation.Operation;
import im.zonda.operation.Shape;
import im.zonda.operation.Shape.Component;
import im.zonda.operation.Value;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;

/// Results as text for a terminal: a table for a list of records, otherwise a line for each value.
final class ResultText {
  private static final String NEXT = "next";
  private static final int MOST_CHARACTERS = 10_000;

  private final Ansi ansi;
  private final StringBuilder out = new StringBuilder();

  private ResultText(Ansi ansi) {
    this.ansi = ansi;
  }

  /// A result.
  ///
  /// @param data its components as plain data
  static String of(Shape shape, Map<String, ? extends @Nullable Object> data, Ansi ansi) {
    ResultText text = new ResultText(ansi);
    text.record(shape, data, "");
    return text.out.toString();
  }

  private void record(Shape shape, Map<?, ? extends @Nullable Object> data, String indent) {
    Component text = indent.isEmpty() ? textOf(shape) : null;
    if (text != null) {
      Object node = data.get(Operation.NODE);
      out.append(node == null ? "" : node + ": ")
          .append(text(text.value(), data.get(text.name())))
          .append('\n');
      return;
    }
    lines(shape, data, indent);
    boolean bare = out.isEmpty() && tables(shape) == 1;
    for (Component each : shape.components()) {
      if (each.value() instanceof Value.Group(Shape inner)
          && data.get(each.name()) instanceof Map<?, ?> group) {
        out.append(indent).append(label(each)).append(":\n");
        record(inner, group, indent + "  ");
      } else if (each.value() instanceof Value.Many(Value.Group(Shape inner), int _)
          && data.get(each.name()) instanceof List<?> rows) {
        if (!bare) {
          out.append(indent).append(label(each)).append(rows.isEmpty() ? ": none\n" : ":\n");
        } else if (rows.isEmpty()) {
          out.append("none\n");
        }
        table(inner, rows, bare ? indent : indent + "  ");
      }
    }
    if (shape.component(NEXT) != null && data.get(NEXT) != null) {
      out.append("There are more: add --after ").append(shown(data.get(NEXT))).append('\n');
    }
  }

  /// The component of a record that is a text of several lines, and says all of it: the last one,
  /// if the others say less. Null if there is none.
  private static @Nullable Component textOf(Shape shape) {
    Component last = shape.components().isEmpty() ? null : shape.components().getLast();
    return last != null && last.value() instanceof Value.Lines && last.required() ? last : null;
  }

  private static long tables(Shape shape) {
    return shape.components().stream()
        .filter(each -> each.value() instanceof Value.Many(Value.Group _, int _))
        .count();
  }

  /// A line for each value that is there.
  private void lines(Shape shape, Map<?, ? extends @Nullable Object> data, String indent) {
    List<Component> present =
        shape.columns().stream()
            .filter(each -> data.get(each.name()) != null && !each.name().equals(NEXT))
            .toList();
    int width = present.stream().mapToInt(each -> label(each).length()).max().orElse(0);
    for (Component each : present) {
      String value = text(each.value(), data.get(each.name()));
      String label = label(each) + ":";
      out.append(indent).append(label);
      if (value.indexOf('\n') >= 0) {
        value.lines().forEach(line -> out.append('\n').append(indent).append("  ").append(line));
      } else if (!value.isEmpty()) {
        out.append(" ".repeat(width + 2 - label.length())).append(value);
      }
      out.append('\n');
    }
  }

  private void table(Shape shape, List<?> rows, String indent) {
    if (rows.isEmpty()) {
      return;
    }
    Component text = textOf(shape);
    if (text != null) {
      boolean several = nodes(rows) > 1;
      for (Object row : rows) {
        Map<?, ?> values = row instanceof Map<?, ?> map ? map : Map.of();
        String node = several ? shown(values.get(Operation.NODE)) + ": " : "";
        out.append(node).append(text(text.value(), values.get(text.name()))).append('\n');
      }
      return;
    }
    List<Component> columns =
        nodes(rows) > 0
            ? shape.columns()
            : shape.columns().stream().filter(each -> !each.name().equals(Operation.NODE)).toList();
    List<List<String>> cells = new ArrayList<>();
    cells.add(columns.stream().map(ResultText::label).toList());
    for (Object row : rows) {
      Map<?, ?> values = row instanceof Map<?, ?> map ? map : Map.of();
      cells.add(columns.stream().map(each -> cell(each.value(), values.get(each.name()))).toList());
    }
    int[] widths = new int[columns.size()];
    for (List<String> row : cells) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (int i = 0; i < cells.size(); i++) {
      String line = line(columns, cells.get(i), widths);
      out.append(indent).append(i == 0 ? heading(line) : line).append('\n');
    }
  }

  /// How many nodes of a cluster the entries name.
  private static long nodes(List<?> rows) {
    return rows.stream()
        .map(row -> row instanceof Map<?, ?> map ? map.get(Operation.NODE) : null)
        .filter(Objects::nonNull)
        .distinct()
        .count();
  }

  private String heading(String line) {
    return ansi.enabled() ? Style.on(Style.bold) + line + Style.off(Style.bold) : line;
  }

  private static String line(List<Component> columns, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      boolean right = isNumber(columns.get(i).value());
      line.append(i == 0 ? "" : "  ");
      line.append(right ? padding : "").append(cells.get(i)).append(right ? "" : padding);
    }
    return line.toString().stripTrailing();
  }

  private static boolean isNumber(Value value) {
    return switch (value) {
      case Value.Whole _, Value.Decimal _, Value.Size _, Value.Span _ -> true;
      case Value.Text _,
          Value.Lines _,
          Value.Flag _,
          Value.Choice _,
          Value.Address _,
          Value.Domain _,
          Value.Time _,
          Value.Hidden _,
          Value.Many _,
          Value.Group _ ->
          false;
    };
  }

  /// The name of a component in words.
  private static String label(Component component) {
    return component.dashed().replace('-', ' ');
  }

  private static String cell(Value kind, @Nullable Object value) {
    return value == null ? "-" : text(kind, value).replace('\n', ' ');
  }

  private static String text(Value kind, @Nullable Object value) {
    if (value == null) {
      return "";
    }
    return switch (kind) {
      case Value.Text _,
          Value.Choice _,
          Value.Address _,
          Value.Domain _,
          Value.Hidden _,
          Value.Span _,
          Value.Whole _,
          Value.Group _ ->
          shown(value);
      case Value.Lines _ -> lines(value.toString());
      case Value.Decimal _ ->
          value instanceof Number number
              ? String.format(Locale.ROOT, "%.2f", number.doubleValue())
              : shown(value);
      case Value.Flag _ -> Boolean.TRUE.equals(value) ? "yes" : "no";
      case Value.Time _ -> time(value.toString());
      case Value.Size _ ->
          value instanceof Number number ? ByteCount.text(number.longValue()) : shown(value);
      case Value.Many(Value each, int _) ->
          value instanceof List<?> list
              ? String.join(", ", list.stream().map(one -> text(each, one)).toList())
              : shown(value);
    };
  }

  private static String time(String text) {
    return text.length() > 40
        ? shown(text)
        : Instant.parse(text).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String lines(String text) {
    return String.join("\n", text.lines().map(ResultText::shown).toList());
  }

  /// A text of others must not look like lines of ours, nor control the terminal.
  private static String shown(@Nullable Object value) {
    StringBuilder line = new StringBuilder();
    Objects.toString(value, "")
        .codePoints()
        .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? ' ' : c)
        .limit(MOST_CHARACTERS)
        .forEach(line::appendCodePoint);
    return line.toString();
  }
}
