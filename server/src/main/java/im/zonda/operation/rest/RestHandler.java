package im.zonda.operation.rest;

import im.zonda.http.HttpException;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import im.zonda.operation.Caller;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Runs operations that are asked for by HTTP. The components of the input come from the path, from
/// the query of a GET or DELETE, and otherwise from a JSON object in the body.
///
/// The statuses are 200 with the result, 204 without one, 202 with the path of a job, 207 if a part
/// was not done, and those of [Problem]. Results that come as they are known are server-sent
/// events.
public final class RestHandler implements HttpHandler {
  /// The folder of the API.
  public static final String FOLDER = "/api/v1/";

  private static final int MAX_BODY = 1 << 20;

  private final Operations operations;
  private final Authentication authentication;

  /// Decides who has sent a request.
  @FunctionalInterface
  public interface Authentication {
    /// The caller; may block.
    ///
    /// @throws HttpException 401, 403, 421 or 429 if there is none
    Caller caller(HttpRequest request);
  }

  public RestHandler(Operations operations, Authentication authentication) {
    this.operations = operations;
    this.authentication = authentication;
  }

  @Override
  public HttpResponse handle(HttpRequest request) throws IOException {
    try {
      Caller caller = authentication.caller(request);
      return answer(request, caller);
    } catch (HttpException e) {
      HttpResponse problem = Problem.of(e.status(), "refused", e.getMessage() + ".");
      return e.status() == 401 ? problem.with("WWW-Authenticate", "Bearer") : problem;
    }
  }

  private HttpResponse answer(HttpRequest request, Caller caller) throws IOException {
    List<String> path = segments(request.path());
    HttpMethod method = request.method() == HttpMethod.HEAD ? HttpMethod.GET : request.method();
    Set<HttpMethod> others = EnumSet.noneOf(HttpMethod.class);
    Operation<?, ?> found = null;
    Map<String, String> values = Map.of();
    for (Operation<?, ?> each : operations.catalogue().operations()) {
      Map<String, String> variables = each.route().match(path);
      if (variables != null && each.route().method() != method) {
        others.add(each.route().method());
      } else if (variables != null && (found == null || variables.size() < values.size())) {
        found = each; // `/accounts/count` is no account
        values = variables;
      }
    }
    if (found != null) {
      return run(request, caller, found, values);
    }
    if (others.isEmpty()) {
      return Problem.of(404, "not-found", "There is no operation at this address.");
    }
    return Problem.of(405, "method", "This method is not for this address.")
        .with("Allow", others.stream().map(HttpMethod::name).collect(Collectors.joining(", ")));
  }

  /// The parts of the path below [#FOLDER]; none of them is empty.
  private static List<String> segments(String path) {
    return path.length() <= FOLDER.length()
        ? List.of()
        : List.of(path.substring(FOLDER.length()).split("/"));
  }

  private HttpResponse run(
      HttpRequest request, Caller caller, Operation<?, ?> operation, Map<String, String> variables)
      throws IOException {
    Map<String, @Nullable Object> given = new LinkedHashMap<>();
    HttpMethod method = operation.route().method();
    if (method == HttpMethod.GET || method == HttpMethod.DELETE) {
      given.putAll(request.query());
    } else {
      given.putAll(body(request));
    }
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      if (given.put(variable.getKey(), variable.getValue()) != null) {
        return Problem.of(
            400, "invalid", variable.getKey() + " is in the path; leave it out otherwise.");
      }
    }
    return response(operation, operations.run(caller, operation.name(), given));
  }

  private static Map<String, @Nullable Object> body(HttpRequest request) throws IOException {
    byte[] bytes = request.body().collect(MAX_BODY);
    if (bytes.length == 0) {
      return Map.of();
    }
    String type = request.header("Content-Type");
    // Pages of other origins can send forms and texts without being asked, but not this.
    if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("application/json")) {
      throw new HttpException(415, "Send application/json");
    }
    try {
      return JsonReader.object(new String(bytes, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new HttpException(400, "The body is not a JSON object");
    }
  }

  private static HttpResponse response(Operation<?, ?> operation, Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Done<?>(Record result) -> result(operation.result(), result);
      case Outcome.Partly<?>(Record result, List<Outcome.Failure> failures) ->
          json(207, partly(operation.result(), result, failures));
      case Outcome.Started<?>(String job) ->
          json(202, Map.of("job", job)).with("Location", FOLDER + "jobs/" + job);
      case Outcome.Following<?> following -> events(operation.result(), following);
      case Outcome.Refused<?> refused -> Problem.of(refused);
    };
  }

  private static HttpResponse result(Shape shape, Record result) {
    return shape.components().isEmpty()
        ? HttpResponse.empty(204).with("Cache-Control", "no-store")
        : json(200, shape.data(result));
  }

  private static Map<String, @Nullable Object> partly(
      Shape shape, Record result, List<Outcome.Failure> failures) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>(shape.data(result));
    List<Map<String, String>> list = new ArrayList<>();
    for (Outcome.Failure failure : failures) {
      Map<String, String> one = new LinkedHashMap<>();
      one.put("subject", failure.subject());
      one.put("reason", failure.reason());
      list.add(one);
    }
    members.put("failures", list);
    return members;
  }

  private static HttpResponse json(int status, Map<String, ?> members) {
    return HttpResponse.bytes(
            status,
            "application/json",
            (JsonText.of(members) + "\n").getBytes(StandardCharsets.UTF_8))
        .with("Cache-Control", "no-store");
  }

  private static <R extends Record> HttpResponse events(
      Shape shape, Outcome.Following<R> following) {
    return HttpResponse.stream(
            200,
            "text/event-stream",
            -1,
            output -> {
              try {
                following
                    .feed()
                    .follow(result -> {
                      byte[] event =
                          ("data: " + JsonText.of(shape.data(result)) + "\n\n")
                              .getBytes(StandardCharsets.UTF_8);
                      output.write(event, 0, event.length);
                    });
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the server stops
              }
            })
        .with("Cache-Control", "no-store");
  }
}
