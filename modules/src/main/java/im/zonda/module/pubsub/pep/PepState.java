package im.zonda.module.pubsub.pep;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.caps.Caps;
import im.zonda.module.pubsub.node.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The state in memory of an account's home: the nodes, and the notifications that the available
/// clients have asked for. Nothing of it is lost with the home: nodes are read again, and contacts
/// are probed. Confined to the home's mailbox.
final class PepState {
  /// Clients of one contact that are known; the oldest one is forgotten.
  private static final int CLIENTS = 16;

  /// Clients of all contacts that are known; further ones are not notified.
  private static final int ALL_CLIENTS = 4_096;

  /// Users without a presence subscription whose directed presence is known; the oldest one is
  /// forgotten.
  private static final int STRANGERS = 32;

  /// A client that is available.
  static final class Client {
    private final @Nullable Caps caps;
    private Set<String> features = Set.of();

    Client(@Nullable Caps caps) {
      this.caps = caps;
    }

    @Nullable Caps caps() {
      return caps;
    }

    Set<String> features() {
      return features;
    }

    void learned(Set<String> known) {
      features = known;
    }

    /// Whether it wants notifications of a node.
    boolean wants(String node) {
      return features.contains(node + NOTIFY);
    }

    /// Whether it wants notifications at all.
    boolean wantsAny() {
      return features.stream().anyMatch(feature -> feature.endsWith(NOTIFY));
    }
  }

  /// Ends the features that ask for notifications of a node.
  static final String NOTIFY = "+notify";

  private @Nullable Map<String, Node> nodes;
  private final Map<Jid, Map<String, Client>> clients = new HashMap<>();
  private final Set<Jid> strangers = new LinkedHashSet<>();
  private final Set<Jid> unapproved = new HashSet<>();
  private final Set<String> published = new HashSet<>();
  private int size;
  private boolean contactsAsked;

  /// The nodes by name; null while they have not been read.
  @Nullable Map<String, Node> nodes() {
    return nodes;
  }

  void read(Map<String, Node> all) {
    nodes = all;
  }

  /// Something was published to a node since the home was loaded.
  void published(String node) {
    published.add(node);
  }

  void removed(String node) {
    published.remove(node);
  }

  /// Nodes to which something was published since the home was loaded.
  Set<String> published() {
    return published;
  }

  /// Whether contacts have been asked for their presence since the home was loaded.
  boolean areContactsAsked() {
    return contactsAsked;
  }

  void contactsAsked() {
    contactsAsked = true;
  }

  /// The client with that full address, or null.
  @Nullable Client client(Jid full) {
    Map<String, Client> all = clients.get(full.bare());
    return all == null || full.resource() == null ? null : all.get(full.resource());
  }

  /// The clients of all, by bare address and resource.
  Map<Jid, Map<String, Client>> clients() {
    return clients;
  }

  /// Someone without a presence subscription is known next.
  void admit(Jid user) {
    if (strangers.add(user) && strangers.size() > STRANGERS) {
      remove(strangers.iterator().next());
    }
  }

  /// A contact who does not see the account's presence shows its own.
  void awaitApproval(Jid contact) {
    unapproved.add(contact);
  }

  /// A contact sees the account's presence; false if that is not new, or no client is known.
  boolean approve(Jid contact) {
    boolean shown = unapproved.remove(contact);
    boolean directed = strangers.remove(contact);
    return (shown || directed) && clients.containsKey(contact);
  }

  /// A client has become available, or has changed its capabilities.
  Client put(Jid full, @Nullable Caps caps) {
    Client client = new Client(caps);
    String resource = full.resource();
    if (resource == null) {
      return client;
    }
    remove(full);
    if (size >= ALL_CLIENTS) {
      return client;
    }
    Map<String, Client> all =
        clients.computeIfAbsent(full.bare(), missing -> new LinkedHashMap<>(4));
    if (all.size() >= CLIENTS) {
      all.remove(all.keySet().iterator().next());
      size--;
    }
    all.put(resource, client);
    size++;
    return client;
  }

  /// A client, or all of a user, has become unavailable.
  void remove(Jid jid) {
    Map<String, Client> all = clients.get(jid.bare());
    if (jid.resource() == null || all == null) {
      strangers.remove(jid.bare());
      unapproved.remove(jid.bare());
    }
    if (all == null) {
      return;
    }
    if (jid.resource() == null) {
      size -= all.size();
      clients.remove(jid.bare());
    } else if (all.remove(jid.resource()) != null) {
      size--;
      if (all.isEmpty()) {
        clients.remove(jid.bare());
        strangers.remove(jid.bare());
        unapproved.remove(jid.bare());
      }
    }
  }
}
