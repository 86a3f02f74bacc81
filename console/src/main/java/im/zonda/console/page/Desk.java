package im.zonda.console.page;

import im.zonda.console.login.Visit;
import im.zonda.console.view.Values;
import im.zonda.operation.Grant;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Scope;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
record Desk(Operations operations, Visit visit, Values values, List<String> served) {
  /// The operation of that name; null if there is none.
  @Nullable Operation<?, ?> find(String name) {
    for (Operation<?, ?> each : operations.catalogue().operations()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /// Whether there is an operation of that name, and the visitor may run it for any host: what they
  /// may not is not tried on the way, as each attempt is in the audit.
  boolean may(String name) {
    Operation<?, ?> operation = find(name);
    return operation != null && may(operation);
  }

  /// Whether the visitor may run it for any host.
  boolean may(Operation<?, ?> operation) {
    Grant grant = visit.caller().grant();
    return (grant.hosts() == null || operation.scope() == Scope.SERVER)
        ? grant.allows(operation, null)
        : grant.hosts().stream().anyMatch(host -> grant.allows(operation, host));
  }

  /// The hosts that the visitor may ask about.
  List<String> hosts() {
    Grant grant = visit.caller().grant();
    return grant.hosts() == null ? served : List.copyOf(new TreeSet<>(grant.hosts()));
  }

  /// The host that the address of the page names; otherwise the first.
  String host() {
    String asked = query(Operation.HOST);
    return asked.isEmpty() && !hosts().isEmpty() ? hosts().getFirst() : asked;
  }

  /// A parameter of the address; empty if it has none.
  String query(String name) {
    return visit.request().query().getOrDefault(name, "");
  }

  /// Runs an operation.
  Outcome<?> run(String name, Map<String, ? extends @Nullable Object> given) {
    return operations.run(visit.caller(), name, given);
  }

  /// The result of an operation as plain data; null if it was refused.
  @Nullable Map<String, @Nullable Object> data(
      String name, Map<String, ? extends @Nullable Object> given) {
    Operation<?, ?> operation = find(name);
    return operation != null && run(name, given) instanceof Outcome.Done<?>(Record result)
        ? operation.result().data(result)
        : null;
  }

  String text(String key, String... values) {
    return visit.language().text(key, values);
  }

  /// An address with parameters, without those that are empty.
  static String url(String path, Map<String, String> parameters) {
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
