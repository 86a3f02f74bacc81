package im.zonda.module.pubsub.owner;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Refusal;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.PubSubStore;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Decides on the names of new nodes.
public final class NodeNames {
  private NodeNames() {}

  /// Why no node with that name can be created, or null.
  ///
  /// @param creator the bare address of who would create it
  public static @Nullable Refusal refuse(String name, Jid creator, NodeOwner owner) {
    if (name.getBytes(StandardCharsets.UTF_8).length > PubSubStore.MAX_NAME_BYTES) {
      return Refusal.of(ErrorCondition.NOT_ACCEPTABLE);
    }
    if (owner.isReserved(name, creator)) {
      return Refusal.of(ErrorCondition.FORBIDDEN);
    }
    return owner.usage(creator).nodes() >= owner.bounds().nodes()
        ? Refusal.of(ErrorCondition.POLICY_VIOLATION, "max-nodes-exceeded")
        : null;
  }
}
