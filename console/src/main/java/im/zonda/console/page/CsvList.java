package im.zonda.console.page;

import im.zonda.console.view.CsvText;
import im.zonda.http.HttpContent;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// All entries of a list as comma-separated values, page by page. At most [#MOST]; the last line
/// says if there are more.
///
/// @param desk runs the operation
/// @param operation gives the list
/// @param list the component of its result
record CsvList(Desk desk, Operation<?, ?> operation, String list) {
  private static final int MOST = 10_000;
  private static final long PAGE = 200;

  /// The response.
  ///
  /// @param name of the file, without the ending
  HttpResponse response(String name, Map<String, String> given) {
    return HttpResponse.stream(
            200, "text/csv; charset=utf-8", -1, output -> write(output, new LinkedHashMap<>(given)))
        .with("Content-Disposition", "attachment; filename=\"" + name + ".csv\"");
  }

  private void write(HttpContent.Output output, Map<String, String> given) throws IOException {
    given.remove("after");
    Shape.Component limit = operation.input().component("limit");
    if (limit != null && limit.value() instanceof Value.Whole(long _, long max)) {
      given.put("limit", String.valueOf(Math.min(max, PAGE)));
    }
    Shape.Component component = Objects.requireNonNull(operation.result().component(list));
    Value each =
        component.value() instanceof Value.Many(Value inner, int _) ? inner : component.value();
    List<Shape.Component> columns = new ArrayList<>(ResultView.shown(each, List.of()));
    if (desk.choices(operation).isEmpty() && operation.reach() != Operation.Reach.CLUSTER) {
      columns.removeIf(one -> one.name().equals(Operation.NODE));
    }
    line(
        output,
        columns.isEmpty()
            ? List.of(component.dashed())
            : columns.stream().map(Shape.Component::dashed).toList());
    int written = 0;
    while (true) {
      Outcome<?> outcome = desk.run(operation.name(), given);
      Record result = Desk.result(outcome);
      if (result == null) {
        throw new IOException("the list " + operation + " has ended before its end");
      }
      Map<String, @Nullable Object> data = operation.result().data(result);
      for (Object element : (List<?>) Objects.requireNonNull(data.get(list))) {
        line(output, values(element, columns));
        written++;
      }
      Object next = data.get("next");
      if (next == null) {
        String failures = Desk.failures(outcome);
        if (!failures.isEmpty()) {
          line(output, List.of(failures));
        }
        return;
      }
      if (written >= MOST) {
        line(output, List.of(desk.text("list.cut", String.valueOf(written))));
        return;
      }
      given.put("after", next.toString());
    }
  }

  private static List<String> values(@Nullable Object element, List<Shape.Component> columns) {
    if (!(element instanceof Map<?, ?> members)) {
      return List.of(String.valueOf(element));
    }
    return columns.stream()
        .map(each -> {
          Object value = members.get(each.name());
          return value == null ? "" : value.toString();
        })
        .toList();
  }

  private static void line(HttpContent.Output output, List<String> values) throws IOException {
    byte[] bytes = CsvText.line(values).getBytes(StandardCharsets.UTF_8);
    output.write(bytes, 0, bytes.length);
  }
}
