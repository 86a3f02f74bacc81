package im.zonda.host;

import im.zonda.account.OnlineAccounts;
import im.zonda.cluster.Member;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.home.session.LocalSession;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds the accounts with sessions at this node and asks the other nodes for theirs. An account
/// has its sessions at one node, so the counts add up. Safe for use by several threads.
final class OnlineSessions implements OnlineAccounts {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /// Questions that may await answers; one more is answered by this node alone.
  private static final int MOST_QUESTIONS = 100;

  private final Supplier<Collection<LocalSession>> sessions;
  private final Predicate<Jid> reachable;
  private final ClusterView view;
  private final NodeMessage.Sender sender;
  private final Scheduler scheduler;
  private final AtomicLong lastQuestion = new AtomicLong();

  // Guarded by this object's monitor.
  private final Map<Long, Question> questions = new HashMap<>();
  private Set<Member> others = Set.of();

  /// A question that not all nodes have answered. Guarded by the monitor of the outer object.
  private static final class Question {
    private final Set<Member> waiting;
    private final int limit;
    private final Consumer<Found> answer;
    private final TreeSet<Jid> accounts;
    private long count;

    /// Whether a node has left before it answered.
    private boolean incomplete;

    private Scheduler.@Nullable Cancellable timer;

    private Question(Set<Member> waiting, int limit, Found own, Consumer<Found> answer) {
      this.waiting = new HashSet<>(waiting);
      this.limit = limit;
      this.answer = answer;
      this.accounts = new TreeSet<>(own.accounts());
      this.count = own.count();
    }

    private Found found() {
      return new Found(
          count, accounts.stream().limit(limit).toList(), waiting.isEmpty() && !incomplete);
    }

    /// Waits for these nodes only; false if it still waits for one.
    private boolean retain(Set<Member> members) {
      incomplete |= waiting.retainAll(members);
      return waiting.isEmpty();
    }
  }

  /// @param sessions the sessions of this node
  /// @param reachable whether the home of an account is loaded, or at another node
  OnlineSessions(
      Supplier<Collection<LocalSession>> sessions,
      Predicate<Jid> reachable,
      Nodes nodes,
      Scheduler scheduler) {
    this.sessions = sessions;
    this.reachable = reachable;
    this.view = nodes.view();
    this.sender = nodes.sender();
    this.scheduler = scheduler;
  }

  @Override
  public boolean canBeOnline(Jid account) {
    return reachable.test(account);
  }

  @Override
  public void find(
      String domain, Activity activity, @Nullable Jid after, int limit, Consumer<Found> answer) {
    Found own = findHere(domain, activity, after, limit);
    long number = lastQuestion.incrementAndGet();
    synchronized (this) {
      if (others.isEmpty() || questions.size() >= MOST_QUESTIONS) {
        number = 0;
      } else {
        Question question = new Question(others, limit, own, answer);
        long id = number;
        question.timer = scheduler.schedule(PATIENCE, () -> conclude(id));
        questions.put(number, question);
      }
    }
    if (number == 0) {
      answer.accept(new Found(own.count(), own.accounts(), hasNoOthers()));
    } else {
      String place = after == null ? "" : after.toString();
      sender.postToOthers(
          new NodeMessage.OnlineAsked(number, domain, activity.name(), limit, place));
    }
  }

  private synchronized boolean hasNoOthers() {
    return others.isEmpty();
  }

  private Found findHere(String domain, Activity wanted, @Nullable Jid after, int limit) {
    // True for accounts with a session that is awake.
    Map<Jid, Boolean> accounts = new HashMap<>();
    for (LocalSession session : sessions.get()) {
      if (session.jid().domain().equals(domain)) {
        accounts.merge(session.jid().bare(), !session.isAsleep(), Boolean::logicalOr);
      }
    }
    long count = 0;
    // Not all are sorted: there may be many more than are wanted.
    TreeSet<Jid> first = new TreeSet<>();
    for (Map.Entry<Jid, Boolean> each : accounts.entrySet()) {
      if (isMeant(wanted, each.getValue())) {
        count++;
        if (after == null || each.getKey().compareTo(after) > 0) {
          addBounded(first, each.getKey(), limit);
        }
      }
    }
    return new Found(count, List.copyOf(first), true);
  }

  /// Adds a value that is among the first ones.
  private static void addBounded(NavigableSet<Jid> first, Jid value, int limit) {
    if (first.size() < limit) {
      first.add(value);
    } else if (limit > 0 && value.compareTo(first.last()) < 0) {
      first.add(value);
      first.pollLast();
    }
  }

  private static boolean isMeant(Activity wanted, boolean awake) {
    return switch (wanted) {
      case ONLINE -> true;
      case ACTIVE -> awake;
      case IDLE -> !awake;
    };
  }

  // ---- the other nodes

  /// These are the nodes from now on. One that has left answers no more.
  void placed(Set<Member> members) {
    Set<Member> remaining = view.othersOf(members);
    List<Long> answered = new ArrayList<>();
    synchronized (this) {
      others = remaining;
      questions.forEach((number, question) -> {
        if (question.retain(remaining)) {
          answered.add(number);
        }
      });
    }
    answered.forEach(this::conclude);
  }

  /// Handles a message of another node; ignores other kinds.
  void receive(Member from, NodeMessage value) {
    switch (value) {
      case NodeMessage.OnlineAsked asked -> answer(from, asked);
      case NodeMessage.OnlineFound(long question, long count, StanzaBytes accounts) ->
          answered(from, question, count, accounts.text());
      default -> {}
    }
  }

  private void answer(Member from, NodeMessage.OnlineAsked asked) {
    Activity activity =
        Arrays.stream(Activity.values())
            .filter(each -> each.name().equals(asked.activity()))
            .findAny()
            .orElse(Activity.ONLINE);
    Jid after = asked.after().isEmpty() ? null : Jid.of(asked.after());
    Found found = findHere(asked.domain(), activity, after, asked.limit());
    String lines = found.accounts().stream().map(Jid::toString).collect(Collectors.joining("\n"));
    sender.post(
        from,
        new NodeMessage.OnlineFound(
            asked.question(),
            found.count(),
            new StanzaBytes(lines.getBytes(StandardCharsets.UTF_8))));
  }

  private void answered(Member from, long number, long count, String accounts) {
    boolean complete;
    synchronized (this) {
      Question question = questions.get(number);
      if (question == null || !question.waiting.remove(from)) {
        return;
      }
      question.count += count;
      accounts.lines().map(Jid::of).forEach(question.accounts::add);
      complete = question.waiting.isEmpty();
    }
    if (complete) {
      conclude(number);
    }
  }

  /// All nodes have answered, or the time is over.
  private void conclude(long number) {
    Question question;
    Found found;
    synchronized (this) {
      question = questions.remove(number);
      if (question == null) {
        return;
      }
      found = question.found();
      if (question.timer != null) {
        question.timer.cancel();
      }
    }
    question.answer.accept(found);
  }
}
