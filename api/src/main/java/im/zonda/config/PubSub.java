package im.zonda.config;

import im.zonda.config.annotation.Setting;
import java.util.List;

/// The publish-subscribe service of a virtual host (XEP-0060).
public record PubSub(
    @Setting("prefix of the service's domain: `pubsub` gives `pubsub.example.org`") String prefix,
    @Setting("who may create nodes: everyone, the accounts of the host, or the service's admins")
        Creation creation,
    @Setting("bare JIDs that own every node, such as `juliet@example.org`") List<String> admins,
    @Setting(
            "whether the node `serverinfo` says how many domains the host has connections with, and"
                + " that others may name it in theirs (XEP-0485)")
        boolean serverInfo) {
  /// Copies the list.
  public PubSub {
    admins = List.copyOf(admins);
  }

  /// A service without information about the server.
  public PubSub(String prefix, Creation creation, List<String> admins) {
    this(prefix, creation, admins, false);
  }

  /// Who may create nodes.
  public enum Creation {
    EVERYONE,
    ACCOUNTS,
    ADMINS
  }

  /// Nodes of the accounts of the host.
  public static final PubSub DEFAULTS = new PubSub("pubsub", Creation.ACCOUNTS, List.of());
}
