package im.zonda.trace.recording;

import im.zonda.jid.Jid;
import im.zonda.trace.TraceStore.Query;
import im.zonda.trace.TraceStore.Step;
import im.zonda.trace.TraceStore.Traced;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The latest messages that were traced at this node, and their steps; the oldest make room for new
/// ones. Safe for use by several threads.
final class RecentTraces {
  private static final int MOST_MESSAGES = 4_096;

  /// By which a message is known that has lost its origin.
  private record Key(@Nullable Jid sender, @Nullable Jid receiver, String stanza) {}

  private final int mostSteps;

  // Guarded by this object's monitor. In the order in which they came.
  private final ArrayDeque<Step> steps = new ArrayDeque<>();
  private final ArrayDeque<Traced> messages = new ArrayDeque<>();
  private final Map<Key, Long> traces = new LinkedHashMap<>();

  /// @param mostSteps how many steps there may be
  RecentTraces(int mostSteps) {
    this.mostSteps = mostSteps;
  }

  synchronized void add(Traced message) {
    messages.addLast(message);
    if (messages.size() > MOST_MESSAGES) {
      messages.removeFirst();
    }
    Key key = key(message.sender(), message.receiver(), message.stanza());
    if (key != null) {
      traces.put(key, message.trace());
      if (traces.size() > MOST_MESSAGES) {
        traces.remove(traces.keySet().iterator().next());
      }
    }
  }

  synchronized void add(Step step) {
    steps.addLast(step);
    if (steps.size() > mostSteps) {
      steps.removeFirst();
    }
  }

  private static @Nullable Key key(
      @Nullable Jid sender, @Nullable Jid receiver, @Nullable String stanza) {
    return stanza == null
        ? null
        : new Key(
            sender == null ? null : sender.bare(),
            receiver == null ? null : receiver.bare(),
            stanza);
  }

  /// The trace of a message; 0 if it is not known.
  synchronized long trace(@Nullable Jid sender, @Nullable Jid receiver, @Nullable String stanza) {
    Key key = key(sender, receiver, stanza);
    return key == null ? 0 : traces.getOrDefault(key, 0L);
  }

  /// The messages that a search finds, the newest first.
  synchronized List<Traced> find(Query query) {
    List<Traced> found = new ArrayList<>();
    for (Iterator<Traced> each = messages.descendingIterator(); each.hasNext(); ) {
      Traced message = each.next();
      if (query.finds(message)) {
        found.add(message);
      }
      if (found.size() == query.limit()) {
        break;
      }
    }
    return found;
  }

  /// The entries of a message.
  synchronized List<Traced> messages(long trace) {
    return messages.stream().filter(each -> each.trace() == trace).toList();
  }

  /// The steps of a message.
  synchronized List<Step> steps(long trace) {
    return steps.stream().filter(each -> each.trace() == trace).toList();
  }

  /// Forgets the messages that an address has sent or was sent, with their steps.
  synchronized void forget(Jid address) {
    Query all = new Query(address, null, Long.MIN_VALUE, Long.MAX_VALUE, 1);
    for (Traced each : List.copyOf(messages)) {
      if (all.finds(each)) {
        messages.remove(each);
        steps.removeIf(step -> step.trace() == each.trace());
      }
    }
    traces.keySet().removeIf(key -> address.equals(key.sender()) || address.equals(key.receiver()));
  }
}
