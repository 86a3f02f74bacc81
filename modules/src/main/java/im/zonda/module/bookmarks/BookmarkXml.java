package im.zonda.module.bookmarks;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Converts bookmarks between an item for each room (XEP-0402) and one list (XEP-0048). What one
/// form has and the other cannot say stays where it is: extensions of items, and URLs and unknown
/// content of lists.
final class BookmarkXml {
  /// The node of XEP-0402, which is the namespace of its items.
  static final String ITEMS = "urn:xmpp:bookmarks:1";

  /// The node of XEP-0048, which is the namespace of the list.
  static final String LIST = "storage:bookmarks";

  /// The list of XEP-0048.
  static final QName STORAGE = new QName(LIST, "storage");

  private static final QName OLD = new QName(LIST, "conference");
  private static final QName NEW = new QName(ITEMS, "conference");
  private static final Set<String> ATTRIBUTES = Set.of("jid", "name", "autojoin");
  private static final Set<String> CHILDREN = Set.of("nick", "password");

  private BookmarkXml() {}

  /// The rooms of a list by their addresses, which are the ids of items. The first one of each
  /// address counts. Those without a valid address are missing.
  static Map<String, Element> rooms(Element list) {
    Map<String, Element> rooms = new LinkedHashMap<>();
    for (Element child : list.children()) {
      String id = idOf(child);
      if (id != null) {
        rooms.putIfAbsent(id, child);
      }
    }
    return rooms;
  }

  /// The id of the item for a room of a list; null if it is no room or its address is not valid.
  private static @Nullable String idOf(Element child) {
    String jid = child.name().equals(OLD) ? child.attribute("jid") : null;
    String id = jid == null ? null : normal(jid);
    return id != null && id.getBytes(StandardCharsets.UTF_8).length <= PubSubStore.MAX_NAME_BYTES
        ? id
        : null;
  }

  private static @Nullable String normal(String jid) {
    try {
      return Jid.of(jid.strip()).toString();
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// The rooms of items by their normalized addresses, each with the id of its item. Payloads that
  /// are no bookmarks are missing.
  static Map<String, String> ids(Map<String, Element> items) {
    Map<String, String> ids = new LinkedHashMap<>();
    items.forEach((id, payload) -> {
      if (payload.name().equals(NEW)) {
        String normal = normal(id);
        ids.putIfAbsent(normal == null ? id : normal, id);
      }
    });
    return ids;
  }

  /// The list that says the same as the items.
  ///
  /// @param before the former list, or null
  static Element toList(@Nullable Element before, Map<String, Element> items) {
    Map<String, String> ids = ids(items);
    Set<String> done = new HashSet<>();
    Element.Builder list = Element.builder(STORAGE);
    if (before != null) {
      before.attributes().forEach(list::attribute);
      for (Element child : before.children()) {
        String room = idOf(child);
        String id = room == null ? null : ids.get(room);
        Element item = id == null ? null : items.get(id);
        if (room == null) {
          list.child(child); // a URL, or what this server does not know
        } else if (item != null && done.add(room)) {
          list.child(isSame(child, item) ? child : toRoom(child, room, item));
        }
      }
    }
    ids.forEach((room, id) -> {
      Element item = items.get(id);
      if (item != null && done.add(room)) {
        list.child(toRoom(null, id, item));
      }
    });
    return list.build();
  }

  /// A list with what another one has and it has not.
  static Element union(Element list, Element other) {
    Element.Builder all = list.toBuilder();
    Set<Element> known = new HashSet<>(list.children());
    Set<String> rooms = rooms(list).keySet();
    for (Element child : other.children()) {
      String room = idOf(child);
      if (room == null ? known.add(child) : !rooms.contains(room)) {
        all.child(child);
      }
    }
    return all.build();
  }

  /// Whether a room of a list and an item say the same of what both can say.
  static boolean isSame(Element room, Element item) {
    return Objects.equals(text(room.attribute("name")), text(item.attribute("name")))
        && isOn(room) == isOn(item)
        && Objects.equals(childText(room, "nick"), childText(item, "nick"))
        && Objects.equals(childText(room, "password"), childText(item, "password"));
  }

  private static @Nullable String text(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }

  private static @Nullable String childText(Element parent, String name) {
    Element child = parent.child(name);
    return child == null ? null : text(child.text());
  }

  private static boolean isOn(Element conference) {
    String autojoin = conference.attribute("autojoin");
    return autojoin != null && List.of("true", "1").contains(autojoin.strip());
  }

  /// The item for a room of a list.
  ///
  /// @param before the former item, or null
  static Element toItem(Element room, @Nullable Element before) {
    return converted(NEW, before, null, room);
  }

  /// An item for a room that clients enter by themselves.
  static Element item(String name, String nick) {
    return Element.builder(NEW)
        .attribute("name", name)
        .attribute("autojoin", "true")
        .child("nick", nick)
        .build();
  }

  private static Element toRoom(@Nullable Element before, String jid, Element item) {
    String address = before == null ? jid : before.attribute("jid");
    return converted(OLD, before, address, item);
  }

  /// A conference that says what `from` says, with what only `before` can say.
  private static Element converted(
      QName name, @Nullable Element before, @Nullable String jid, Element from) {
    Element.Builder to = Element.builder(name).attribute("jid", jid);
    if (before != null) {
      before
          .attributes()
          .forEach((attribute, value) -> {
            if (!attribute.namespace().isEmpty() || !ATTRIBUTES.contains(attribute.name())) {
              to.attribute(attribute, value);
            }
          });
    }
    to.attribute("name", text(from.attribute("name")));
    to.attribute("autojoin", isOn(from) ? "true" : null);
    for (String child : List.of("nick", "password")) {
      String text = childText(from, child);
      if (text != null) {
        to.child(child, text);
      }
    }
    if (before != null) {
      for (Element child : before.children()) {
        boolean known = child.name().namespace().equals(name.namespace());
        if (!known || !CHILDREN.contains(child.name().name())) {
          to.child(child);
        }
      }
    }
    return to.build();
  }
}
