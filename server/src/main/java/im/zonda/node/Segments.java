package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Stamp;
import im.zonda.node.copy.Mirror;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What this node is for each segment. Changed in the node's inbox; [#isHere] and [#isComing] may
/// be called by any thread.
///
/// A segment that comes to this node is *gated*: what arrives for it waits until every member has
/// said that it does nothing for the segment any more.
final class Segments {
  /// What has arrived for a gated segment.
  record Arrived(Member from, NodeValue.ToHome value) {}

  /// What a segment opens with.
  ///
  /// @param state what is known of the state of its homes
  /// @param arrived what has waited
  record Opening(Map<Mirror.Key, StanzaBytes> state, List<Arrived> arrived) {}

  /// Whose copies of which term.
  private record Source(Member from, Stamp term) {}

  private static final class Gate {
    /// Whether the home before has died: streams at other nodes and at edges have its sessions made
    /// again.
    boolean orphaned;

    final Set<Member> missing;
    final List<Arrived> arrived = new ArrayList<>();
    final Map<Source, Mirror> copies = new LinkedHashMap<>();

    Gate(Placement placement) {
      missing = new HashSet<>(placement.members());
    }

    Mirror copies(Member from, int segment, Stamp term) {
      return copies.computeIfAbsent(new Source(from, term), _ -> new Mirror(segment, term));
    }
  }

  /// How long it may take until sessions that were lost with their node are made again, in ms.
  private static final long REBUILT = 3_000;

  private enum SegmentState {
    /// The homes run on another node, or on none.
    ELSEWHERE,
    /// The homes are about to run on this node.
    GATED,
    /// The homes run on this node.
    HERE
  }

  private final Member self;
  private final AtomicReferenceArray<SegmentState> states;

  /// Stanzas on their way to homes of each segment.
  private final AtomicIntegerArray onTheWay;

  private final Map<Integer, Gate> gates = new HashMap<>();

  /// Until when sessions that were lost may be made again, by segment.
  private final AtomicLongArray rebuiltBy;

  private final LongSupplier clock;
  private final Runnable opening;
  private final TakeOver takeOver;

  /// @param clock the time in ms
  /// @param opening run each time before a segment opens
  Segments(Member self, int segments, LongSupplier clock, Runnable opening, TakeOver takeOver) {
    this.self = self;
    this.clock = clock;
    this.opening = opening;
    this.takeOver = takeOver;
    long[] none = new long[segments];
    Arrays.fill(none, Long.MIN_VALUE);
    this.rebuiltBy = new AtomicLongArray(none);
    SegmentState[] nowhere = new SegmentState[segments];
    Arrays.fill(nowhere, SegmentState.ELSEWHERE);
    this.states = new AtomicReferenceArray<>(nowhere);
    this.onTheWay = new AtomicIntegerArray(segments);
  }

  int count() {
    return states.length();
  }

  /// The number of segments whose homes run on this node.
  int here() {
    int count = 0;
    for (int segment = 0; segment < states.length(); segment++) {
      if (isHere(segment)) {
        count++;
      }
    }
    return count;
  }

  /// Whether the homes of the segment run on this node.
  boolean isHere(int segment) {
    return states.get(segment) == SegmentState.HERE;
  }

  /// Whether the homes of the segment are about to run on this node.
  boolean isComing(int segment) {
    return states.get(segment) == SegmentState.GATED;
  }

  /// Whether the homes run on this node and have got all that was sent to them before. Any thread
  /// may call.
  boolean isDirect(int segment) {
    return isHere(segment) && onTheWay.get(segment) == 0;
  }

  /// A stanza is on its way to a home of the segment. Any thread may call.
  void sent(int segment) {
    onTheWay.incrementAndGet(segment);
  }

  /// It has come to its home.
  void taken(int segment) {
    onTheWay.decrementAndGet(segment);
  }

  /// For how long, in ms, sessions of homes of the segment that were lost with their node may be
  /// made again; 0 if none was lost. Any thread may call.
  long awaitsSessions(int segment) {
    long by = rebuiltBy.get(segment);
    return by == Long.MIN_VALUE ? 0 : Math.max(0, by - clock.getAsLong());
  }

  /// Takes over a placement.
  ///
  /// @param last the placement before, or null
  /// @param passed gets what has waited for segments that are not gated any more
  /// @return the segments that have left this node
  Set<Integer> install(@Nullable Placement last, Placement next, Consumer<List<Arrived>> passed) {
    Set<Integer> left = new HashSet<>();
    Map<Integer, Gate> before = new HashMap<>(gates);
    gates.clear();
    for (int segment = 0; segment < states.length(); segment++) {
      boolean mine = next.home(segment).equals(self);
      if (isHere(segment) && !mine) {
        states.set(segment, SegmentState.ELSEWHERE);
        left.add(segment);
      } else if (!isHere(segment) && mine) {
        Gate gate = new Gate(next);
        gate.orphaned = last != null && !next.isMember(last.home(segment));
        Gate old = before.remove(segment);
        if (old != null) {
          gate.orphaned |= old.orphaned;
          // Stanzas are sent again by their sources; values of links are not.
          for (Arrived each : old.arrived) {
            boolean once =
                each.value() instanceof NodeValue.FromStream
                    || each.value() instanceof NodeValue.Posted;
            if (once && next.isMember(each.from())) {
              gate.arrived.add(each);
            }
          }
        }
        gates.put(segment, gate);
        states.set(segment, SegmentState.GATED);
      } else if (!mine) {
        states.set(segment, SegmentState.ELSEWHERE);
      }
    }
    before.values().forEach(gate -> passed.accept(gate.arrived));
    takeOver.installed(next.hasLostAnyOf(last), gates.isEmpty());
    return left;
  }

  /// Nothing is here any more.
  void close() {
    gates.clear();
    takeOver.end();
    for (int segment = 0; segment < states.length(); segment++) {
      states.set(segment, SegmentState.ELSEWHERE);
    }
  }

  /// The segments that are gated.
  Set<Integer> gated() {
    return Set.copyOf(gates.keySet());
  }

  /// Keeps a value until the segment opens.
  void await(int segment, Member from, NodeValue.ToHome value) {
    Gate gate = gates.get(segment);
    if (gate != null) {
      gate.arrived.add(new Arrived(from, value));
    }
  }

  /// Keeps a value that concerns a home until the segment opens, if it is gated.
  ///
  /// @return false if the value need not wait
  boolean awaitGate(Member from, NodeValue.Posted value) {
    int segment = Placement.segmentOf(value.owner(), count());
    boolean waits = !value.owner().isEmpty() && gates.containsKey(segment);
    if (waits) {
      await(segment, from, value);
    }
    return waits;
  }

  /// A member has a copy of a part of a home in a gated segment.
  void collected(Member from, NodeValue.Copy copy) {
    Gate gate = gates.get(copy.segment());
    if (gate != null) {
      gate.copies(from, copy.segment(), copy.term()).add(copy);
    }
  }

  /// A member has sent all copies that it has of a term.
  void collected(Member from, NodeValue.Copies copies) {
    Gate gate = gates.get(copies.segment());
    if (gate != null && copies.complete()) {
      gate.copies(from, copies.segment(), copies.term()).complete(copies.version());
    }
  }

  /// A member does nothing for the segment any more.
  ///
  /// @return what the homes of the segment are to be given before it is [#open]ed; null if it does
  ///   not open with this
  @Nullable Opening end(int segment, Member from) {
    Gate gate = gates.get(segment);
    if (gate == null || !gate.missing.remove(from) || !gate.missing.isEmpty()) {
      return null;
    }
    gates.remove(segment);
    if (gate.orphaned) {
      rebuiltBy.set(segment, clock.getAsLong() + REBUILT);
    }
    opening.run();
    return new Opening(Mirror.newest(gate.copies.values()), gate.arrived);
  }

  /// The homes of the segment are here from now on. No thread may find one of them without the
  /// state that it had: it would answer that it does not know the sessions that are on their way to
  /// it.
  void open(int segment) {
    // Unless it has been closed.
    boolean _ = states.compareAndSet(segment, SegmentState.GATED, SegmentState.HERE);
    takeOver.opened(gates.isEmpty());
  }
}
