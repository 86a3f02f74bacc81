package im.zonda.module.pubsub.owner;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.store.PubSubStore.Item;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The elements of publish-subscribe.
public final class PubSubXml {
  private static final Logger LOG = LoggerFactory.getLogger(PubSubXml.class);

  /// The namespace of requests.
  public static final String NAMESPACE = "http://jabber.org/protocol/pubsub";

  /// The namespace of requests of owners.
  public static final String OWNER = NAMESPACE + "#owner";

  /// The namespace of notifications.
  public static final String EVENT = NAMESPACE + "#event";

  /// A request or its answer.
  public static final QName PUBSUB = new QName(NAMESPACE, "pubsub");

  /// A request of an owner or its answer.
  public static final QName PUBSUB_OWNER = new QName(OWNER, "pubsub");

  private PubSubXml() {}

  /// The payload of an answer.
  public static Element pubsub(Element child) {
    return Element.builder(PUBSUB).child(child).build();
  }

  /// The payload of an answer to an owner.
  public static Element owner(Element child) {
    return Element.builder(PUBSUB_OWNER).child(child).build();
  }

  /// The payload of a notification.
  public static Element event(Element child) {
    return Element.builder(EVENT, "event").child(child).build();
  }

  /// Starts an element with the attribute `node`.
  public static Element.Builder named(String namespace, String name, String node) {
    return Element.builder(namespace, name).attribute("node", node);
  }

  /// A notification of published items.
  ///
  /// @param owner the address of the node
  public static Element items(Node node, Jid owner, List<Item> items) {
    Element.Builder all = named(EVENT, "items", node.name());
    for (Item item : items) {
      all.child(item(EVENT, owner, item, node.config().isOn(NodeOption.DELIVER_PAYLOADS)));
    }
    return event(all.build());
  }

  /// An item. It says who published it, unless it was the owner of the account.
  public static Element item(String namespace, Jid owner, Item item, boolean payload) {
    Jid publisher = item.publisher().bare();
    Element.Builder element =
        Element.builder(namespace, "item")
            .attribute("id", item.id().isEmpty() ? null : item.id())
            .attribute("publisher", publisher.equals(owner) ? null : publisher.toString());
    Element content = payload ? payload(item) : null;
    if (content != null) {
      element.child(content);
    }
    return element.build();
  }

  /// The payload of an item, or null; also if it cannot be read: the item is there without it.
  public static @Nullable Element payload(Item item) {
    if (item.payload().length == 0) {
      return null;
    }
    try {
      return XmlReader.read(item.payload());
    } catch (XmlException e) {
      LOG.atError()
          .addKeyValue("item", item.id())
          .addKeyValue("publisher", item.publisher())
          .setCause(e)
          .log("item_payload_damaged");
      return null;
    }
  }

  /// A payload as it is stored.
  public static byte[] bytes(Element payload) {
    ByteArraySink bytes = new ByteArraySink(512);
    XmlWriter.write(payload, "", bytes);
    return bytes.toByteArray();
  }

  /// The size of the payloads of a message, in bytes.
  public static long size(List<Element> payloads) {
    long size = 0;
    for (Element payload : payloads) {
      size += bytes(payload).length;
    }
    return size;
  }

  /// A notification of retracted items.
  public static Element retracted(Node node, Iterable<String> ids) {
    Element.Builder all = named(EVENT, "items", node.name());
    for (String id : ids) {
      all.child(Element.builder(EVENT, "retract").attribute("id", id).build());
    }
    return event(all.build());
  }

  /// A subscription.
  public static Element subscription(String namespace, String node, Subscription subscription) {
    return named(namespace, "subscription", node)
        .attribute("jid", subscription.subscriber().toString())
        .attribute("subscription", subscription.state().word())
        .attribute("subid", subscription.id())
        .build();
  }

  /// A notification that a subscription has changed (XEP-0060, section 12.11).
  public static Element subscriptionEvent(Node node, Subscription subscription) {
    return event(subscription(EVENT, node.name(), subscription));
  }

  /// The address in an attribute; null if there is none, or it is not valid.
  public static @Nullable Jid jid(Element element, String attribute) {
    String text = element.attribute(attribute);
    if (text == null) {
      return null;
    }
    try {
      return Jid.of(text.strip());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
