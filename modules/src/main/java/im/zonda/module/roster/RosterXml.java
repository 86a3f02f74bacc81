package im.zonda.module.roster;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads and writes rosters as XML (RFC 6121, section 2.1).
final class RosterXml {
  static final String NAMESPACE = "jabber:iq:roster";
  static final QName QUERY = new QName(NAMESPACE, "query");

  /// The maximum size of a contact's name or of a group, in bytes of UTF-8.
  static final int NAME_BYTES = 1_023;

  private RosterXml() {}

  /// Reads a roster set.
  static RosterSet read(Element query, int maxGroups) {
    List<Element> children = query.children();
    if (children.size() != 1 || !children.getFirst().is(NAMESPACE, "item")) {
      return invalid(ErrorCondition.BAD_REQUEST, "A roster set contains exactly one item.");
    }
    Element item = children.getFirst();
    String address = item.attribute("jid");
    if (address == null) {
      return invalid(ErrorCondition.BAD_REQUEST, "The item has no jid.");
    }
    Jid jid;
    try {
      jid = Jid.of(address).bare();
    } catch (JidFormatException e) {
      return invalid(ErrorCondition.BAD_REQUEST, "The jid is not valid.");
    }
    return "remove".equals(item.attribute("subscription"))
        ? new RosterSet.Remove(jid)
        : readUpdate(item, jid, maxGroups);
  }

  private static RosterSet readUpdate(Element item, Jid jid, int maxGroups) {
    String name = item.attribute("name");
    if (name != null && tooLong(name)) {
      return invalid(ErrorCondition.NOT_ACCEPTABLE, "The name is too long.");
    }
    Set<String> groups = new LinkedHashSet<>();
    for (Element child : item.children()) {
      if (!child.is(NAMESPACE, "group")) {
        continue;
      }
      String group = child.text();
      if (group.isEmpty()) {
        return invalid(ErrorCondition.NOT_ACCEPTABLE, "A group has no name.");
      }
      if (tooLong(group)) {
        return invalid(ErrorCondition.NOT_ACCEPTABLE, "The name of a group is too long.");
      }
      if (!groups.add(group)) {
        return invalid(ErrorCondition.BAD_REQUEST, "A group is contained twice.");
      }
      if (groups.size() > maxGroups) {
        return invalid(ErrorCondition.NOT_ACCEPTABLE, "Too many groups.");
      }
    }
    boolean unnamed = name == null || name.isEmpty();
    return new RosterSet.Update(
        jid,
        unnamed ? null : name,
        List.copyOf(groups),
        subscription(item.attribute("subscription")));
  }

  private static @Nullable Subscription subscription(@Nullable String value) {
    for (Subscription each : Subscription.values()) {
      if (each.value().equals(value)) {
        return each;
      }
    }
    return null;
  }

  private static boolean tooLong(String text) {
    return text.length() > NAME_BYTES || text.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES;
  }

  private static RosterSet invalid(ErrorCondition condition, String text) {
    return new RosterSet.Invalid(StanzaError.of(condition).withText(text));
  }

  /// The roster as clients see it.
  static Element whole(Roster roster, String version) {
    Element.Builder query = Element.builder(QUERY).attribute("ver", version);
    for (RosterItem stored : roster.items()) {
      RosterItem item = roster.find(stored.jid());
      if (item != null && item.listed()) {
        query.child(item(item));
      }
    }
    roster
        .shared()
        .forEachSeen(contact -> {
          RosterItem item = roster.stored(contact) == null ? roster.find(contact) : null;
          if (item != null) {
            query.child(item(item));
          }
        });
    return query.build();
  }

  /// A query with one item.
  static Element one(Element item, String version) {
    return Element.builder(QUERY).attribute("ver", version).child(item).build();
  }

  /// An item as clients see it.
  static Element item(RosterItem item) {
    Element.Builder builder =
        Element.builder(NAMESPACE, "item")
            .attribute("jid", item.jid().toString())
            .attribute("name", item.name())
            .attribute("subscription", item.subscription().value())
            .attribute("ask", item.ask() ? "subscribe" : null)
            .attribute("approved", item.approved() ? "true" : null);
    for (String group : item.groups()) {
      builder.child("group", group);
    }
    return builder.build();
  }

  /// A removed item.
  static Element removed(Jid contact) {
    return Element.builder(NAMESPACE, "item")
        .attribute("jid", contact.toString())
        .attribute("subscription", "remove")
        .build();
  }
}
