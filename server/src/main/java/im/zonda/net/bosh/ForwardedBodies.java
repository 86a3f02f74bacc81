package im.zonda.net.bosh;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.module.Scheduler;
import im.zonda.runtime.ServerRuntime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Requests for sessions of other nodes of the cluster: they go to the node that has the session,
/// and its response comes back. Any thread may call.
final class ForwardedBodies implements NodeMessage.Listener {
  /// How many requests may wait for other nodes.
  static final int MAX_WAITING = 10_000;

  /// The client is to send the request again.
  private static final BoshResponse AGAIN =
      BoshResponse.of(BoshTerms.NONE, new BodyWriter().recoverableError().toBytes());

  private static final BoshResponse GONE =
      BoshResponse.end(BoshTerms.NONE, BoshCondition.ITEM_NOT_FOUND);

  private final ClusterView view;
  private final NodeMessage.Sender sender;
  private final ServerRuntime runtime;
  private final Duration patience;
  private final Answering answering;
  private final AtomicLong last = new AtomicLong();
  private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
  private volatile boolean stopped;

  /// Answers requests for sessions of this node.
  @FunctionalInterface
  interface Answering {
    /// Answers a request. May block.
    void answer(byte[] body, boolean secure, CompletableFuture<BoshResponse> reply);
  }

  /// @param self this node at that time: its next incarnation gets no answer
  private record Waiting(Member to, @Nullable Member self, CompletableFuture<BoshResponse> reply) {}

  /// @param patience how long the other node may take, which holds requests
  ForwardedBodies(Nodes nodes, ServerRuntime runtime, Duration patience, Answering answering) {
    this.view = nodes.view();
    this.sender = nodes.sender();
    this.runtime = runtime;
    this.patience = patience;
    this.answering = answering;
  }

  /// Has a node answer a request. There is a response in any case.
  ///
  /// @param secure whether it came by TLS
  CompletableFuture<BoshResponse> forward(Member to, byte[] body, boolean secure) {
    CompletableFuture<BoshResponse> reply = new CompletableFuture<>();
    if (waiting.size() >= MAX_WAITING) {
      reply.complete(AGAIN);
      return reply;
    }
    long question = last.incrementAndGet();
    waiting.put(question, new Waiting(to, view.self(), reply));
    Scheduler.Cancellable timer =
        runtime.scheduler().schedule(patience, () -> reply.complete(AGAIN));
    var _ =
        reply.whenComplete((_, _) -> {
          waiting.remove(question);
          timer.cancel();
        });
    sender.post(to, new NodeMessage.BoshAsked(question, secure, new StanzaBytes(body)));
    if (!view.members().contains(to)) {
      reply.complete(GONE); // it has left before it was waited for
    }
    if (stopped) {
      reply.complete(AGAIN); // no one waits for it now
    }
    return reply;
  }

  /// Ends a session of another node, whose client has sent what cannot be read.
  void end(Member node, String sid, boolean secure) {
    String unusable = "<body xmlns='" + BoshRequest.NAMESPACE + "' sid='" + sid + "'/>";
    var _ = forward(node, unusable.getBytes(StandardCharsets.UTF_8), secure);
  }

  // ---- from other nodes

  @Override
  public void receive(Member from, NodeMessage value) {
    switch (value) {
      case NodeMessage.BoshAsked(long question, boolean secure, StanzaBytes body) ->
          runtime.workers().execute(() -> answer(from, question, secure, body.array()));
      case NodeMessage.BoshAnswered(long question, int status, String type, StanzaBytes body) -> {
        Waiting asked = waiting.get(question);
        if (asked != null && asked.to().equals(from)) {
          asked.reply().complete(new BoshResponse(status, type, body.array()));
        }
      }
      default -> {}
    }
  }

  private void answer(Member from, long question, boolean secure, byte[] body) {
    CompletableFuture<BoshResponse> reply = new CompletableFuture<>();
    var _ =
        reply.thenAccept(response ->
            sender.post(
                from,
                new NodeMessage.BoshAnswered(
                    question,
                    response.status(),
                    response.type(),
                    new StanzaBytes(response.body()))));
    answering.answer(body, secure, reply);
  }

  /// A node that has left answers no more, and what was asked by an earlier incarnation of this one
  /// is not answered either.
  @Override
  public void placed(Set<Member> members) {
    Predicate<Waiting> lost =
        each ->
            !members.contains(each.to()) || each.self() == null || !members.contains(each.self());
    waiting.values().stream().filter(lost).toList().forEach(each -> each.reply().complete(GONE));
  }

  /// This node ends: clients are to send what waits again, to another node.
  void stop() {
    stopped = true;
    List.copyOf(waiting.values()).forEach(each -> each.reply().complete(AGAIN));
  }

  /// How many requests wait for other nodes.
  int waiting() {
    return waiting.size();
  }
}
