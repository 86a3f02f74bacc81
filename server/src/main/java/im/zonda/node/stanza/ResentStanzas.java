package im.zonda.node.stanza;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Stanzas that may have been handled by a member that is gone: each waits until the message log
/// says whether it has it. What the same source sends after it waits too, so that nothing
/// overtakes. Confined to the node's inbox; the log is asked by a worker.
///
/// Bounded by the sources, like what waits for a segment to open.
public final class ResentStanzas {
  /// A stanza that waits.
  ///
  /// @param origin what the log is asked for; 0 if it has not to be asked
  public record Waiting(Member from, NodeValue.Route route, long origin) {}

  /// What the log is asked.
  ///
  /// @param number grows with each
  /// @param age of the oldest of the stanzas
  public record Question(long number, Set<Long> origins, Duration age) {}

  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /// What the log is being asked.
  private @Nullable Question asked;

  private long last;

  /// Whether a stanza has to wait for one of the same source.
  public boolean hasOf(Member from) {
    for (Waiting each : waiting) {
      if (each.from().equals(from)) {
        return true;
      }
    }
    return false;
  }

  /// Adds a stanza.
  ///
  /// @param origin what the log is to be asked for; 0 if nothing
  public void add(Member from, NodeValue.Route route, long origin) {
    waiting.add(new Waiting(from, route, origin));
  }

  /// What the log is to be asked now; null if nothing, or while it is being asked.
  public @Nullable Question ask() {
    if (asked != null) {
      return null; // it has been asked
    }
    Set<Long> origins = new HashSet<>();
    long age = 0;
    for (Waiting each : waiting) {
      if (each.origin() != 0) {
        origins.add(each.origin());
        age = Math.max(age, each.route().age());
      }
    }
    asked = origins.isEmpty() ? null : new Question(++last, origins, Duration.ofMillis(age));
    return asked;
  }

  /// The log has answered.
  ///
  /// @return what can be handled now, in order; nothing if the question is of no interest any more
  public List<Waiting> answered(Question question) {
    if (!question.equals(asked)) {
      return List.of();
    }
    asked = null;
    return first(question.origins());
  }

  /// What waits for nothing, while the log is not being asked.
  public List<Waiting> unasked() {
    return asked == null ? first(Set.of()) : List.of();
  }

  private List<Waiting> first(Set<Long> origins) {
    List<Waiting> ready = new ArrayList<>();
    Waiting first = waiting.peek();
    while (first != null && (first.origin() == 0 || origins.contains(first.origin()))) {
      ready.add(waiting.remove());
      first = waiting.peek();
    }
    return ready;
  }

  /// The log could not be asked; [#ask] asks again.
  public void failed(Question question) {
    if (question.equals(asked)) {
      asked = null;
    }
  }

  /// Forgets all, in another placement: their sources send them again.
  public List<Waiting> clear() {
    List<Waiting> left = List.copyOf(waiting);
    waiting.clear();
    asked = null;
    return left;
  }
}
