package im.zonda.cluster.channel;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Stamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The links of this node to all other members. A value is handled only while both nodes have the
/// placement in which it was sent. An older one is discarded, because its sender repeats it in the
/// next placement if it still matters; a newer one waits until this node has that placement, which
/// it gets unless it is evicted.
public final class NodeChannels {
  /// Early frames that are kept for a member. More are left to the sender, who keeps them, too.
  static final int MAX_EARLY = 256;

  private final Member self;
  private final BiConsumer<Member, Frame> out;
  private final Map<Member, NodeChannel> links = new HashMap<>();
  private final Map<Member, Deque<Frame>> early = new HashMap<>();
  private @Nullable Placement placement;

  /// @param out sends a frame to a process; may lose it, but must not reorder
  public NodeChannels(Member self, BiConsumer<Member, Frame> out) {
    this.self = self;
    this.out = out;
  }

  /// Begins all links again.
  ///
  /// @return the frames that have waited for this placement, to be received after the node itself
  ///   has installed it
  public List<Frame> install(Placement next) {
    placement = next;
    links.clear();
    for (Member member : next.members()) {
      if (!member.equals(self)) {
        links.put(member, new NodeChannel(self, next.stamp(), frame -> out.accept(member, frame)));
      }
    }
    List<Frame> due = new ArrayList<>();
    early.values().forEach(due::addAll);
    early.clear();
    return due;
  }

  /// Sends a value to a member; does nothing for a process that is none.
  public void send(Member to, NodeValue value) {
    NodeChannel link = links.get(to);
    if (link != null) {
      link.send(value);
    }
  }

  /// The values that a member has not received, as far as this node knows; empty for a process that
  /// is no member.
  public List<NodeValue> unreceived(Member member) {
    NodeChannel link = links.get(member);
    return link == null ? List.of() : link.unreceivedValues();
  }

  /// Whether a member has all values but so many that were sent to it last.
  public boolean hasAllBut(Member member, int last) {
    NodeChannel link = links.get(member);
    return link != null && link.hasAllBut(last);
  }

  /// The number of values that each other member has not received, as far as this node knows.
  public Map<Member, Integer> waiting() {
    Map<Member, Integer> waiting = new HashMap<>();
    links.forEach((member, link) -> waiting.put(member, link.unreceived()));
    return waiting;
  }

  /// The values that a frame brings; empty if it waits or is discarded.
  public List<NodeValue> receive(Frame frame) {
    if (frame.version() != Frame.VERSION) {
      return List.of();
    }
    Stamp installed = placement == null ? Stamp.NONE : placement.stamp();
    int order = frame.stamp().compareTo(installed);
    if (order > 0) {
      Deque<Frame> waiting = early.computeIfAbsent(frame.from(), _ -> new ArrayDeque<>());
      if (waiting.size() < MAX_EARLY) {
        waiting.add(frame);
      }
      return List.of();
    }
    NodeChannel link = links.get(frame.from());
    if (link == null || order < 0) {
      return List.of();
    }
    if (frame instanceof Frame.Unread unread) {
      // Its sender would hold it, and send it again, for ever.
      unread.entries().forEach(entry -> link.send(new NodeValue.Stored(entry)));
    }
    return link.receive(frame);
  }

  /// To be called some times a second: a value that was lost last is noticed by this alone.
  public void tick() {
    links.values().forEach(NodeChannel::tick);
  }
}
