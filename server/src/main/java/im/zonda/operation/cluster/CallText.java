package im.zonda.operation.cluster;

import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.operation.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A call of an operation, and its outcome, as JSON between nodes. Members may be added; unknown
/// ones are left out.
final class CallText {
  private static final String OUTCOME = "outcome";
  private static final String RESULT = "result";
  private static final String REASON = "reason";
  private static final String TEXT = "text";
  private static final String FAILURES = "failures";
  private static final String SUBJECT = "subject";

  /// What another node asks for.
  ///
  /// @param operation the name of the operation
  record Asked(Caller caller, String operation, Map<String, @Nullable Object> input) {}

  private CallText() {}

  static String of(Caller caller, Operation<?, ?> operation, Map<String, ?> input) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("operation", operation.name());
    all.put("input", input);
    all.put("name", caller.name());
    all.put("via", Value.word(caller.via()));
    all.put("from", caller.from());
    all.put("role", Value.word(caller.grant().role()));
    Set<String> hosts = caller.grant().hosts();
    all.put("hosts", hosts == null ? null : List.copyOf(hosts));
    Set<Right> rights = caller.grant().rights();
    all.put("rights", rights == null ? null : rights.stream().map(Right::word).toList());
    return JsonText.of(all);
  }

  /// Reads a call.
  ///
  /// @throws IllegalArgumentException if it is none
  static Asked call(String text) {
    Map<String, @Nullable Object> all = JsonReader.object(text);
    if (!(all.get("input") instanceof Map<?, ?> given)) {
      throw new IllegalArgumentException("no input");
    }
    Map<String, @Nullable Object> input = new LinkedHashMap<>();
    given.forEach((name, value) -> input.put((String) Objects.requireNonNull(name), value));
    Set<String> hosts = texts(all.get("hosts"));
    Set<String> words = texts(all.get("rights"));
    Set<Right> rights = null;
    if (words != null) {
      rights = new LinkedHashSet<>();
      for (String word : words) {
        rights.add(constant(Right.class, word));
      }
    }
    Grant grant = new Grant(constant(Role.class, string(all, "role")), hosts, rights);
    Caller caller =
        new Caller(
            string(all, "name"),
            constant(Caller.Via.class, string(all, "via")),
            all.get("from") instanceof String from ? from : null,
            grant);
    return new Asked(caller, string(all, "operation"), input);
  }

  /// The texts of a list; null if it is not there. Anything else would widen a grant.
  private static @Nullable Set<String> texts(@Nullable Object given) {
    if (given == null) {
      return null;
    }
    if (!(given instanceof List<?> list)) {
      throw new IllegalArgumentException("no list");
    }
    Set<String> texts = new LinkedHashSet<>();
    for (Object each : list) {
      if (!(each instanceof String text)) {
        throw new IllegalArgumentException("no text");
      }
      texts.add(text);
    }
    return texts;
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String word) {
    for (E each : type.getEnumConstants()) {
      if (Value.word(each).equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no " + type.getSimpleName() + ": " + word);
  }

  private static String string(Map<?, ?> members, String name) {
    if (members.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(name + " is missing");
  }

  /// An outcome.
  static String of(Operation<?, ?> operation, Outcome<?> outcome) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    switch (outcome) {
      case Outcome.Done<?>(Record result) -> {
        all.put(OUTCOME, "done");
        all.put(RESULT, operation.result().data(result));
      }
      case Outcome.Partly<?>(Record result, List<Outcome.Failure> failures) -> {
        all.put(OUTCOME, "partly");
        all.put(RESULT, operation.result().data(result));
        all.put(
            FAILURES,
            failures.stream()
                .map(each -> Map.of(SUBJECT, each.subject(), REASON, each.reason()))
                .toList());
      }
      case Outcome.Started<?>(String job) -> {
        all.put(OUTCOME, "started");
        all.put("job", job);
      }
      case Outcome.Following<?> _ ->
          refused(
              Outcome.refused(
                  Outcome.Reason.NOT_APPLICABLE, "This can be followed only at the node itself."),
              all);
      case Outcome.Refused<?> _ -> refused(outcome, all);
    }
    return JsonText.of(all);
  }

  /// A refusal.
  static String refusal(Outcome.Reason reason, String text) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    refused(Outcome.refused(reason, text), all);
    return JsonText.of(all);
  }

  private static void refused(Outcome<?> outcome, Map<String, @Nullable Object> all) {
    if (outcome instanceof Outcome.Refused<?> refused) {
      all.put(OUTCOME, "refused");
      all.put(REASON, refused.reason().word());
      all.put(TEXT, refused.text());
      all.put("field", refused.field());
    }
  }

  /// Reads an outcome.
  ///
  /// @param node the node that has sent the text
  /// @throws IllegalArgumentException if it is none
  static Outcome<?> outcome(Operation<?, ?> operation, String node, String text) {
    Map<String, @Nullable Object> all = JsonReader.object(text);
    return switch (string(all, OUTCOME)) {
      case "done" -> Outcome.done(result(operation, all));
      case "partly" -> new Outcome.Partly<>(result(operation, all), failures(all));
      case "started" -> new Outcome.Started<>(string(all, "job") + "@" + node);
      case "refused" ->
          new Outcome.Refused<>(
              constant(Outcome.Reason.class, string(all, REASON)),
              string(all, TEXT),
              all.get("field") instanceof String field ? field : null);
      default -> throw new IllegalArgumentException("no outcome of this version");
    };
  }

  private static Record result(Operation<?, ?> operation, Map<String, @Nullable Object> all) {
    if (all.get(RESULT) instanceof Map<?, ?> result) {
      return ResultReader.read(operation.result(), result);
    }
    throw new IllegalArgumentException("no result");
  }

  private static List<Outcome.Failure> failures(Map<String, @Nullable Object> all) {
    List<Outcome.Failure> failures = new ArrayList<>();
    if (all.get(FAILURES) instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> one) {
          failures.add(new Outcome.Failure(string(one, SUBJECT), string(one, REASON)));
        }
      }
    }
    return failures;
  }
}
