package im.zonda.operation.rest;

import static im.zonda.operation.rest.JsonSchema.members;

import im.zonda.http.HttpMethod;
import im.zonda.operation.Kind;
import im.zonda.operation.Operation;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Describes operations as [RestHandler] serves them, by OpenAPI 3.1. Each has the right that it
/// needs as `x-right` and how far it changes something as `x-kind`.
public final class OpenApi {
  /// The path of the description, below the folder of the API.
  public static final String FILE = "openapi.json";

  private static final String JSON = "application/json";
  private static final String ABOUT =
      "Administration of a Zonda server. Each request needs a token; `zonda token create` makes one."
          + " A text stands for every kind of value, as in a path or a query; null counts as not"
          + " given. Errors are problem details (RFC 9457) whose member `reason` is a word for"
          + " programs.";

  private OpenApi() {}

  /// The document, as plain data.
  public static Map<String, Object> of(Collection<? extends Operation<?, ?>> operations) {
    Map<String, Map<String, Object>> paths = new TreeMap<>();
    TreeSet<String> subjects = new TreeSet<>();
    for (Operation<?, ?> each :
        operations.stream().sorted(Comparator.comparing(Operation::name)).toList()) {
      subjects.add(subject(each));
      paths
          .computeIfAbsent(each.route().path(), _ -> new TreeMap<>())
          .put(method(each), operation(each));
    }
    return document(paths, subjects, components(operations));
  }

  private static Map<String, Object> document(
      Map<String, Map<String, Object>> paths,
      SortedSet<String> subjects,
      Map<String, Object> components) {
    return members(
        "openapi",
        "3.1.1",
        "info",
        members("title", "Zonda", "version", "1", "description", ABOUT),
        "servers",
        List.of(Map.of("url", RestHandler.FOLDER.substring(0, RestHandler.FOLDER.length() - 1))),
        "security",
        List.of(Map.of("token", List.of())),
        "tags",
        subjects.stream().map(each -> Map.of("name", each)).toList(),
        "paths",
        paths,
        "components",
        components);
  }

  /// What an operation is about: the first word of its name.
  private static String subject(Operation<?, ?> operation) {
    return operation.name().substring(0, operation.name().indexOf('.'));
  }

  private static String method(Operation<?, ?> operation) {
    return operation.route().method().name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> operation(Operation<?, ?> operation) {
    Map<String, Object> described =
        members(
            "operationId",
            operation.name(),
            "summary",
            operation.title(),
            "tags",
            List.of(subject(operation)),
            "x-right",
            operation.right().word(),
            "x-kind",
            operation.kind().name().toLowerCase(Locale.ROOT));
    List<Object> parameters = parameters(operation);
    if (!parameters.isEmpty()) {
      described.put("parameters", parameters);
    }
    List<String> inPath = operation.route().variables();
    if (hasBody(operation) && operation.input().components().size() > inPath.size()) {
      described.put("requestBody", body(operation, inPath));
    }
    described.put("responses", responses(operation));
    return described;
  }

  /// Whether the input of an operation is in the body, apart from what is in the path.
  static boolean hasBody(Operation<?, ?> operation) {
    HttpMethod method = operation.route().method();
    return method != HttpMethod.GET && method != HttpMethod.DELETE;
  }

  private static List<Object> parameters(Operation<?, ?> operation) {
    List<Object> parameters = new ArrayList<>();
    List<String> inPath = operation.route().variables();
    for (Shape.Component each : operation.parameters()) {
      boolean path = inPath.contains(each.name());
      if (path || !hasBody(operation) || operation.input().component(each.name()) == null) {
        Map<String, Object> schema = path ? JsonSchema.segment(each) : JsonSchema.component(each);
        Map<String, Object> parameter =
            members(
                "name",
                each.name(),
                "in",
                path ? "path" : "query",
                "required",
                path || each.required(),
                "schema",
                schema);
        if (each.value() instanceof Value.Many) {
          parameter.put("style", path ? "simple" : "form");
          parameter.put("explode", false);
        }
        parameters.add(parameter);
      }
    }
    return parameters;
  }

  private static Map<String, Object> body(Operation<?, ?> operation, List<String> inPath) {
    boolean required =
        operation.input().components().stream()
            .anyMatch(each -> each.required() && !inPath.contains(each.name()));
    return members(
        "required",
        required,
        "content",
        content(JsonSchema.input(operation.input(), inPath), false));
  }

  private static Map<String, Object> content(Map<String, Object> schema, boolean events) {
    Map<String, Object> content = members(JSON, Map.of("schema", schema));
    if (events) {
      Map<String, Object> data =
          members("type", "string", "contentMediaType", JSON, "contentSchema", schema);
      content.put(
          "text/event-stream", Map.of("schema", object(List.of("data"), members("data", data))));
    }
    return content;
  }

  private static Map<String, Object> responses(Operation<?, ?> operation) {
    Map<String, Object> responses = new LinkedHashMap<>();
    Map<String, Object> result = Map.of("$ref", "#/components/schemas/" + operation.name());
    if (operation.result().components().isEmpty()) {
      responses.put("204", Map.of("description", "It is done."));
    } else {
      boolean reads = operation.kind() == Kind.READ;
      responses.put(
          "200", members("description", "The result.", "content", content(result, reads)));
    }
    responses.put("202", Map.of("$ref", "#/components/responses/Started"));
    if (operation.kind() != Kind.READ) {
      Map<String, Object> failures = Map.of("$ref", "#/components/schemas/Failures");
      Map<String, Object> both =
          operation.result().components().isEmpty()
              ? failures
              : Map.of("allOf", List.of(result, failures));
      responses.put(
          "207", members("description", "A part was not done.", "content", content(both, false)));
    }
    responses.put("4XX", Map.of("$ref", "#/components/responses/Problem"));
    responses.put("5XX", Map.of("$ref", "#/components/responses/Problem"));
    return responses;
  }

  private static Map<String, Object> schemas(Collection<? extends Operation<?, ?>> operations) {
    Map<String, Object> text = members("type", "string");
    Map<String, Object> schemas = new TreeMap<>();
    schemas.put(
        "Problem",
        object(
            List.of("title", "status", "reason", "detail"),
            members(
                "title",
                text,
                "status",
                members("type", "integer"),
                "reason",
                members("type", "string", "description", "a word for programs"),
                "detail",
                members("type", "string", "description", "a sentence for people"),
                "field",
                members("type", "string", "description", "the component that is wrong"))));
    schemas.put("Started", object(List.of("job"), members("job", text)));
    Map<String, Object> failure =
        object(List.of("subject", "reason"), members("subject", text, "reason", text));
    schemas.put(
        "Failures",
        object(
            List.of("failures"), members("failures", members("type", "array", "items", failure))));
    for (Operation<?, ?> each : operations) {
      if (!each.result().components().isEmpty()) {
        schemas.put(each.name(), JsonSchema.result(each.result()));
      }
    }
    return schemas;
  }

  private static Map<String, Object> object(List<String> required, Map<String, Object> properties) {
    return members("type", "object", "properties", properties, "required", required);
  }

  private static Map<String, Object> components(Collection<? extends Operation<?, ?>> operations) {
    Map<String, Object> problem = Map.of("$ref", "#/components/schemas/Problem");
    Map<String, Object> started = Map.of("$ref", "#/components/schemas/Started");
    Map<String, Object> location =
        members("description", "The path of the job.", "schema", members("type", "string"));
    return members(
        "securitySchemes",
        Map.of("token", members("type", "http", "scheme", "bearer")),
        "schemas",
        schemas(operations),
        "responses",
        members(
            "Problem",
            members(
                "description",
                "It was not done; a text if the request was no valid one.",
                "content",
                members(
                    "application/problem+json",
                    Map.of("schema", problem),
                    "text/plain",
                    Map.of("schema", members("type", "string")))),
            "Started",
            members(
                "description",
                "It goes on, as a job.",
                "headers",
                Map.of("Location", location),
                "content",
                content(started, false))));
  }
}
