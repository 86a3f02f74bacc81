package im.zonda.module.following;

import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// A subscription of an account to a node, as it is listed and stored (XEP-0376, section 3.4).
///
/// @param service the address of the node
/// @param node its name
/// @param state the word for the state, such as `subscribed`
/// @param id the identifier of the subscription, or null if the service gives none
/// @param isPublic whether others are to learn of it
record ManagedSubscription(
    Jid service, String node, String state, @Nullable String id, boolean isPublic) {
  /// The namespace of managed subscriptions (XEP-0376).
  static final String PAM = "urn:xmpp:pam:0";

  /// The namespace of public subscriptions (XEP-0465).
  static final String PPS = "urn:xmpp:pps:0";

  private static final String SUBSCRIBED = "subscribed";
  private static final QName PUBLIC = new QName(PPS, "public");

  /// Reads an item of the stored list; null if this version does not know it.
  static @Nullable ManagedSubscription read(Element stored) {
    String service = stored.attribute("service");
    String node = stored.attribute("node");
    String state = stored.attribute("subscription");
    if (service == null || node == null || state == null) {
      return null;
    }
    return new ManagedSubscription(
        Jid.stored(service), node, state, stored.attribute("subid"), stored.child(PUBLIC) != null);
  }

  /// The item of the stored list.
  Element stored(Jid account) {
    Element listed = listed(account);
    return isPublic ? listed.toBuilder().child(Element.of(PUBLIC)).build() : listed;
  }

  /// An entry of the list that clients get.
  Element listed(Jid account) {
    return Element.builder(PAM, "subscription")
        .attribute("service", service.toString())
        .attribute("node", node)
        .attribute("jid", account.toString())
        .attribute("subscription", state)
        .attribute("subid", id)
        .build();
  }

  /// What everyone learns of it (XEP-0465, section 4.2).
  Element published() {
    return Element.builder(PPS, "subscription")
        .attribute("node", node)
        .attribute("jid", service.toString())
        .build();
  }

  /// Whether it is to that node.
  boolean isTo(Jid otherService, String otherNode) {
    return service.equals(otherService) && node.equals(otherNode);
  }

  /// Whether everyone learns of it now.
  boolean isListedPublicly() {
    return isPublic && state.equals(SUBSCRIBED);
  }

  /// The same, public or not.
  ManagedSubscription withPublic(boolean other) {
    return new ManagedSubscription(service, node, state, id, other);
  }

  /// The identifier of its item in the stored list.
  String key() {
    return hash(service + "\n" + node + "\n" + (id == null ? "" : id));
  }

  /// The identifier of its item in the public list, which has each node once.
  String publicKey() {
    return hash(service + "\n" + node);
  }

  /// A short hash: names may be longer than identifiers.
  static String hash(String text) {
    return HexFormat.of().formatHex(HashFunction.SHA_256.hash(text), 0, 16);
  }
}
