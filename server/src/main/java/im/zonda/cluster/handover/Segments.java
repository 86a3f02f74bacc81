package im.zonda.cluster.handover;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Stamp;
import im.zonda.cluster.replica.Replica;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The role of this node for each segment. Changed in the node's inbox; [#isHere] and [#isComing]
/// may be called by any thread.
///
/// A segment that moves to this node is *gated*: values for it wait until every member has reported
/// that it no longer acts for the segment.
public final class Segments {
  /// A value that has arrived for a gated segment.
  public record Arrived(Member from, NodeValue.ToHome value) {}

  /// The contents with which a segment opens.
  ///
  /// @param state the newest known state of its homes
  /// @param arrived the values that have waited
  public record Opening(Map<Replica.Key, StanzaBytes> state, List<Arrived> arrived) {}

  /// The sender and term of a replica.
  private record Source(Member from, Stamp term) {}

  private static final class OpeningSegment {
    /// Whether the former home has died: streams at other nodes and at edges recover its sessions.
    boolean orphaned;

    final Set<Member> missing;
    final List<Arrived> arrived = new ArrayList<>();
    final Map<Source, Replica> copies = new LinkedHashMap<>();

    OpeningSegment(Placement placement) {
      missing = new HashSet<>(placement.members());
    }

    Replica copies(Member from, int segment, Stamp term) {
      return copies.computeIfAbsent(new Source(from, term), _ -> new Replica(segment, term));
    }
  }

  /// Upper bound on the time until streams have recovered the sessions that were lost with their
  /// node, in ms.
  private static final long RECOVERY_MILLIS = 3_000;

  private enum SegmentState {
    /// The homes run on another node, or on none.
    ELSEWHERE,
    /// The homes move to this node, and wait for their state.
    GATED,
    /// The homes run on this node.
    HERE
  }

  private final Member self;
  private final AtomicReferenceArray<SegmentState> states;

  /// Stanzas on their way to homes of each segment.
  private final AtomicIntegerArray onTheWay;

  private final Map<Integer, OpeningSegment> gates = new HashMap<>();

  /// Until when lost sessions may be recovered, by segment.
  private final AtomicLongArray recoverableUntil;

  private final LongSupplier clock;
  private final Runnable opening;
  private final TakeOver takeOver;

  /// @param clock the time in ms
  /// @param opening run each time before a segment opens
  public Segments(
      Member self, int segments, LongSupplier clock, Runnable opening, TakeOver takeOver) {
    this.self = self;
    this.clock = clock;
    this.opening = opening;
    this.takeOver = takeOver;
    long[] none = new long[segments];
    Arrays.fill(none, Long.MIN_VALUE);
    this.recoverableUntil = new AtomicLongArray(none);
    SegmentState[] nowhere = new SegmentState[segments];
    Arrays.fill(nowhere, SegmentState.ELSEWHERE);
    this.states = new AtomicReferenceArray<>(nowhere);
    this.onTheWay = new AtomicIntegerArray(segments);
  }

  int count() {
    return states.length();
  }

  /// The segment of a home. Any thread may call.
  public int of(String home) {
    return Placement.segmentOf(home, count());
  }

  /// Whether the home runs on this node. Any thread may call.
  public boolean isHere(String home) {
    return isHere(of(home));
  }

  /// The number of segments whose homes run on this node.
  public int here() {
    int count = 0;
    for (int segment = 0; segment < states.length(); segment++) {
      if (isHere(segment)) {
        count++;
      }
    }
    return count;
  }

  /// Whether the homes of the segment run on this node.
  public boolean isHere(int segment) {
    return states.get(segment) == SegmentState.HERE;
  }

  /// Whether the segment moves to this node and is gated.
  public boolean isComing(int segment) {
    return states.get(segment) == SegmentState.GATED;
  }

  /// Whether the homes run on this node and have accepted all earlier stanzas. Any thread may call.
  public boolean isDirect(int segment) {
    return isHere(segment) && onTheWay.get(segment) == 0;
  }

  /// A stanza is on its way to a home of the segment. Any thread may call.
  public void sent(int segment) {
    onTheWay.incrementAndGet(segment);
  }

  /// Its home has accepted the stanza.
  public void taken(int segment) {
    onTheWay.decrementAndGet(segment);
  }

  /// For how long, in ms, sessions of homes of the segment that were lost with their node may be
  /// recovered; 0 if none was lost. Any thread may call.
  public long awaitsSessions(int segment) {
    long by = recoverableUntil.get(segment);
    return by == Long.MIN_VALUE ? 0 : Math.max(0, by - clock.getAsLong());
  }

  /// Installs a placement.
  ///
  /// @param last the placement before, or null
  /// @param passed gets the values that waited for segments that are no longer gated
  /// @return the segments that have left this node
  public Set<Integer> install(
      @Nullable Placement last, Placement next, Consumer<List<Arrived>> passed) {
    Set<Integer> left = new HashSet<>();
    Map<Integer, OpeningSegment> before = new HashMap<>(gates);
    gates.clear();
    for (int segment = 0; segment < states.length(); segment++) {
      boolean mine = next.home(segment).equals(self);
      if (isHere(segment) && !mine) {
        states.set(segment, SegmentState.ELSEWHERE);
        left.add(segment);
      } else if (!isHere(segment) && mine) {
        OpeningSegment gate = new OpeningSegment(next);
        gate.orphaned = last != null && !next.isMember(last.home(segment));
        OpeningSegment old = before.remove(segment);
        if (old != null) {
          gate.orphaned |= old.orphaned;
          // Stanzas are repeated by their sources; values of links are not.
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

  /// Gives up all segments.
  public void close() {
    gates.clear();
    takeOver.end();
    for (int segment = 0; segment < states.length(); segment++) {
      states.set(segment, SegmentState.ELSEWHERE);
    }
  }

  /// The gated segments in ascending order, so that a simulation can be repeated from its seed.
  public Set<Integer> gated() {
    return new TreeSet<>(gates.keySet());
  }

  /// Keeps a value until the segment opens.
  public void await(int segment, Member from, NodeValue.ToHome value) {
    OpeningSegment gate = gates.get(segment);
    if (gate != null) {
      gate.arrived.add(new Arrived(from, value));
    }
  }

  /// Keeps a value that concerns a home until the segment opens, if it is gated.
  ///
  /// @return false if the value need not wait
  public boolean awaitGate(Member from, NodeValue.Posted value) {
    int segment = of(value.owner());
    boolean waits = !value.owner().isEmpty() && gates.containsKey(segment);
    if (waits) {
      await(segment, from, value);
    }
    return waits;
  }

  /// A member has sent a part of its replica of a gated segment.
  public void collected(Member from, NodeValue.Copy copy) {
    OpeningSegment gate = gates.get(copy.segment());
    if (gate != null) {
      gate.copies(from, copy.segment(), copy.term()).add(copy);
    }
  }

  /// A member has sent all parts that it has of a term.
  public void collected(Member from, NodeValue.Copies copies) {
    OpeningSegment gate = gates.get(copies.segment());
    if (gate != null && copies.complete()) {
      gate.copies(from, copies.segment(), copies.term()).complete(copies.version());
    }
  }

  /// A member no longer acts for the segment.
  ///
  /// @return the state for the homes of the segment, to be given before it is [#open]ed; null if
  ///   other members are still missing
  public @Nullable Opening end(int segment, Member from) {
    OpeningSegment gate = gates.get(segment);
    if (gate == null || !gate.missing.remove(from) || !gate.missing.isEmpty()) {
      return null;
    }
    gates.remove(segment);
    if (gate.orphaned) {
      recoverableUntil.set(segment, clock.getAsLong() + RECOVERY_MILLIS);
    }
    opening.run();
    return new Opening(Replica.newest(gate.copies.values()), gate.arrived);
  }

  /// Opens the segment. Its homes must have their state before: without it they would answer that
  /// sessions do not exist which are moving to them.
  public void open(int segment) {
    // Unless it has been closed.
    boolean _ = states.compareAndSet(segment, SegmentState.GATED, SegmentState.HERE);
    takeOver.opened(gates.isEmpty());
  }
}
