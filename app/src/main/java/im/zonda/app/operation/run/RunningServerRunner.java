package im.zonda.app.operation.run;

import im.zonda.app.control.ApiClient;
import im.zonda.http.HttpMethod;
import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Route;
import im.zonda.operation.rest.OpenApi;
import im.zonda.operation.rest.RestHandler;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Asks a running server for operations.
///
/// @param client its control socket
public record RunningServerRunner(ApiClient client) implements OperationRunner {
  private static final int DONE = 200;
  private static final int STARTED = 202;
  private static final int WITHOUT_RESULT = 204;
  private static final int PARTLY = 207;

  @Override
  public Answer run(
      Operation<?, ?> operation,
      Map<String, @Nullable Object> given,
      Consumer<Map<String, @Nullable Object>> results)
      throws IOException {
    boolean ofNodes = operation.reach() != Operation.Reach.CLUSTER;
    return run(operation.name(), operation.route(), ofNodes, given, results);
  }

  /// Runs one that only the server knows, such as one of a plugin.
  ///
  /// @param name its name
  /// @param given the values, as texts
  /// @param results as in [#run]
  /// @throws IllegalArgumentException if the server has no such operation
  public Answer runNamed(
      String name,
      Map<String, @Nullable Object> given,
      Consumer<Map<String, @Nullable Object>> results)
      throws IOException {
    String description = RestHandler.FOLDER + OpenApi.FILE;
    ApiClient.Answer answer = client.send(HttpMethod.GET, description, null, _ -> {});
    if (answer.status() != DONE) {
      throw new IOException("the server does not say which operations it has");
    }
    return run(name, route(JsonReader.object(answer.body()), name), true, given, results);
  }

  private static Route route(Map<String, @Nullable Object> description, String name) {
    if (description.get("paths") instanceof Map<?, ?> paths) {
      for (Map.Entry<?, ?> path : paths.entrySet()) {
        if (path.getValue() instanceof Map<?, ?> methods) {
          for (Map.Entry<?, ?> method : methods.entrySet()) {
            if (method.getValue() instanceof Map<?, ?> operation
                && name.equals(operation.get("operationId"))) {
              return Route.of(
                  method.getKey().toString().toUpperCase(Locale.ROOT) + " " + path.getKey());
            }
          }
        }
      }
    }
    throw new IllegalArgumentException("the server has no operation " + name);
  }

  private Answer run(
      String name,
      Route route,
      boolean ofNodes,
      Map<String, @Nullable Object> given,
      Consumer<Map<String, @Nullable Object>> results)
      throws IOException {
    Map<String, @Nullable Object> left = new LinkedHashMap<>(given);
    left.values().removeIf(Objects::isNull);
    StringBuilder target = new StringBuilder(RestHandler.FOLDER);
    target.append(path(route, left));
    boolean inQuery = route.method() == HttpMethod.GET || route.method() == HttpMethod.DELETE;
    if (inQuery && !left.isEmpty()) {
      target.append(query(left));
    } else if (ofNodes && left.get(Operation.NODE) != null) {
      Map<String, @Nullable Object> node = new LinkedHashMap<>();
      node.put(Operation.NODE, left.remove(Operation.NODE));
      target.append(query(node));
    }
    ApiClient.Answer answer =
        client.send(
            route.method(),
            target.toString(),
            inQuery ? null : JsonText.of(left),
            event -> results.accept(JsonReader.object(event)));
    return answer(name, answer);
  }

  /// The path; its variables are no longer in `values`.
  private static String path(Route route, Map<String, @Nullable Object> values) {
    List<String> segments = new ArrayList<>();
    for (String segment : route.segments()) {
      boolean variable = segment.startsWith("{");
      Object value = variable ? values.remove(segment.substring(1, segment.length() - 1)) : segment;
      if (value == null || value.toString().isEmpty()) {
        throw new IllegalArgumentException(segment + " is missing");
      }
      segments.add(escape(value.toString()));
    }
    return String.join("/", segments);
  }

  private static String query(Map<String, @Nullable Object> values) {
    StringJoiner query = new StringJoiner("&", "?", "");
    values.forEach((name, value) -> {
      String text =
          value instanceof List<?> list
              ? String.join(",", list.stream().map(Objects::toString).toList())
              : Objects.toString(value);
      query.add(name + "=" + escape(text));
    });
    return query.toString();
  }

  private static String escape(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Answer answer(String operation, ApiClient.Answer answer) throws IOException {
    Map<String, @Nullable Object> body;
    try {
      body = answer.body().isBlank() ? Map.of() : JsonReader.object(answer.body());
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "the server has no operation " + operation + "; is it older than this launcher?", e);
    }
    return switch (answer.status()) {
      case DONE -> answer.body().isEmpty() ? new Answer.Ended() : new Answer.Done(body);
      case WITHOUT_RESULT -> new Answer.Done(Map.of());
      case STARTED -> new Answer.Started(Objects.toString(body.get("job")));
      case PARTLY -> partly(body);
      default -> new Answer.Refused(reason(body), detail(body));
    };
  }

  private static Answer partly(Map<String, @Nullable Object> body) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>(body);
    List<String> failures = new ArrayList<>();
    if (result.remove("failures") instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> failure) {
          failures.add(failure.get("subject") + ": " + failure.get("reason"));
        }
      }
    }
    return new Answer.Partly(result, failures);
  }

  private static Reason reason(Map<String, @Nullable Object> body) {
    Object word = body.get("reason");
    return Arrays.stream(Reason.values())
        .filter(each -> each.word().equals(word))
        .findFirst()
        .orElse(Reason.FAILED);
  }

  private static String detail(Map<String, @Nullable Object> body) {
    Object detail = body.get("detail");
    return detail == null ? "the server has refused this" : detail.toString();
  }

  @Override
  public void close() {}
}
