package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.FrameCodec;
import im.zonda.cluster.frame.FrameFormatException;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.port.LocalHomes;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.cluster.port.PlacementFence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;

/// Nodes of two segments without a network: what they send, and what their workers are given, waits
/// in one queue until [#run]. Their clocks stand still.
final class TestNodes {
  /// The most bytes of one value.
  static final int MAX_BYTES = 1 << 16;

  /// What surrounds it in a frame. What is longer is lost whenever it is sent.
  private static final int AROUND = 1_000;

  private final List<Member> members = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Deque<Runnable> work = new ArrayDeque<>();
  private UnaryOperator<NodeValue> change = value -> value;

  /// In place of the tags of values; 0 for none.
  private int tag;

  private int version;

  /// One node for each of these homes, without a placement.
  TestNodes(List<? extends LocalHomes> homes) {
    for (LocalHomes each : homes) {
      Member member = new Member("n" + members.size(), 1);
      Node node =
          new Node(
              new NodeSetup(
                  member,
                  2,
                  MAX_BYTES,
                  (to, frames, _) -> carry(to, frames),
                  work::add,
                  () -> 0,
                  PlacementFence.NONE));
      members.add(member);
      nodes.add(node);
      node.start(each);
    }
  }

  private void carry(Member to, List<Frame> frames) {
    List<Frame> sent =
        frames.stream()
            .map(each -> each instanceof Frame.Data data ? changed(data) : each)
            .filter(each -> FrameCodec.write(each).length <= MAX_BYTES + AROUND)
            .toList();
    work.add(() -> nodes.get(members.indexOf(to)).received(sent));
  }

  private Frame changed(Frame.Data frame) {
    if (tag != 0) {
      return read(
          new Frame.Unread(
              frame.version(),
              frame.stamp(),
              frame.from(),
              frame.received(),
              frame.number(),
              tag,
              new StanzaBytes(new byte[] {1})));
    }
    return new Frame.Data(
        frame.version(),
        frame.stamp(),
        frame.from(),
        frame.received(),
        frame.number(),
        change.apply(frame.value()));
  }

  private static Frame read(Frame frame) {
    try {
      return FrameCodec.read(FrameCodec.write(frame));
    } catch (FrameFormatException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Values have this tag from now on, and one byte; 0 for their own.
  void tag(int next) {
    tag = next;
  }

  /// Values change on their way from now on.
  void change(UnaryOperator<NodeValue> how) {
    change = how;
  }

  Node get(int node) {
    return nodes.get(node);
  }

  List<Node> all() {
    return nodes;
  }

  /// Does all that waits.
  void run() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  /// The next placement of all nodes, with all homes on one of them and the standby on another.
  Placement placement(int home, int standby) {
    version++;
    Owners owners = new Owners(members.get(home), members.get(standby));
    return new Placement(1, new Topology(version, members, List.of(owners, owners)));
  }

  /// The next placement if all nodes but one are lost.
  Placement alone(int node) {
    version++;
    Member left = members.get(node);
    Owners owners = new Owners(left, null);
    return new Placement(2, new Topology(version, List.of(left), List.of(owners, owners)));
  }
}
