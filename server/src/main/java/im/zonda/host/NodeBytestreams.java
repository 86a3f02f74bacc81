package im.zonda.host;

import im.zonda.bytestream.BytestreamProxy;
import im.zonda.bytestream.Bytestreams;
import im.zonda.cluster.Member;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The bytestreams proxy of this process, once it is known, and those of the other nodes: the two
/// parties may be connected to another node than the one that is asked to activate their stream.
/// Safe for use by several threads.
final class NodeBytestreams implements Bytestreams {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /// Activations that may await answers; one more is answered by this node alone.
  private static final int MOST_QUESTIONS = 1_000;

  private final ClusterView view;
  private final NodeMessage.Sender sender;
  private final Scheduler scheduler;
  private volatile @Nullable BytestreamProxy proxy;

  // Guarded by this object's monitor.
  private final Map<Long, Question> questions = new HashMap<>();
  private Set<Member> others = Set.of();
  private long lastQuestion;

  /// An activation that the other nodes have not answered. Guarded by the monitor of the outer
  /// object.
  private static final class Question {
    private final Set<Member> waiting;
    private final Consumer<Activation> done;
    private Activation outcome;
    private Scheduler.@Nullable Cancellable timer;

    private Question(Set<Member> waiting, Activation here, Consumer<Activation> done) {
      this.waiting = new HashSet<>(waiting);
      this.outcome = here;
      this.done = done;
    }
  }

  NodeBytestreams(Nodes nodes, Scheduler scheduler) {
    this.view = nodes.view();
    this.sender = nodes.sender();
    this.scheduler = scheduler;
  }

  void set(BytestreamProxy started) {
    proxy = started;
  }

  @Override
  public int port() {
    BytestreamProxy known = proxy;
    return known == null ? 0 : known.port();
  }

  @Override
  public void activate(String address, Jid requester, Consumer<Activation> done) {
    Activation here = activateHere(address, requester);
    long number = isFinal(here) ? 0 : ask(here, done);
    if (number == 0) {
      done.accept(here);
    } else {
      sender.postToOthers(new NodeMessage.StreamAsked(number, address, requester.toString()));
    }
  }

  private Activation activateHere(String address, Jid requester) {
    BytestreamProxy known = proxy;
    return known == null ? Activation.NOT_CONNECTED : known.activate(address, requester);
  }

  /// Whether both parties are where that was answered.
  private static boolean isFinal(Activation outcome) {
    return outcome == Activation.ACTIVE || outcome == Activation.TOO_MANY;
  }

  /// The number of a new question; 0 if nobody else is asked.
  private synchronized long ask(Activation here, Consumer<Activation> done) {
    if (others.isEmpty() || questions.size() >= MOST_QUESTIONS) {
      return 0;
    }
    long number = ++lastQuestion;
    Question question = new Question(others, here, done);
    question.timer = scheduler.schedule(PATIENCE, () -> conclude(number));
    questions.put(number, question);
    return number;
  }

  // ---- the other nodes

  /// These are the nodes from now on. One that has left answers no more.
  void placed(Set<Member> members) {
    Set<Member> remaining = view.othersOf(members);
    List<Long> answered = new ArrayList<>();
    synchronized (this) {
      others = remaining;
      questions.forEach((number, question) -> {
        question.waiting.retainAll(remaining);
        if (question.waiting.isEmpty()) {
          answered.add(number);
        }
      });
    }
    answered.forEach(this::conclude);
  }

  /// Handles a message of another node; ignores other kinds.
  void receive(Member from, NodeMessage value) {
    switch (value) {
      case NodeMessage.StreamAsked(long question, String address, String requester) ->
          sender.post(
              from,
              new NodeMessage.StreamAnswered(
                  question, activateHere(address, Jid.stored(requester)).name()));
      case NodeMessage.StreamAnswered(long question, String outcome) ->
          answered(from, question, outcome);
      default -> {}
    }
  }

  private void answered(Member from, long number, String name) {
    Activation there =
        Arrays.stream(Activation.values())
            .filter(each -> each.name().equals(name))
            .findAny()
            .orElse(Activation.NOT_CONNECTED);
    boolean complete;
    synchronized (this) {
      Question question = questions.get(number);
      if (question == null || !question.waiting.remove(from)) {
        return;
      }
      if (isFinal(there) || question.outcome == Activation.NOT_CONNECTED) {
        question.outcome = there;
      }
      complete = isFinal(there) || question.waiting.isEmpty();
    }
    if (complete) {
      conclude(number);
    }
  }

  /// The outcome is known, or the time is over.
  private void conclude(long number) {
    Question question;
    Activation outcome;
    synchronized (this) {
      question = questions.remove(number);
      if (question == null) {
        return;
      }
      outcome = question.outcome;
      if (question.timer != null) {
        question.timer.cancel();
      }
    }
    question.done.accept(outcome);
  }
}
