package im.zonda.module.moved;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// The notification in a subscription request, and the statement of the old account that proves it
/// (XEP-0283, sections 4.1 to 4.3).
final class MovedStatement {
  static final String NODE = "urn:xmpp:moved:1";
  static final QName MOVED = new QName(NODE, "moved");

  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String ITEM = "current";
  private static final String XMPP = "xmpp:";
  private static final QName GONE = new QName("urn:ietf:params:xml:ns:xmpp-stanzas", "gone");

  private MovedStatement() {}

  /// The address that a notification names; null if it is not a valid bare address.
  static @Nullable Jid oldAddress(@Nullable Element moved) {
    Element old = moved == null ? null : moved.child("old-jid");
    Jid address = old == null ? null : address(old.text());
    return address == null || address.isFull() || address.local() == null ? null : address;
  }

  /// The request for the statement.
  static Element request() {
    Element items =
        Element.builder(PUBSUB, "items")
            .attribute("node", NODE)
            .child(Element.builder(PUBSUB, "item").attribute("id", ITEM).build())
            .build();
    return Element.builder(PUBSUB, "pubsub").child(items).build();
  }

  /// The address that the answer of the old account's server names, or null.
  static @Nullable Jid newAddress(Iq answer) {
    if (answer.isError()) {
      Element error = answer.toElement().child("error");
      Element gone = error == null ? null : error.child(GONE);
      String uri = gone == null ? "" : gone.text().strip();
      return uri.startsWith(XMPP) ? address(uri.substring(XMPP.length())) : null;
    }
    Element pubsub = answer.payload(new QName(PUBSUB, "pubsub"));
    Element items = pubsub == null ? null : pubsub.child("items");
    if (items == null || !NODE.equals(items.attribute("node"))) {
      return null;
    }
    Element item = items.child("item");
    Element moved = item == null ? null : item.child(MOVED);
    Element address = moved == null ? null : moved.child("new-jid");
    return address == null ? null : address(address.text());
  }

  private static @Nullable Jid address(String text) {
    try {
      return Jid.of(text.strip());
    } catch (JidFormatException e) {
      return null;
    }
  }
}
