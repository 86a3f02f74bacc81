package im.zonda.host;

import im.zonda.cluster.message.NodeMessage;
import im.zonda.jid.Jid;
import im.zonda.session.CapabilityCache;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The features of clients, which the nodes of a cluster learn from each other: a client is asked
/// for a hash by one of them. Each node bounds what it keeps by itself. A node that joins later
/// does not get what the others know: it asks clients itself. Thread-safe.
final class SharedCapabilities implements CapabilityCache {
  private final KnownCapabilities known = new KnownCapabilities();
  private final NodeMessage.Sender sender;

  SharedCapabilities(NodeMessage.Sender sender) {
    this.sender = sender;
  }

  @Override
  public @Nullable Set<String> find(Key key) {
    return known.find(key);
  }

  @Override
  public void add(Key key, Set<String> features, Jid source) {
    known.add(key, features, source);
    if (known.find(key) != null) {
      sender.postToOthers(
          new NodeMessage.Features(
              key.algorithm(), key.hash(), List.copyOf(features), source.toString()));
    }
  }

  /// Handles a message of another node; ignores other kinds.
  void receive(NodeMessage value) {
    if (value
        instanceof
        NodeMessage.Features(String algorithm, String hash, List<String> features, String source)) {
      known.add(new Key(algorithm, hash), Set.copyOf(features), Jid.stored(source));
    }
  }
}
