package im.zonda.cluster.forward;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The forwarded stanzas that homes of this node have accepted, so that a stanza that its source
/// repeats in another placement is handled once. Confined to the node's inbox.
///
/// When a segment moves, its former node reports the accepted stanzas to the new one. The former
/// node confirms those in progress once they are handled. If that node is lost first, the new home
/// accepts them when their source repeats them.
///
/// Bounded by the sources: an entry is forgotten when its source can no longer repeat it.
public final class ArrivedStanzas {
  private static final class Taken {
    final int segment;

    /// The node that has accepted it; null if it was this one.
    final @Nullable String by;

    boolean handled;

    Taken(int segment, @Nullable String by, boolean handled) {
      this.segment = segment;
      this.by = by;
      this.handled = handled;
    }

    /// Whether it was in progress at a node that is gone.
    boolean isLost(Collection<Member> members) {
      return by != null
          && !handled
          && members.stream().noneMatch(member -> member.toString().equals(by));
    }
  }

  /// The stanzas of one source.
  private static final class Source {
    final NavigableMap<Long, Taken> entries = new TreeMap<>();

    /// All before this one have been handled.
    long oldest;

    void forget(long before) {
      oldest = Math.max(oldest, before);
      entries.headMap(before, false).clear();
    }
  }

  private final Map<String, Source> sources = new HashMap<>();

  /// The state of a stanza that has arrived.
  public enum Arrival {
    /// New: a home of this node accepts it.
    NEW,
    /// Already handled: confirmed to its source again.
    HANDLED,
    /// In progress: confirmed to its source when it is handled.
    PENDING
  }

  private Source source(String name) {
    return sources.computeIfAbsent(name, _ -> new Source());
  }

  /// A stanza has arrived.
  ///
  /// @param members the members of the placement
  public Arrival take(String source, long entry, int segment, Collection<Member> members) {
    Source known = source(source);
    if (entry < known.oldest) {
      return Arrival.HANDLED;
    }
    Taken before = known.entries.get(entry);
    if (before == null || before.isLost(members)) {
      known.entries.put(entry, new Taken(segment, null, false));
      return Arrival.NEW;
    }
    return before.handled ? Arrival.HANDLED : Arrival.PENDING;
  }

  /// A new stanza was not delivered to its home: its source sends it again.
  public void leave(String source, long entry) {
    source(source).entries.remove(entry);
  }

  /// A home of this node has handled a stanza.
  public void handled(String source, long entry) {
    Taken taken = source(source).entries.get(entry);
    if (taken != null) {
      taken.handled = true;
    }
  }

  /// The source will not repeat entries below this one.
  public void forget(String source, long oldest) {
    source(source).forget(oldest);
  }

  /// Forgets all sources but these.
  public void retain(Set<String> members) {
    sources.keySet().retainAll(members);
  }

  /// The accepted stanzas of a segment, by source.
  public List<NodeValue.AlreadyHandled> takenIn(int segment) {
    List<NodeValue.AlreadyHandled> found = new ArrayList<>();
    sources.forEach((name, source) -> {
      Map<String, Set<Long>> entries = new TreeMap<>(Map.of("", Set.of()));
      source.entries.forEach((entry, taken) -> {
        if (taken.segment == segment) {
          String by = taken.by == null ? "" : taken.by;
          entries.merge(
              taken.handled ? NodeValue.AlreadyHandled.HANDLED : by,
              Set.of(entry),
              ArrivedStanzas::union);
        }
      });
      entries.forEach((by, some) ->
          found.add(new NodeValue.AlreadyHandled(segment, name, source.oldest, some, by)));
    });
    return found;
  }

  private static Set<Long> union(Set<Long> some, Set<Long> more) {
    Set<Long> all = new TreeSet<>(some);
    all.addAll(more);
    return all;
  }

  /// The former home of the segment has accepted these, or an earlier one has.
  public void takenBy(Member home, NodeValue.AlreadyHandled taken) {
    Source known = source(taken.source());
    String by = taken.by().isEmpty() ? home.toString() : taken.by();
    boolean handled = by.equals(NodeValue.AlreadyHandled.HANDLED);
    for (long entry : taken.entries()) {
      known.entries.putIfAbsent(entry, new Taken(taken.segment(), by, handled));
    }
    known.forget(taken.oldest());
  }
}
