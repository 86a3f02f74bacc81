package im.zonda.host;

import im.zonda.cluster.Member;
import im.zonda.cluster.message.NodeMessage;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Receives the messages of other nodes to the hosts of this node.
///
/// @param served the configuration that other nodes serve
/// @param online the questions for accounts that are online
/// @param bytestreams the activations of bytestreams
/// @param capabilities the features of clients
/// @param notices gets the notices of modules at other nodes
/// @param others get all messages, too
record NodePosts(
    ServedByNodes served,
    OnlineSessions online,
    NodeBytestreams bytestreams,
    SharedCapabilities capabilities,
    Consumer<NodeMessage.ModuleNotice> notices,
    List<NodeMessage.Listener> others) {
  /// Handles a message of another node; ignores kinds that are not for hosts.
  void receive(Member from, NodeMessage value) {
    served.receive(from, value);
    online.receive(from, value);
    bytestreams.receive(from, value);
    capabilities.receive(value);
    if (value instanceof NodeMessage.ModuleNotice notice) {
      notices.accept(notice);
    }
    others.forEach(each -> each.receive(from, value));
  }

  /// These are the nodes from now on.
  void placed(Set<Member> members) {
    served.placed(members);
    online.placed(members);
    bytestreams.placed(members);
    others.forEach(each -> each.placed(members));
  }
}
