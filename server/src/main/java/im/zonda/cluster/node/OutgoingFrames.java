package im.zonda.cluster.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.channel.NodeChannels;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.port.NodeTransport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Outgoing frames of one group of tasks of the node's inbox. The frames to a member are sent
/// together, because each message wakes up a thread of that member. Confined to the inbox.
final class OutgoingFrames {
  private final NodeTransport transport;
  private final Map<Member, List<Frame>> waiting = new LinkedHashMap<>();

  OutgoingFrames(NodeTransport transport) {
    this.transport = transport;
  }

  void add(Member to, Frame frame) {
    waiting.computeIfAbsent(to, _ -> new ArrayList<>(4)).add(frame);
  }

  /// Sends all.
  ///
  /// @param links know what members have received
  void leave(NodeChannels links) {
    waiting.forEach((to, frames) -> {
      int values = (int) frames.stream().filter(Frame.Data.class::isInstance).count();
      transport.send(to, frames, links.hasAllBut(to, values));
    });
    waiting.clear();
  }
}
