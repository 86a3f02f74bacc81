package im.zonda.module.roster;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import im.zonda.store.RosterItem;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rosters as XML (RFC 6121, section 2.1).
final class RosterXml {
  static final String NAMESPACE = "jabber:iq:roster";
  static final QName QUERY = new QName(NAMESPACE, "query");

  /// Bytes of UTF-8 of a contact's name or of one group, as many as a part of an address may have.
  static final int NAME_BYTES = 1_023;

  private RosterXml() {}

  /// What a client wants of one item: a change, a removal, or something that it cannot have.
  sealed interface Wish {
    /// The item shall have this name and these groups.
    record Change(Jid jid, @Nullable String name, List<String> groups) implements Wish {}

    /// The item shall go.
    record Remove(Jid jid) implements Wish {}

    /// The request is not valid (section 2.3.3).
    record Invalid(StanzaError error) implements Wish {}
  }

  /// Reads a roster set.
  static Wish read(Element query, int maxGroups) {
    List<Element> children = query.children();
    if (children.size() != 1 || !children.getFirst().is(NAMESPACE, "item")) {
      return invalid(ErrorCondition.BAD_REQUEST, "exactly one item");
    }
    Element item = children.getFirst();
    String address = item.attribute("jid");
    if (address == null) {
      return invalid(ErrorCondition.BAD_REQUEST, "an item needs a jid");
    }
    Jid jid;
    try {
      jid = Jid.of(address).bare();
    } catch (JidFormatException e) {
      return invalid(ErrorCondition.BAD_REQUEST, "not a valid jid");
    }
    return "remove".equals(item.attribute("subscription"))
        ? new Wish.Remove(jid)
        : readChange(item, jid, maxGroups);
  }

  private static Wish readChange(Element item, Jid jid, int maxGroups) {
    String name = item.attribute("name");
    if (name != null && tooLong(name)) {
      return invalid(ErrorCondition.NOT_ACCEPTABLE, "the name is too long");
    }
    Set<String> groups = new LinkedHashSet<>();
    for (Element child : item.children()) {
      if (!child.is(NAMESPACE, "group")) {
        continue;
      }
      String group = child.text();
      if (group.isEmpty()) {
        return invalid(ErrorCondition.NOT_ACCEPTABLE, "a group needs a name");
      }
      if (tooLong(group)) {
        return invalid(ErrorCondition.NOT_ACCEPTABLE, "the name of a group is too long");
      }
      if (!groups.add(group)) {
        return invalid(ErrorCondition.BAD_REQUEST, "a group is named twice");
      }
      if (groups.size() > maxGroups) {
        return invalid(ErrorCondition.NOT_ACCEPTABLE, "too many groups");
      }
    }
    boolean unnamed = name == null || name.isEmpty();
    return new Wish.Change(jid, unnamed ? null : name, List.copyOf(groups));
  }

  private static boolean tooLong(String text) {
    return text.length() > NAME_BYTES || text.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES;
  }

  private static Wish invalid(ErrorCondition condition, String text) {
    return new Wish.Invalid(StanzaError.of(condition).withText(text));
  }

  /// The whole roster as clients see it.
  static Element whole(Roster roster, String version) {
    Element.Builder query = Element.builder(QUERY).attribute("ver", version);
    for (RosterItem item : roster.items()) {
      if (item.listed()) {
        query.child(item(item));
      }
    }
    return query.build();
  }

  /// A roster that holds one item.
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

  /// An item that is gone.
  static Element removed(Jid contact) {
    return Element.builder(NAMESPACE, "item")
        .attribute("jid", contact.toString())
        .attribute("subscription", "remove")
        .build();
  }
}
