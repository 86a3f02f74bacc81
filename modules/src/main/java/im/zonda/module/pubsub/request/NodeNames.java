package im.zonda.module.pubsub.request;

import im.zonda.module.pubsub.node.Refusal;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.PubSubStore;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Decides on the names of new nodes.
final class NodeNames {
  private NodeNames() {}

  /// Why no node with that name can be created, or null.
  static @Nullable Refusal refuse(String name, NodeOwner owner) {
    if (name.getBytes(StandardCharsets.UTF_8).length > PubSubStore.MAX_NAME_BYTES) {
      return Refusal.of(ErrorCondition.NOT_ACCEPTABLE);
    }
    return owner.nodes().size() >= owner.bounds().nodes()
        ? Refusal.of(ErrorCondition.POLICY_VIOLATION, "max-nodes-exceeded")
        : null;
  }
}
