package im.zonda.home.remote;

import im.zonda.config.limits.S2sLimits;
import im.zonda.journal.Place;
import im.zonda.link.DomainPair;
import im.zonda.route.Tracing;
import im.zonda.stanza.Iq;
import im.zonda.trace.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The stanzas of a pair of domains in the order in which they were accepted: first those that were
/// sent and are not acknowledged, then those that wait for a stream. Confined to the mailbox of the
/// pair.
///
/// Its bytes are bounded, and those of all queues ([QueueBudget]). In a full queue, stanzas of the
/// payer with the most bytes make room for those of another one.
final class RemoteQueue {
  private final DomainPair pair;
  private final QueueBudget budget;
  private final Tracing tracing;
  private final Deque<QueuedStanza> sent = new ArrayDeque<>();
  private final Deque<QueuedStanza> waiting = new ArrayDeque<>();
  private long lastNumber;
  private long sentBytes;
  private final Map<Payer, Long> paid = new HashMap<>(2);
  private long bytes;

  RemoteQueue(DomainPair pair, QueueBudget budget, Tracing tracing) {
    this.pair = pair;
    this.budget = budget;
    this.tracing = tracing;
  }

  /// Removes waiting stanzas of the payer with the most bytes here, as many as `payer` needs, if it
  /// has less.
  List<QueuedStanza> makeRoom(Payer payer, int size, S2sLimits limits) {
    long needed = bytes + size - limits.queueBytes();
    Payer main = mainPayer();
    if (main == null || needed <= 0 || main.equals(payer)) {
      return List.of();
    }
    return bytesOf(payer) + size > bytesOf(main) ? List.of() : shed(main, needed);
  }

  /// The payer with the most bytes; null if the queue is empty.
  @Nullable Payer mainPayer() {
    return paid.isEmpty()
        ? null
        : Collections.max(paid.entrySet(), Map.Entry.comparingByValue()).getKey();
  }

  private long bytesOf(Payer payer) {
    return paid.getOrDefault(payer, 0L);
  }

  /// Takes room for a stanza; false if there is none. In an empty queue there is always room in its
  /// own bound, however large the stanza.
  boolean take(Payer payer, int size, S2sLimits limits) {
    if ((bytes > 0 && bytes + size > limits.queueBytes())
        || !budget.take(pair, payer, size, limits)) {
      return false;
    }
    note(payer, size);
    return true;
  }

  /// Gives back the room for a stanza.
  void give(Payer payer, int size) {
    change(payer, -size);
  }

  /// Adds a stanza at the end.
  ///
  /// @param size the bytes that were taken for it
  void add(QueuedStanza stanza, int size) {
    waiting.add(stanza);
    change(stanza.payer(), stanza.size() - size);
  }

  private void change(Payer payer, long size) {
    budget.change(pair, payer, size);
    note(payer, size);
  }

  private void note(Payer payer, long size) {
    bytes += size;
    if (size != 0) {
      paid.merge(payer, size, (a, b) -> a + b == 0 ? null : a + b);
    }
  }

  private void removed(QueuedStanza stanza) {
    change(stanza.payer(), -stanza.size());
  }

  /// Removes waiting stanzas of a payer, newest first, until they have `wanted` bytes.
  List<QueuedStanza> shed(Payer payer, long wanted) {
    List<QueuedStanza> shed = new ArrayList<>();
    long freed = 0;
    for (Iterator<QueuedStanza> each = waiting.descendingIterator();
        freed < wanted && each.hasNext(); ) {
      QueuedStanza stanza = each.next();
      if (stanza.payer().equals(payer)) {
        each.remove();
        removed(stanza);
        freed += stanza.size();
        shed.add(stanza);
      }
    }
    return shed.reversed();
  }

  /// Gives all room back.
  void clear() {
    paid.forEach((payer, size) -> budget.change(pair, payer, -size));
    paid.clear();
    sent.clear();
    waiting.clear();
    bytes = 0;
    sentBytes = 0;
  }

  /// Takes the next stanza for a stream and numbers it; null if none waits, or if the
  /// unacknowledged stanzas fill the window.
  @Nullable QueuedStanza send(long window) {
    QueuedStanza next = sentBytes < window ? waiting.poll() : null;
    if (next != null) {
      next.number(++lastNumber);
      sent.add(next);
      tracing.step(next.trace(), Place.REMOTE, Verdict.SENT, pair.remote());
      sentBytes += next.size();
    }
    return next;
  }

  /// Removes what [#send] has returned last.
  QueuedStanza removeSent() {
    QueuedStanza last = sent.removeLast();
    sentBytes -= last.size();
    removed(last);
    return last;
  }

  /// Removes what was sent with numbers up to this one.
  List<QueuedStanza> acknowledge(long number) {
    List<QueuedStanza> acknowledged = new ArrayList<>();
    for (QueuedStanza first = sent.peek();
        first != null && first.number() <= number;
        first = sent.peek()) {
      sent.remove();
      sentBytes -= first.size();
      removed(first);
      acknowledged.add(first);
      tracing.step(first.trace(), Place.REMOTE, Verdict.ACKNOWLEDGED, pair.remote());
    }
    return acknowledged;
  }

  /// The stream is gone: unacknowledged stanzas have perhaps not arrived, and wait for another
  /// stream before all other stanzas. Requests that change something are removed and returned
  /// instead: they may have been carried out, and another server does not recognise a repeated one.
  List<QueuedStanza> requeue() {
    List<QueuedStanza> dropped = new ArrayList<>();
    for (QueuedStanza last = sent.pollLast(); last != null; last = sent.pollLast()) {
      if (last.stanza() instanceof Iq iq && iq.type() == Iq.Type.SET) {
        removed(last);
        dropped.add(last);
      } else {
        waiting.addFirst(last);
      }
    }
    sentBytes = 0;
    return dropped.reversed();
  }

  /// Whether an unacknowledged stanza matches.
  boolean hasSent(Predicate<QueuedStanza> matches) {
    return sent.stream().anyMatch(matches);
  }

  /// The first waiting stanzas.
  List<QueuedStanza> firstWaiting(int most) {
    return waiting.stream().limit(most).toList();
  }

  /// Removes the waiting stanzas that match.
  List<QueuedStanza> removeWaiting(Predicate<QueuedStanza> matches) {
    List<QueuedStanza> removed = new ArrayList<>();
    for (Iterator<QueuedStanza> each = waiting.iterator(); each.hasNext(); ) {
      QueuedStanza stanza = each.next();
      if (matches.test(stanza)) {
        each.remove();
        removed(stanza);
        removed.add(stanza);
      }
    }
    return removed;
  }

  /// Whether there are no stanzas, neither sent nor waiting.
  boolean isEmpty() {
    return sent.isEmpty() && waiting.isEmpty();
  }

  /// How many wait for a stream.
  int waiting() {
    return waiting.size();
  }

  /// How many were sent and are not acknowledged.
  int unacknowledged() {
    return sent.size();
  }

  /// The size of all of them.
  long bytes() {
    return bytes;
  }
}
