package im.zonda.host;

import im.zonda.cluster.Member;
import im.zonda.node.Post;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the hosts of this node get from other nodes.
///
/// @param served what the others serve
/// @param online the questions for accounts that are online
/// @param bytestreams the activations of bytestreams
/// @param capabilities the features of clients
/// @param notices gets what modules of other nodes say
/// @param others gets all of it too; null if there is no one else
record NodePosts(
    ServedByNodes served,
    OnlineSessions online,
    NodeBytestreams bytestreams,
    SharedCapabilities capabilities,
    Consumer<Post.ModuleNotice> notices,
    Supplier<Post.@Nullable Listener> others) {
  /// Another node has said something. Does nothing with values of other kinds.
  void receive(Member from, Post value) {
    served.receive(from, value);
    online.receive(from, value);
    bytestreams.receive(from, value);
    capabilities.receive(value);
    if (value instanceof Post.ModuleNotice notice) {
      notices.accept(notice);
    }
    Post.Listener listener = others.get();
    if (listener != null) {
      listener.receive(from, value);
    }
  }

  /// These are the nodes from now on.
  void placed(Set<Member> members) {
    served.placed(members);
    online.placed(members);
    bytestreams.placed(members);
    Post.Listener listener = others.get();
    if (listener != null) {
      listener.placed(members);
    }
  }
}
