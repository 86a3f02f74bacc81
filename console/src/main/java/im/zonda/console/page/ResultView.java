package im.zonda.console.page;

import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Fact;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.console.view.Tone;
import im.zonda.console.view.Values;
import im.zonda.operation.Field;
import im.zonda.operation.Operation;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Results of operations as sections of a page: values with their names, tables for lists of
/// records.
///
/// @param values shows values
/// @param empty what is said of an empty list
record ResultView(Values values, String empty) {
  /// Components that are for going on, not for reading.
  private static final List<String> PAGING = List.of("next", "complete");

  /// What a list shows of its elements.
  ///
  /// @param names the components; empty for all
  /// @param actions what can be done with an element
  record Choice(List<String> names, Function<Object, List<Link>> actions) {
    /// All of them, with which nothing is done.
    static final Choice ALL = new Choice(List.of(), _ -> List.of());
  }

  /// All of a result.
  List<Section> sections(String title, Shape shape, Record result) {
    List<Fact> facts = new ArrayList<>();
    List<Section> more = new ArrayList<>();
    for (int i = 0; i < shape.components().size(); i++) {
      Shape.Component component = shape.components().get(i);
      Object value = shape.get(result, i);
      String label = values.label(component);
      if (PAGING.contains(component.name()) || (value == null && isNode(component))) {
        continue;
      }
      switch (component.value()) {
        case Value.Many(Value each, int _) when each instanceof Value.Group -> {
          Table table = table(component, value, Choice.ALL);
          more.add(Section.of(label, table, empty));
        }
        case Value.Group(Shape inner) -> {
          if (value != null) {
            more.addAll(sections(label, inner, (Record) value));
          }
        }
        case Value.Lines _ when value != null && value.toString().indexOf('\n') >= 0 ->
            more.add(Section.text(label, value.toString()));
        case Value.Text _ when value != null && value.toString().length() > 400 ->
            more.add(Section.text(label, value.toString()));
        default -> facts.add(new Fact(label, cell(component.name(), component.value(), value)));
      }
    }
    List<Section> all = new ArrayList<>();
    if (!facts.isEmpty() || more.isEmpty()) {
      all.add(Section.of(title, facts));
    }
    all.addAll(more);
    return all;
  }

  /// A list as a table.
  ///
  /// @param component the list
  /// @param value its value
  Table table(Shape.Component component, @Nullable Object value, Choice choice) {
    List<?> elements = value instanceof List<?> list ? list : List.of();
    Value each =
        component.value() instanceof Value.Many(Value inner, int _) ? inner : component.value();
    List<Column> columns = new ArrayList<>();
    List<List<Cell>> rows = new ArrayList<>();
    List<List<Link>> actions = new ArrayList<>();
    List<Shape.Component> shown = withNode(each, shown(each, choice.names()), elements);
    if (each instanceof Value.Group(Shape shape)) {
      shown.forEach(one -> columns.add(new Column(values.label(one), isNumber(one.value()))));
      for (Object element : elements) {
        Record record = (Record) Objects.requireNonNull(element);
        rows.add(
            shown.stream()
                .map(one -> cell(one.name(), one.value(), shape.get(record, one.name())))
                .toList());
      }
    } else {
      columns.add(new Column(values.label(component), isNumber(each)));
      String singular = component.name().replaceAll("s$", "");
      elements.forEach(element -> rows.add(List.of(cell(singular, each, element))));
    }
    elements.forEach(element -> actions.add(choice.actions().apply(element)));
    boolean any = actions.stream().anyMatch(one -> !one.isEmpty());
    return new Table(columns, rows, any ? actions : List.of());
  }

  /// Whether it is the node of the cluster, which is not there without one.
  private static boolean isNode(Shape.Component component) {
    return component.name().equals(Operation.NODE)
        && !component.required()
        && component.about().equals(Field.NODE);
  }

  /// The components with that of the node of the cluster, if one of the elements has it.
  private static List<Shape.Component> withNode(
      Value each, List<Shape.Component> shown, List<?> elements) {
    if (!(each instanceof Value.Group(Shape shape))) {
      return shown;
    }
    Shape.Component node = shape.component(Operation.NODE);
    if (node == null || !isNode(node)) {
      return shown;
    }
    List<Shape.Component> all = new ArrayList<>(shown);
    all.remove(node);
    if (elements.stream()
        .anyMatch(one -> shape.get((Record) Objects.requireNonNull(one), node.name()) != null)) {
      all.addFirst(node);
    }
    return all;
  }

  /// The components of the elements of a list that are shown.
  static List<Shape.Component> shown(Value each, List<String> names) {
    if (!(each instanceof Value.Group(Shape shape))) {
      return List.of();
    }
    if (names.isEmpty()) {
      return shape.components();
    }
    List<Shape.Component> chosen = new ArrayList<>();
    for (String name : names) {
      Shape.Component found = shape.component(name);
      if (found != null) {
        chosen.add(found);
      }
    }
    return chosen;
  }

  private static boolean isNumber(Value value) {
    return value instanceof Value.Whole
        || value instanceof Value.Decimal
        || value instanceof Value.Size;
  }

  /// A value with the page that it leads to. What fails is shown as that.
  private Cell cell(String name, Value kind, @Nullable Object value) {
    Cell cell = values.cell(kind, value);
    if (name.equals("disabled") && Boolean.TRUE.equals(value)) {
      return cell.with(Tone.BAD);
    }
    if (name.equals("expired") && Boolean.TRUE.equals(value)) {
      return cell.with(Tone.WARNING);
    }
    return cell.to(Places.of(name, cell.text()));
  }
}
