package im.zonda.module.pubsub.node;

import im.zonda.jid.Jid;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A node that the server derives from another one of the same owner, as its name says (XEP-0470):
/// the attachments of an item, or the summaries of the attachments of a node's items.
///
/// @param target the name of the node that it belongs to
/// @param item the item that the attachments are for; null for summaries
public record DerivedNode(String target, @Nullable String item) {
  /// The namespace of attachments, which begins the names of their nodes.
  public static final String ATTACHMENTS = "urn:xmpp:pubsub-attachments:1";

  /// The namespace of summaries, which begins the names of their nodes.
  public static final String SUMMARIES = "urn:xmpp:pubsub-attachments:summary:1";

  /// What a derived node has from its target.
  private static final List<NodeOption> ACCESS =
      List.of(NodeOption.ACCESS_MODEL, NodeOption.ROSTER_GROUPS_ALLOWED, NodeOption.PUBLISH_MODEL);

  private static final List<NodeOption> ON =
      List.of(NodeOption.PERSIST_ITEMS, NodeOption.DELIVER_PAYLOADS);

  /// Whether only the server creates nodes of that name, these and those of [SubscriptionLists].
  public static boolean isReserved(String name) {
    return name.startsWith(ATTACHMENTS + "/")
        || name.startsWith(SUMMARIES + "/")
        || SubscriptionLists.isReserved(name);
  }

  /// The name of the node that a node of that name has its access from; null if it has its own.
  ///
  /// @param owner the address of the nodes
  public static @Nullable String targetOf(String name, Jid owner) {
    DerivedNode derived = isReserved(name) ? of(name, owner) : null;
    return derived == null ? SubscriptionLists.targetOf(name) : derived.target;
  }

  /// Reads a name; null if no node is derived that has it. A derived node has none itself.
  ///
  /// @param owner the address of the nodes
  public static @Nullable DerivedNode of(String name, Jid owner) {
    DerivedNode node = null;
    if (name.startsWith(SUMMARIES + "/")) {
      node = new DerivedNode(name.substring(SUMMARIES.length() + 1), null);
    } else if (name.startsWith(attachmentsAt(owner))) {
      String[] parts = name.substring(attachmentsAt(owner).length()).split(";item=", 2);
      String target = decoded(parts[0]);
      String item = parts.length < 2 ? null : decoded(parts[1]);
      node = target == null || item == null ? null : new DerivedNode(target, item);
      // Of several ways to write an item's address one is the name, as only one item is each
      // user's.
      node = node == null || !node.name(owner).equals(name) ? null : node;
    }
    return node == null || node.target.isEmpty() || isReserved(node.target) ? null : node;
  }

  /// The name of the node.
  public String name(Jid owner) {
    return item == null ? SUMMARIES + "/" + target : attachmentsOf(target, owner) + encoded(item);
  }

  /// What begins the names of the nodes with the attachments of a node's items.
  public static String attachmentsOf(String target, Jid owner) {
    return attachmentsAt(owner) + encoded(target) + ";item=";
  }

  /// The address of an item (XEP-0060, section 12.22), up to the name of its node.
  private static String attachmentsAt(Jid owner) {
    return ATTACHMENTS + "/xmpp:" + owner + "?;node=";
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private static @Nullable String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /// Whether the node has summaries, which only the server publishes.
  public boolean isSummary() {
    return item == null;
  }

  /// The node with the summaries of this one's target.
  public DerivedNode summary() {
    return new DerivedNode(target, null);
  }

  /// The node as it is with its target: who has access and may publish is the same there.
  public static Node derive(Node stored, Node target) {
    NodeConfig config = stored.config();
    for (NodeOption option : ACCESS) {
      config = with(config, option, target.config().all(option));
    }
    for (NodeOption option : ON) {
      config = with(config, option, List.of("1"));
    }
    config = with(config, NodeOption.MAX_ITEMS, List.of(NodeConfig.MAX));
    config = with(config, NodeOption.NODE_TYPE, List.of("leaf"));
    return new Node(
        stored.name(),
        stored.creator(),
        stored.created(),
        config,
        target.affiliations(),
        stored.subscriptions());
  }

  private static NodeConfig with(NodeConfig config, NodeOption option, List<String> value) {
    NodeConfig changed = config.all(option).equals(value) ? config : config.with(option, value);
    return changed == null ? config : changed;
  }

  /// Whether two configurations have the same in what the target decides.
  public static boolean haveSameAccess(NodeConfig one, NodeConfig other) {
    return ACCESS.stream().allMatch(option -> one.all(option).equals(other.all(option)));
  }
}
