package im.zonda.home.remote;

import im.zonda.stanza.Iq;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The stanzas of a pair of domains in the order in which they were accepted: first those that a
/// stream has and that are not acknowledged, then those that wait for a stream. Confined to the
/// mailbox of the pair.
final class RemoteQueue {
  private final Deque<QueuedStanza> sent = new ArrayDeque<>();
  private final Deque<QueuedStanza> waiting = new ArrayDeque<>();
  private long lastNumber;
  private long sentBytes;
  private long bytes;

  /// Adds a stanza at the end.
  void add(QueuedStanza stanza) {
    waiting.add(stanza);
    bytes += stanza.size();
  }

  /// The next stanza for a stream, which has a number from now on; null if none waits, or if what
  /// was sent and is not acknowledged has that many bytes.
  @Nullable QueuedStanza send(long window) {
    QueuedStanza next = sentBytes < window ? waiting.poll() : null;
    if (next != null) {
      next.number(++lastNumber);
      sent.add(next);
      sentBytes += next.size();
    }
    return next;
  }

  /// Removes what [#send] has returned last.
  QueuedStanza removeSent() {
    QueuedStanza last = sent.removeLast();
    sentBytes -= last.size();
    bytes -= last.size();
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
      bytes -= first.size();
      acknowledged.add(first);
    }
    return acknowledged;
  }

  /// The stream that had it is gone: what was sent and not acknowledged has perhaps not arrived,
  /// and waits for another stream, before all others. Requests that change something are removed
  /// and returned instead: they may have been carried out, and another server does not recognise a
  /// repeated one.
  List<QueuedStanza> requeue() {
    List<QueuedStanza> dropped = new ArrayList<>();
    for (QueuedStanza last = sent.pollLast(); last != null; last = sent.pollLast()) {
      if (last.stanza() instanceof Iq iq && iq.type() == Iq.Type.SET) {
        bytes -= last.size();
        dropped.add(last);
      } else {
        waiting.addFirst(last);
      }
    }
    sentBytes = 0;
    return dropped.reversed();
  }

  /// Whether a stream has one that matches and is not acknowledged.
  boolean hasSent(Predicate<QueuedStanza> matches) {
    return sent.stream().anyMatch(matches);
  }

  /// Removes those that wait for a stream and match.
  List<QueuedStanza> removeWaiting(Predicate<QueuedStanza> matches) {
    List<QueuedStanza> removed = new ArrayList<>();
    for (Iterator<QueuedStanza> each = waiting.iterator(); each.hasNext(); ) {
      QueuedStanza stanza = each.next();
      if (matches.test(stanza)) {
        each.remove();
        bytes -= stanza.size();
        removed.add(stanza);
      }
    }
    return removed;
  }

  /// Whether there is nothing, neither sent nor waiting.
  boolean isEmpty() {
    return sent.isEmpty() && waiting.isEmpty();
  }

  /// How many wait for a stream.
  int waiting() {
    return waiting.size();
  }

  /// How many a stream has that are not acknowledged.
  int unacknowledged() {
    return sent.size();
  }

  /// The size of all of them.
  long bytes() {
    return bytes;
  }
}
