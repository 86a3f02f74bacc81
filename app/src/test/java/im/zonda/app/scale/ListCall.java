package im.zonda.app.scale;

import im.zonda.app.operation.StandardOperations;
import im.zonda.operation.Operation;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A call of an operation that lists something by pages.
///
/// @param given what is required, and one filter or none
record ListCall(Operation<?, ?> operation, Map<String, Object> given) {
  private static final String AFTER = "after";
  private static final String LIMIT = "limit";
  private static final String NEXT = "next";

  /// Near the beginning, and near the end.
  private static final List<Object> TIMES = List.of("2025-01-02T00:00:00Z", "2025-12-31T23:00:00Z");

  /// Filters that need another one.
  private static final Map<String, String> NEEDED = Map.of("journal.search with", "address");

  /// What is looked for, by operation and component: several values are several calls.
  private static final Map<String, List<Object>> VALUES =
      Map.ofEntries(
          Map.entry("host", List.of(Contents.HOST)),
          Map.entry("account", List.of(Contents.MAIN)),
          Map.entry("room", List.of(Contents.ROOM)),
          Map.entry("owner", List.of(Contents.SERVICE)),
          Map.entry("node", List.of(Contents.NODE)),
          Map.entry("node.list owner", List.of(Contents.SERVICE, Contents.MAIN)),
          Map.entry("account.list name", List.of("ser0", "nobody")),
          Map.entry("session.list resource", List.of("phone", "nothing")),
          Map.entry("session.list address", List.of("127.0.0.1", "192.0.2.1")),
          Map.entry("session.list software", List.of("nothing")),
          Map.entry("session.list idleSince", List.of("2026-06-01T00:00:00Z")),
          Map.entry("report.list reported", List.of(Contents.account(7))),
          Map.entry("invitation.list inviter", List.of(Contents.MAIN)),
          Map.entry("journal.search address", List.of(Contents.MAIN, Contents.account(7))),
          Map.entry("journal.search with", List.of(Contents.account(6))),
          Map.entry("journal.search reason", List.of("stranger", "server-failure")),
          Map.entry("journal.search since", TIMES),
          Map.entry("journal.search until", TIMES),
          Map.entry("trace.messages address", List.of(Contents.MAIN, Contents.account(7))),
          Map.entry("trace.messages trace", List.of("t1", "nothing")),
          Map.entry("trace.messages since", TIMES),
          Map.entry("trace.messages until", TIMES),
          Map.entry("audit.list host", List.of(Contents.HOST, Contents.OTHER)),
          Map.entry("audit.list caller", List.of("admin3@" + Contents.HOST, "nobody")),
          Map.entry(
              "audit.list operation", List.of("account", "account.disable", "nothing.at.all")),
          Map.entry("audit.list subject", List.of(Contents.account(7), "nothing")),
          Map.entry("audit.list since", TIMES),
          Map.entry("audit.list until", TIMES));

  /// Lists that read no database: settings, and what a process knows.
  private static final Set<String> WITHOUT_STORE =
      Set.of(
          "store.sizes",
          "alarm.list",
          "config.history",
          "config.list",
          "group.list",
          "group.members");

  /// The operations that list by pages: those with `after` and `limit`.
  static List<Operation<?, ?>> operations() {
    return StandardOperations.ALL.stream()
        .filter(
            each -> each.input().component(AFTER) != null && each.input().component(LIMIT) != null)
        .filter(each -> !WITHOUT_STORE.contains(each.name()))
        .toList();
  }

  /// All of them, each without a filter and with each value of each filter.
  static Stream<ListCall> all() {
    return operations().stream().flatMap(each -> calls(each).stream());
  }

  private static List<ListCall> calls(Operation<?, ?> operation) {
    List<ListCall> calls = new ArrayList<>();
    Map<String, Object> required = new LinkedHashMap<>();
    for (Shape.Component each : operation.input().components()) {
      if (each.required()) {
        required.put(each.name(), values(operation, each).getFirst());
      }
    }
    calls.add(new ListCall(operation, required));
    for (Shape.Component each : operation.input().components()) {
      if (!each.name().equals(AFTER) && !each.name().equals(LIMIT)) {
        for (Object value : values(operation, each)) {
          if (!value.equals(required.get(each.name()))) {
            Map<String, Object> given = new LinkedHashMap<>(required);
            String needed = NEEDED.get(operation.name() + " " + each.name());
            if (needed != null) {
              given.put(needed, values(operation, component(operation, needed)).getFirst());
            }
            given.put(each.name(), value);
            calls.add(new ListCall(operation, given));
          }
        }
      }
    }
    return calls;
  }

  private static Shape.Component component(Operation<?, ?> operation, String name) {
    return Objects.requireNonNull(operation.input().component(name));
  }

  private static List<?> values(Operation<?, ?> operation, Shape.Component component) {
    List<?> known = VALUES.get(operation.name() + " " + component.name());
    if (known == null && component.required()) {
      known = VALUES.get(component.name());
    }
    if (known == null) {
      known =
          switch (component.value()) {
            case Value.Choice choice -> choice.words();
            case Value.Many(Value.Choice choice, int _) -> choice.words();
            case Value.Flag _ -> List.of("true");
            case Value.Address _ -> VALUES.get(component.name());
            default -> null;
          };
    }
    if (known == null) {
      throw new AssertionError(
          "say in ListCall what to look for by " + component.name() + " of " + operation);
    }
    return known.stream().map(each -> each instanceof String ? each : each.toString()).toList();
  }

  /// Runs it.
  ///
  /// @param after where the page begins; null for the first one
  Page run(CountedServer server, @Nullable Object after, int limit) {
    Map<String, Object> input = new LinkedHashMap<>(given);
    input.put(LIMIT, Math.min(limit, most()));
    if (after != null) {
      input.put(AFTER, after);
    }
    return new Page(operation.result().data(server.done(operation.name(), input)));
  }

  /// The most that it lists at a time.
  private long most() {
    return component(operation, LIMIT).value() instanceof Value.Whole(long _, long most)
        ? most
        : Long.MAX_VALUE;
  }

  /// A page.
  ///
  /// @param data the result as plain data
  record Page(Map<String, @Nullable Object> data) {
    /// Where the next page begins; null if this is the last one.
    @Nullable Object next() {
      return data.get(NEXT);
    }

    /// What is listed.
    List<?> rows() {
      for (Object each : data.values()) {
        if (each instanceof List<?> list) {
          return list;
        }
      }
      throw new AssertionError("no list: " + data.keySet());
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(operation.name());
    given.forEach((name, value) -> {
      text.append(' ').append(name).append('=').append(value);
    });
    return text.toString();
  }
}
