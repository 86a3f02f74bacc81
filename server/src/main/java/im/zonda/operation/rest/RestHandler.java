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
import im.zonda.operation.Value;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
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

  /// The most bytes of a body, beside long texts.
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
      List<String> path = segments(request);
      return answer(request, path, authentication.caller(request));
    } catch (HttpException e) {
      return Problem.of(e);
    }
  }

  private HttpResponse answer(HttpRequest request, List<String> path, Caller caller)
      throws IOException {
    HttpMethod method = request.method() == HttpMethod.HEAD ? HttpMethod.GET : request.method();
    if (method == HttpMethod.GET && path.equals(List.of(OpenApi.FILE))) {
      return json(200, OpenApi.of(operations.catalogue().operations()));
    }
    Set<HttpMethod> methods = EnumSet.noneOf(HttpMethod.class);
    Operation<?, ?> found = null;
    for (Operation<?, ?> each : operations.catalogue().operations()) {
      if (each.route().match(path) != null) {
        methods.add(each.route().method());
        boolean closer =
            found == null || each.route().variables().size() < found.route().variables().size();
        if (each.route().method() == method && closer) {
          found = each;
        }
      }
    }
    if (found != null) {
      Map<String, String> variables = Objects.requireNonNull(found.route().match(path));
      return run(request, caller, found, variables);
    }
    if (methods.isEmpty()) {
      return Problem.of(404, "not-found", "There is no operation at this address.");
    }
    if (methods.contains(HttpMethod.GET)) {
      methods.add(HttpMethod.HEAD);
    }
    return Problem.of(405, "method", "This method is not for this address.")
        .with("Allow", methods.stream().map(HttpMethod::name).collect(Collectors.joining(", ")));
  }

  /// The parts of the path below [#FOLDER], which may have slashes within; only the last can be
  /// empty. No variable is above the folder.
  private static List<String> segments(HttpRequest request) {
    List<String> path = request.segments();
    List<String> folder = List.of(FOLDER.substring(1, FOLDER.length() - 1).split("/"));
    int depth = folder.size();
    if (path.size() > depth && path.subList(0, depth).equals(folder)) {
      return path.subList(depth, path.size());
    }
    if (request.hasSlashes()) {
      throw new HttpException(
          400, "The address of the request has an escaped slash or backslash in the path");
    }
    return List.of();
  }

  private HttpResponse run(
      HttpRequest request, Caller caller, Operation<?, ?> operation, Map<String, String> variables)
      throws IOException {
    Map<String, @Nullable Object> given = new LinkedHashMap<>();
    if (OpenApi.hasBody(operation)) {
      Map<String, String> query = new LinkedHashMap<>(request.query());
      String node =
          operation.reach() == Operation.Reach.CLUSTER ? null : query.remove(Operation.NODE);
      if (!query.isEmpty()) {
        return Problem.of(400, "invalid", "The input belongs into the body, not into the address.");
      }
      given.putAll(body(request, MAX_BODY + longestText(operation)));
      if (node != null) {
        given.put(Operation.NODE, node);
      }
    } else {
      checkNoBody(request);
      given.putAll(request.query());
    }
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      if (given.put(variable.getKey(), variable.getValue()) != null) {
        return Problem.of(
            400, "invalid", variable.getKey() + " is in the path; leave it out otherwise.");
      }
    }
    return response(
        operation,
        operations.run(caller, operation.name(), given),
        () -> isStillAllowed(request, operation, given));
  }

  /// Whether the request would be answered again: its token may have ended or been revoked, or what
  /// it is about may be gone.
  private boolean isStillAllowed(
      HttpRequest request, Operation<?, ?> operation, Map<String, @Nullable Object> given) {
    try {
      return operations.allows(authentication.caller(request), operation.name(), given);
    } catch (HttpException e) {
      return e.status() == 429 || e.status() == 503; // undecided until the next look
    }
  }

  /// What nobody reads could be meant to limit what is done.
  private static void checkNoBody(HttpRequest request) throws IOException {
    if (request.body().length() != 0 && request.body().read(new byte[1], 0, 1) >= 0) {
      throw new HttpException(400, "The input belongs into the address, not into a body");
    }
  }

  /// The most characters of the texts of several lines that go in.
  private static int longestText(Operation<?, ?> operation) {
    return operation.input().components().stream()
        .mapToInt(each -> each.value() instanceof Value.Lines(int most) ? most : 0)
        .sum();
  }

  private static Map<String, @Nullable Object> body(HttpRequest request, int most)
      throws IOException {
    byte[] bytes = request.body().collect(most);
    if (bytes.length == 0) {
      return Map.of();
    }
    String type = request.header("Content-Type");
    // Pages of other origins can send forms and texts without being asked, but not this.
    if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("application/json")) {
      throw new HttpException(415, "Send application/json");
    }
    try {
      return JsonReader.object(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw new HttpException(400, "The body is not a JSON object");
    }
  }

  private static HttpResponse response(
      Operation<?, ?> operation, Outcome<?> outcome, BooleanSupplier stillAllowed) {
    return switch (outcome) {
      case Outcome.Done<?>(Record result) -> result(operation.result(), result);
      case Outcome.Partly<?>(Record result, List<Outcome.Failure> failures) ->
          json(207, partly(operation.result(), result, failures));
      case Outcome.Started<?>(String job) ->
          json(202, Map.of("job", job)).with("Location", FOLDER + "jobs/" + job);
      case Outcome.Following<?> following -> events(operation.result(), following, stillAllowed);
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
      Shape shape, Outcome.Following<R> following, BooleanSupplier stillAllowed) {
    return HttpResponse.stream(
            200, "text/event-stream", -1, new EventStream<>(shape, following.feed(), stillAllowed))
        .with("Cache-Control", "no-store");
  }
}
