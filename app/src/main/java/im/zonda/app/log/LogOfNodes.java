package im.zonda.app.log;

import im.zonda.app.log.LogOperations.Chosen;
import im.zonda.app.log.LogOperations.Followed;
import im.zonda.app.log.LogOperations.Line;
import im.zonda.app.log.LogOperations.Lines;
import im.zonda.app.log.LogOperations.Threshold;
import im.zonda.operation.Caller;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.execution.OtherNodes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// The log of another node, or of all of them, as it grows. Other nodes are asked every second for
/// what is new; what is new here is seen at once. For one thread.
final class LogOfNodes {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final LogOperations here;
  private final OtherNodes nodes;
  private final Caller caller;
  private final Followed followed;
  private final Map<String, Long> last = new HashMap<>();
  private final Set<String> silent = new HashSet<>();
  private boolean first = true;

  /// @param here the log of this node
  /// @param caller who follows: each node decides whether they may
  LogOfNodes(LogOperations here, Caller caller, Followed followed) {
    this.here = here;
    this.nodes = here.nodes();
    this.caller = caller;
    this.followed = followed;
  }

  /// Gives the last lines to a sink, and then each that is logged.
  void follow(Outcome.Sink<Line> sink) throws IOException, InterruptedException {
    while (true) {
      for (Line each : next()) {
        sink.accept(each);
      }
      here.recent().await(last.getOrDefault(self(), 0L), PAUSE);
    }
  }

  private String self() {
    return Objects.requireNonNullElse(nodes.self(), "");
  }

  private boolean all() {
    return Operation.ALL_NODES.equals(followed.node());
  }

  /// What is new, in the order of its times.
  private List<Line> next() throws InterruptedException {
    String self = self();
    Map<String, CompletableFuture<Outcome<?>>> asked = new LinkedHashMap<>();
    for (String name : all() ? nodes.names() : List.of(Objects.requireNonNull(followed.node()))) {
      if (!name.equals(self)) {
        Map<String, ?> given = LogOperations.SHOW.input().data(chosen(name));
        asked.put(name, nodes.run(name, caller, LogOperations.SHOW, new HashMap<>(given)));
      }
    }
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<String, CompletableFuture<Outcome<?>>> each : asked.entrySet()) {
      lines.addAll(lines(each.getKey(), outcome(each.getValue())));
    }
    if (all()) {
      lines.addAll(named(self, here.last(chosen(self)))); // last: others may have taken seconds
    }
    lines.sort(Comparator.comparing(Line::time));
    int from = first ? Math.max(0, lines.size() - followed.lines()) : 0;
    first = false;
    return lines.subList(from, lines.size());
  }

  private Chosen chosen(String node) {
    Long known = last.get(node);
    return new Chosen(known == null ? followed.lines() : RecentLines.MOST, followed.level(), known);
  }

  private static Outcome<?> outcome(CompletableFuture<Outcome<?>> asked)
      throws InterruptedException {
    try {
      return asked.get(); // there is an outcome after some seconds at most
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private List<Line> lines(String node, Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Done<?>(Lines found) ->
          found.lines().stream().anyMatch(each -> each.number() == null)
              ? missing(node, "The node " + node + " is of an earlier version.")
              : named(node, found.lines());
      case Outcome.Refused<?> refused -> missing(node, refused.text());
      case Outcome.Done<?> _, Outcome.Partly<?> _, Outcome.Started<?> _, Outcome.Following<?> _ ->
          missing(node, "The node has not answered as it should.");
    };
  }

  /// Says once that a node does not answer.
  private List<Line> missing(String node, String reason) {
    Instant now = InstantSource.system().instant();
    return silent.add(node) && followed.level() != Threshold.OFF
        ? List.of(new Line(node, null, now, Threshold.WARN, now + " WARN  " + reason))
        : List.of();
  }

  private List<Line> named(String node, List<Line> lines) {
    silent.remove(node);
    Long number = lines.isEmpty() ? Long.valueOf(0) : lines.getLast().number();
    if (lines.isEmpty() || number == null) {
      last.putIfAbsent(node, 0L);
      return lines;
    }
    last.put(node, number);
    return lines.stream()
        .map(each ->
            new Line(
                node.isEmpty() ? null : node,
                each.number(),
                each.time(),
                each.level(),
                each.text()))
        .toList();
  }
}
