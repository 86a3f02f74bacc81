package im.zonda.module.pubsub.service;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.SubscriptionOptions;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A message of one part of the service to the home of a node, wherever that is. It has the domain
/// of the service as both addresses, which nobody else can send from.
sealed interface HomeMessage {
  /// The name of the node.
  String node();

  /// The presence of someone who is subscribed to the node or affiliated with it.
  ///
  /// @param from the full address; a bare one if all of a user is unavailable
  /// @param available whether it is available
  record UserPresence(String node, Jid from, boolean available) implements HomeMessage {}

  /// A notification of a node that a collection has as a descendant (XEP-0248, section 4.3).
  ///
  /// @param node the name of the collection
  /// @param about what it is about: `ITEMS` or `NODES`
  /// @param depth the level of the descendant; 1 for a child
  /// @param type the type of the messages
  /// @param named whether messages name the collection in a header
  /// @param payloads their payloads
  /// @param by whose request has caused it, or null
  record OfDescendant(
      String node,
      SubscriptionOptions.Type about,
      int depth,
      Message.Type type,
      boolean named,
      List<Element> payloads,
      @Nullable Jid by)
      implements HomeMessage {}

  /// The request to bring a node that is derived from another one up to date (XEP-0470).
  ///
  /// @param node the name of the derived node
  /// @param item the item of the other one that has changed
  /// @param by whose request has caused it, or null
  record Refresh(String node, String item, @Nullable Jid by) implements HomeMessage {}

  /// The element of all of them.
  QName NAME = new QName("urn:zonda:pubsub:home", "home");

  /// Whether a message is one of them, if it comes from the service.
  static boolean is(Message message, Jid service) {
    return service.equals(message.from()) && message.has(NAME);
  }

  /// The name of the node that a message is for.
  static @Nullable String nodeOf(Message message) {
    Element home = message.payload(NAME);
    return home == null ? null : home.attribute("node");
  }

  /// The message.
  static Message write(HomeMessage message, Jid service, String id) {
    Element.Builder home = Element.builder(NAME).attribute("node", message.node());
    switch (message) {
      case UserPresence(String node, Jid from, boolean available) ->
          home.attribute("from", from.toString())
              .attribute("available", Boolean.toString(available));
      case Refresh(String node, String item, Jid by) ->
          home.attribute("item", item).attribute("by", by == null ? null : by.toString());
      case OfDescendant notification -> {
        home.attribute("about", notification.about.word())
            .attribute("depth", Integer.toString(notification.depth))
            .attribute("type", notification.type.name().toLowerCase(Locale.ROOT))
            .attribute("named", Boolean.toString(notification.named))
            .attribute("by", notification.by == null ? null : notification.by.toString());
        notification.payloads.forEach(home::child);
      }
    }
    return Message.of(Message.Type.NORMAL, service, service, id, List.of(home.build()));
  }

  /// Reads what [#write] wrote; null if it is nothing of it.
  static @Nullable HomeMessage read(Message message) {
    Element home = message.payload(NAME);
    String node = home == null ? null : home.attribute("node");
    if (home == null || node == null) {
      return null;
    }
    String from = home.attribute("from");
    if (from != null) {
      return new UserPresence(node, Jid.stored(from), "true".equals(home.attribute("available")));
    }
    String cause = home.attribute("by");
    Jid by = cause == null ? null : Jid.stored(cause);
    String item = home.attribute("item");
    if (item != null) {
      return new Refresh(node, item, by);
    }
    SubscriptionOptions.Type about = SubscriptionOptions.Type.of(home.attribute("about"));
    String depth = home.attribute("depth");
    if (about == null || depth == null) {
      return null;
    }
    boolean headline = "headline".equals(home.attribute("type"));
    return new OfDescendant(
        node,
        about,
        Integer.parseInt(depth),
        headline ? Message.Type.HEADLINE : Message.Type.NORMAL,
        "true".equals(home.attribute("named")),
        home.children(),
        by);
  }

  /// The presence of a user for a node.
  static UserPresence of(String node, Presence presence, Jid from) {
    return new UserPresence(node, from, presence.type() == Presence.Type.AVAILABLE);
  }
}
