package im.zonda.operation.cluster;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.module.Scheduler;
import im.zonda.operation.Caller;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.execution.OtherNodes;
import im.zonda.runtime.ServerRuntime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has other nodes run operations, and runs those for which other nodes ask. The requester and
/// their rights come along; this node decides again. Any thread may call.
public final class NodeCalls implements OtherNodes, NodeMessage.Listener {
  /// The longest time to an answer.
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /// How long a node is not asked again that has not answered: a page asks for several things.
  static final Duration SILENCE = Duration.ofSeconds(10);

  /// The most bytes of a call or an outcome.
  static final int MOST_BYTES = 2 << 20;

  /// Calls that may await an outcome.
  static final int MOST_ASKED = 200;

  /// Calls of other nodes that may run here.
  static final int MOST_RUNNING = 32;

  private static final Logger LOG = LoggerFactory.getLogger(NodeCalls.class);

  private final ClusterView view;
  private final NodeMessage.Sender sender;
  private final ServerRuntime runtime;
  private final AtomicLong last = new AtomicLong();
  private final AtomicInteger running = new AtomicInteger();
  private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();

  /// Until when those are not asked that have not answered.
  private final Map<Member, Instant> silent = new ConcurrentHashMap<>();

  private volatile @Nullable Operations operations;

  private record Waiting(
      Member to, Operation<?, ?> operation, CompletableFuture<Outcome<?>> outcome) {}

  public NodeCalls(Nodes nodes, ServerRuntime runtime) {
    this.view = nodes.view();
    this.sender = nodes.sender();
    this.runtime = runtime;
  }

  /// Runs what other nodes ask for by these.
  public void answerBy(Operations known) {
    operations = known;
  }

  @Override
  public @Nullable String self() {
    Member self = view.self();
    return self == null ? null : self.name();
  }

  @Override
  public List<String> names() {
    return view.self() == null
        ? List.of()
        : view.members().stream().map(Member::name).distinct().sorted().toList();
  }

  /// The member of that name; of two the one that has started later.
  private @Nullable Member member(String name) {
    Member found = null;
    for (Member each : view.members()) {
      if (each.name().equals(name) && (found == null || each.incarnation() > found.incarnation())) {
        found = each;
      }
    }
    return found;
  }

  @Override
  public CompletableFuture<Outcome<?>> run(
      String node, Caller caller, Operation<?, ?> operation, Map<String, @Nullable Object> given) {
    CompletableFuture<Outcome<?>> outcome = new CompletableFuture<>();
    Member to = member(node);
    byte[] call = CallText.of(caller, operation, given).getBytes(StandardCharsets.UTF_8);
    Outcome<?> refused = refusal(node, to, call.length);
    if (refused != null || to == null) {
      outcome.complete(refused);
      return outcome;
    }
    long question = last.incrementAndGet();
    waiting.put(question, new Waiting(to, operation, outcome));
    Scheduler.Cancellable timer =
        runtime
            .scheduler()
            .schedule(
                PATIENCE,
                () -> {
                  silent.put(to, runtime.clock().instant().plus(SILENCE));
                  outcome.complete(unanswered(node));
                });
    var _ =
        outcome.whenComplete((_, _) -> {
          waiting.remove(question);
          timer.cancel();
        });
    sender.post(to, new NodeMessage.OperationAsked(question, new StanzaBytes(call)));
    if (!view.members().contains(to)) {
      outcome.complete(gone(node)); // it has left before it was waited for
    }
    return outcome;
  }

  private @Nullable Outcome<?> refusal(String node, @Nullable Member to, int bytes) {
    if (to == null) {
      return gone(node);
    }
    Instant until = silent.get(to);
    if (until != null && runtime.clock().instant().isBefore(until)) {
      return unanswered(node);
    }
    if (bytes > MOST_BYTES) {
      return Outcome.refused(Reason.TOO_MANY, "This is too large to be sent to another node.");
    }
    return waiting.size() >= MOST_ASKED
        ? Outcome.refused(Reason.TOO_MANY, "Too much is asked of other nodes; try again later.")
        : null;
  }

  private static Outcome<?> unanswered(String node) {
    return Outcome.refused(
        Reason.TIMEOUT,
        "The node %s has not answered within %d seconds.".formatted(node, PATIENCE.toSeconds()));
  }

  private static Outcome<?> gone(String node) {
    return Outcome.refused(Reason.UNAVAILABLE, "The node " + node + " has left the cluster.");
  }

  // ---- from other nodes

  @Override
  public void receive(Member from, NodeMessage value) {
    silent.remove(from);
    switch (value) {
      case NodeMessage.OperationAsked(long question, StanzaBytes call) ->
          asked(from, question, call);
      case NodeMessage.OperationAnswered(long question, StanzaBytes outcome) -> {
        Waiting asked = waiting.get(question);
        if (asked != null && asked.to().equals(from)) {
          later(() -> asked.outcome().complete(read(asked, outcome)));
        }
      }
      default -> {}
    }
  }

  /// Neither running nor reading is for the thread on which messages come.
  private void later(Runnable task) {
    try {
      runtime.workers().execute(task);
    } catch (RejectedExecutionException e) {
      LOG.atDebug().setCause(e).log("node_call_dropped"); // this node stops
    }
  }

  private static Outcome<?> read(Waiting asked, StanzaBytes outcome) {
    String node = asked.to().name();
    try {
      if (outcome.size() > MOST_BYTES) {
        throw new IllegalArgumentException("an outcome of " + outcome.size() + " bytes");
      }
      return CallText.outcome(asked.operation(), node, outcome.text());
    } catch (RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("node", asked.to())
          .addKeyValue("operation", asked.operation())
          .setCause(e)
          .log("node_answer_refused");
      return Outcome.refused(
          Reason.UNAVAILABLE,
          "The answer of the node " + node + " cannot be read: it may be of another version.");
    }
  }

  private void asked(Member from, long question, StanzaBytes call) {
    if (running.incrementAndGet() > MOST_RUNNING) {
      running.decrementAndGet();
      answer(from, question, CallText.refusal(Reason.TOO_MANY, "The node has too much to do now."));
      return;
    }
    later(() -> {
      try {
        answer(from, question, outcome(from, call));
      } finally {
        running.decrementAndGet();
      }
    });
  }

  private String outcome(Member from, StanzaBytes call) {
    try {
      if (call.size() > MOST_BYTES) {
        throw new IllegalArgumentException("a call of " + call.size() + " bytes");
      }
      return outcome(CallText.call(call.text()));
    } catch (RuntimeException e) {
      LOG.atWarn().addKeyValue("node", from).setCause(e).log("node_call_refused");
      return CallText.refusal(
          Reason.FAILED, "The node could not read this: it may be of another version.");
    }
  }

  private String outcome(CallText.Asked asked) {
    Operations known = operations;
    Operation<?, ?> operation =
        known == null
            ? null
            : known.catalogue().operations().stream()
                .filter(each -> each.name().equals(asked.operation()))
                .findFirst()
                .orElse(null);
    if (known == null || operation == null || operation.reach() == Operation.Reach.CLUSTER) {
      return CallText.refusal(Reason.NOT_FOUND, "The node has no such operation.");
    }
    return CallText.of(operation, known.run(asked.caller(), operation.name(), asked.input()));
  }

  private void answer(Member to, long question, String outcome) {
    byte[] bytes = outcome.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MOST_BYTES) {
      bytes =
          CallText.refusal(
                  Reason.TOO_MANY, "The answer is too large; ask for less, or the node itself.")
              .getBytes(StandardCharsets.UTF_8);
    }
    sender.post(to, new NodeMessage.OperationAnswered(question, new StanzaBytes(bytes)));
  }

  /// A node that has left answers no more.
  @Override
  public void placed(Set<Member> members) {
    silent.keySet().retainAll(members);
    for (Waiting each : List.copyOf(waiting.values())) {
      if (!members.contains(each.to())) {
        each.outcome().complete(gone(each.to().name()));
      }
    }
  }

  /// How many calls await an outcome.
  int waiting() {
    return waiting.size();
  }
}
