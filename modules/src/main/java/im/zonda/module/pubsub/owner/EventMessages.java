package im.zonda.module.pubsub.owner;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.SubscriptionOptions;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore.Item;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The content of messages that notify of what has happened at nodes.
public final class EventMessages {
  private static final QName DELAY = new QName("urn:xmpp:delay", "delay");
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final String ADDRESSES = "http://jabber.org/protocol/address";

  private EventMessages() {}

  /// Published items, with the address for replies if the node is configured so.
  ///
  /// @param owner the address of the node
  /// @param publisher who has published them
  public static List<Element> published(Node node, Jid owner, List<Item> items, Jid publisher) {
    Element event = PubSubXml.items(node, owner, items);
    String reply =
        switch (node.config().value(NodeOption.ITEMREPLY)) {
          case "owner" -> node.creator().toString();
          case "publisher" -> publisher.toString();
          default -> null;
        };
    if (reply == null) {
      return List.of(event);
    }
    Element address =
        Element.builder(ADDRESSES, "address")
            .attribute("type", "replyto")
            .attribute("jid", reply)
            .build();
    return List.of(event, Element.builder(ADDRESSES, "addresses").child(address).build());
  }

  /// What a notification is about, for those who are subscribed to a collection (XEP-0248, section
  /// 5.1).
  ///
  /// @param event the first payload of the message
  public static SubscriptionOptions.Type about(Element event) {
    boolean items =
        event.children().stream()
            .anyMatch(
                each -> each.is(PubSubXml.EVENT, "items") || each.is(PubSubXml.EVENT, "purge"));
    return items ? SubscriptionOptions.Type.ITEMS : SubscriptionOptions.Type.NODES;
  }

  /// The type of the messages of a node.
  public static Message.Type type(Node node) {
    return node.config().value(NodeOption.NOTIFICATION_TYPE).equals("normal")
        ? Message.Type.NORMAL
        : Message.Type.HEADLINE;
  }

  /// With the identifiers if there are several subscriptions of an address (XEP-0060, section
  /// 7.1.2.4).
  public static List<Element> withIds(List<Element> payloads, List<String> ids) {
    if (ids.size() <= 1) {
      return payloads;
    }
    List<Element> all = new ArrayList<>(payloads);
    Element last = all.getLast();
    if (last.is(ShimHeaders.NAMESPACE, "headers")) {
      all.removeLast();
      all.add(ShimHeaders.with(last, ids));
    } else {
      all.add(ShimHeaders.with(null, ids));
    }
    return all;
  }

  /// The last item of a node, for one who gets it late (section 6.1.7); null if the item has
  /// expired.
  ///
  /// @param owner the address of the node
  public static @Nullable List<Element> lastItem(Node node, Jid owner, Item item, Instant now) {
    String seconds = node.config().value(NodeOption.ITEM_EXPIRE);
    if (!seconds.isEmpty()
        && !seconds.equals(NodeConfig.MAX)
        && item.published().isBefore(now.minus(Duration.ofSeconds(Integer.parseInt(seconds))))) {
      return null;
    }
    Element delay =
        Element.builder(DELAY).attribute("stamp", STAMP.format(item.published())).build();
    return List.of(PubSubXml.items(node, owner, List.of(item)), delay);
  }
}
