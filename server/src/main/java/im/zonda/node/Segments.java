package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/// What this node is for each segment. Changed in the node's inbox; [#isHere] may be called by any
/// thread.
///
/// A segment that comes to this node is *gated*: what arrives for it waits until every member has
/// said that it does nothing for the segment any more.
final class Segments {
  /// What has arrived for a gated segment.
  record Arrived(Member from, NodeValue value) {}

  /// What a segment opens with.
  ///
  /// @param moved the state that has moved with the homes
  /// @param arrived what has waited
  record Opening(List<StanzaBytes> moved, List<Arrived> arrived) {}

  private static final class Gate {
    final Set<Member> missing;
    final List<Arrived> arrived = new ArrayList<>();
    final List<StanzaBytes> moved = new ArrayList<>();

    Gate(Placement placement) {
      missing = new HashSet<>(placement.members());
    }
  }

  private final Member self;
  private final AtomicIntegerArray here;

  /// Stanzas on their way to homes of each segment.
  private final AtomicIntegerArray onTheWay;

  private final Map<Integer, Gate> gates = new HashMap<>();

  Segments(Member self, int segments) {
    this.self = self;
    this.here = new AtomicIntegerArray(segments);
    this.onTheWay = new AtomicIntegerArray(segments);
  }

  int count() {
    return here.length();
  }

  /// Whether the homes of the segment run on this node.
  boolean isHere(int segment) {
    return here.get(segment) != 0;
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

  /// Takes over a placement.
  ///
  /// @return the segments that have left this node
  Set<Integer> install(Placement next) {
    Set<Integer> left = new HashSet<>();
    Map<Integer, Gate> before = new HashMap<>(gates);
    gates.clear();
    for (int segment = 0; segment < here.length(); segment++) {
      boolean mine = next.home(segment).equals(self);
      if (isHere(segment) && !mine) {
        here.set(segment, 0);
        left.add(segment);
      } else if (!isHere(segment) && mine) {
        Gate gate = new Gate(next);
        Gate old = before.get(segment);
        if (old != null) {
          // Stanzas are sent again by their sources; values of links are not.
          for (Arrived each : old.arrived) {
            if (each.value() instanceof NodeValue.FromStream && next.isMember(each.from())) {
              gate.arrived.add(each);
            }
          }
        }
        gates.put(segment, gate);
      }
    }
    return left;
  }

  /// Nothing is here any more.
  void close() {
    gates.clear();
    for (int segment = 0; segment < here.length(); segment++) {
      here.set(segment, 0);
    }
  }

  /// The segments that are gated.
  Set<Integer> gated() {
    return Set.copyOf(gates.keySet());
  }

  /// Keeps a value until the segment opens.
  void await(int segment, Member from, NodeValue value) {
    Gate gate = gates.get(segment);
    if (gate != null) {
      gate.arrived.add(new Arrived(from, value));
    }
  }

  /// State has moved with a home of a gated segment.
  void moved(int segment, StanzaBytes state) {
    Gate gate = gates.get(segment);
    if (gate != null) {
      gate.moved.add(state);
    }
  }

  /// A member does nothing for the segment any more.
  ///
  /// @return null if the segment does not open with this
  @Nullable Opening end(int segment, Member from) {
    Gate gate = gates.get(segment);
    if (gate == null || !gate.missing.remove(from) || !gate.missing.isEmpty()) {
      return null;
    }
    gates.remove(segment);
    here.set(segment, 1);
    return new Opening(gate.moved, gate.arrived);
  }
}
