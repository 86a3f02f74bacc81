package im.zonda.console.page;

import im.zonda.console.chart.Inquiry;
import im.zonda.console.login.Visit;
import im.zonda.console.view.Values;
import im.zonda.operation.Grant;
import im.zonda.operation.Kind;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Scope;
import im.zonda.operation.Shape;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One visit of an administrator: runs operations as them.
///
/// @param operations runs them
/// @param visit the request, and who has sent it
/// @param values shows values in the reader's language
/// @param served the domains of all hosts
public record Desk(Operations operations, Visit visit, Values values, List<String> served)
    implements Inquiry {
  /// The operation of that name; null if there is none.
  public @Nullable Operation<?, ?> find(String name) {
    for (Operation<?, ?> each : operations.catalogue().operations()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /// Whether there is an operation of that name, and the visitor may run it for any host: what they
  /// may not is not tried on the way, as each attempt is in the audit.
  @Override
  public boolean may(String name) {
    Operation<?, ?> operation = find(name);
    return operation != null && may(operation);
  }

  /// Whether the visitor may run it for any host.
  public boolean may(Operation<?, ?> operation) {
    Grant grant = visit.caller().grant();
    return (grant.hosts() == null || operation.scope() == Scope.SERVER)
        ? grant.allows(operation, null)
        : grant.hosts().stream().anyMatch(host -> grant.allows(operation, host));
  }

  /// The hosts that the visitor may ask about.
  public List<String> hosts() {
    Grant grant = visit.caller().grant();
    return grant.hosts() == null ? served : List.copyOf(new TreeSet<>(grant.hosts()));
  }

  /// The host that the address of the page names; otherwise the first.
  String host() {
    String asked = query(Operation.HOST);
    return asked.isEmpty() && !hosts().isEmpty() ? hosts().getFirst() : asked;
  }

  /// A parameter of the address; empty if it has none.
  public String query(String name) {
    return visit.request().query().getOrDefault(name, "");
  }

  /// Runs an operation.
  public Outcome<?> run(String name, Map<String, ? extends @Nullable Object> given) {
    return operations.run(visit.caller(), name, given);
  }

  /// The result of an operation as plain data, of all nodes if nothing else is said; null if it was
  /// refused.
  @Override
  public @Nullable Map<String, @Nullable Object> data(
      String name, Map<String, ? extends @Nullable Object> given) {
    Operation<?, ?> operation = find(name);
    if (operation == null) {
      return null;
    }
    Map<String, @Nullable Object> all = new LinkedHashMap<>(given);
    if (!choices(operation).isEmpty() && operation.reach() == Operation.Reach.NODES) {
      all.putIfAbsent(Operation.NODE, Operation.ALL_NODES);
    }
    Record result = result(run(name, all));
    return result == null ? null : operation.result().data(result);
  }

  /// What was done, also if only in part; null if nothing was.
  static @Nullable Record result(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Done<?>(Record result) -> result;
      case Outcome.Partly<?>(Record result, var _) -> result;
      case Outcome.Refused<?> _, Outcome.Started<?> _, Outcome.Following<?> _ -> null;
    };
  }

  /// What was not done, as a text; empty if all was.
  static String failures(Outcome<?> outcome) {
    return outcome instanceof Outcome.Partly<?>(var _, List<Outcome.Failure> failures)
        ? String.join(
            " ", failures.stream().map(each -> each.subject() + ": " + each.reason()).toList())
        : "";
  }

  /// The nodes from which one is chosen for an operation; empty without a cluster, and if the
  /// operation is not about a node.
  List<String> choices(Operation<?, ?> operation) {
    List<String> names = operations.nodes();
    if (operation.reach() == Operation.Reach.CLUSTER || names.size() < 2) {
      return List.of();
    }
    List<String> all = new ArrayList<>(names);
    if (operation.reach() == Operation.Reach.NODES) {
      all.addFirst(Operation.ALL_NODES);
    }
    return all;
  }

  /// The node that the address of the page names, or all for what can be seen of all; empty for the
  /// node that is asked.
  String node(Operation<?, ?> operation) {
    if (choices(operation).isEmpty()) {
      return "";
    }
    String asked = query(Operation.NODE);
    boolean every = operation.kind() == Kind.READ && operation.reach() == Operation.Reach.NODES;
    return asked.isEmpty() && every ? Operation.ALL_NODES : asked;
  }

  @Override
  public String text(String key, String... values) {
    return visit.language().text(key, values);
  }

  /// What an operation does, in the reader's language. English is in its definition.
  public String title(Operation<?, ?> operation) {
    String key = "operation." + operation.name();
    return visit.language().has(key) ? text(key) : operation.title();
  }

  /// What a component of an operation's input is, in the reader's language: of that operation, or
  /// of all that have a component of that name.
  String about(Operation<?, ?> operation, Shape.Component component) {
    for (String key :
        List.of(
            "about." + operation.name() + "." + component.dashed(),
            "about." + component.dashed())) {
      if (visit.language().has(key)) {
        return text(key);
      }
    }
    return component.about();
  }

  /// An address with parameters, without those that are empty.
  public static String url(String path, Map<String, String> parameters) {
    List<String> pairs = new ArrayList<>();
    parameters.forEach((name, value) -> {
      if (!value.isEmpty()) {
        pairs.add(encode(name) + "=" + encode(value));
      }
    });
    return pairs.isEmpty() ? path : path + "?" + String.join("&", pairs);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
