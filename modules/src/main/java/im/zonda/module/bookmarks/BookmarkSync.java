package im.zonda.module.bookmarks;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.pubsub.PepNodes;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Keeps the three places of an account's bookmarks in step: the items of XEP-0402, the list of
/// XEP-0048 in publish-subscribe, and the same list in private XML storage. What a client writes to
/// one place is written to the others before it is answered. Runs at the account's home; blocks.
///
/// Only what differs is written, so that no one is notified of what has not changed. Removing the
/// node of the list, or its item, removes no bookmarks: a client may clean up after it has moved
/// them to XEP-0402.
final class BookmarkSync {
  /// The id of the list's item (XEP-0048, section 3.1).
  private static final String CURRENT = "current";

  private final PepNodes nodes;
  private final PrivateXmlModule privateXml;

  BookmarkSync(PepNodes nodes, PrivateXmlModule privateXml) {
    this.nodes = nodes;
    this.privateXml = privateXml;
  }

  /// Whether a list has no more rooms than the node may have items.
  boolean fits(Home home, Element list) {
    return BookmarkXml.rooms(list).size() <= nodes.maxItems(home);
  }

  /// A client has changed the items.
  void itemsChanged(Home home, PepNodes.Change change) {
    Map<String, Element> items =
        change == PepNodes.Change.REMOVED ? Map.of() : nodes.items(home, BookmarkXml.ITEMS);
    if (items == null) {
      return;
    }
    Element before = listOf(home.jid());
    if (before != null || !items.isEmpty()) {
      writeList(home, BookmarkXml.toList(before, items));
    }
  }

  /// A client has changed the node of the list.
  void listChanged(Home home, PepNodes.Change change) {
    Element list = change == PepNodes.Change.PUBLISHED ? publishedList(home.jid()) : null;
    if (list != null) {
      writeItems(home, list);
      writePrivately(home, list);
    }
  }

  /// A client has stored a list as private XML.
  void listStored(Home home, Element list) {
    writeItems(home, list);
    publishList(home, list);
  }

  /// Why a list cannot be stored, or null.
  @Nullable IqReply refuse(Home home, Element list) {
    return fits(home, list)
        ? null
        : IqReply.refuse(
            ErrorCondition.RESOURCE_CONSTRAINT,
            "There may be at most " + nodes.maxItems(home) + " bookmarks.");
  }

  /// Brings the places in step that were written while nobody kept them so: every bookmark that one
  /// of them has is in all afterwards.
  void reconcile(Home home) {
    if (!home.exists()) {
      return;
    }
    Element list = publishedList(home.jid());
    Element stored = privateList(home.jid());
    Map<String, Element> found = nodes.items(home, BookmarkXml.ITEMS);
    if (list == null && stored == null && (found == null || found.isEmpty())) {
      return;
    }
    Element union = list == null ? stored : stored == null ? list : BookmarkXml.union(list, stored);
    Map<String, Element> items = found == null ? new LinkedHashMap<>() : found;
    if (union != null) {
      Map<String, String> known = BookmarkXml.ids(items);
      Map<String, Element> added = new LinkedHashMap<>();
      BookmarkXml.rooms(union)
          .forEach((id, room) -> {
            if (!known.containsKey(id)) {
              added.put(id, BookmarkXml.toItem(room, null));
            }
          });
      if (items.size() + added.size() > nodes.maxItems(home)) {
        return;
      }
      if (!added.isEmpty() && !nodes.publishPrivately(home, BookmarkXml.ITEMS, added)) {
        return;
      }
      items.putAll(added);
    }
    writeList(home, BookmarkXml.toList(union, items));
  }

  /// Adds a bookmark to all places unless there is one of the room.
  ///
  /// @return false if there are too many
  boolean add(Home home, Jid room, Element item) {
    // Before anything else, as with the first session.
    reconcile(home);
    Map<String, Element> items = nodes.items(home, BookmarkXml.ITEMS);
    Map<String, Element> before = items == null ? Map.of() : items;
    if (BookmarkXml.ids(before).containsKey(room.toString())) {
      return true;
    }
    if (before.size() >= nodes.maxItems(home)
        || !nodes.publishPrivately(home, BookmarkXml.ITEMS, Map.of(room.toString(), item))) {
      return false;
    }
    itemsChanged(home, PepNodes.Change.PUBLISHED);
    return true;
  }

  /// Gives the bookmark of a room another name in all places, if it has the former one.
  void rename(Home home, Jid room, String former, String name) {
    reconcile(home);
    Map<String, Element> items = nodes.items(home, BookmarkXml.ITEMS);
    String id = items == null ? null : BookmarkXml.ids(items).get(room.toString());
    Element item = items == null || id == null ? null : items.get(id);
    if (id != null && item != null && former.equals(item.attribute("name"))) {
      Element renamed = item.toBuilder().attribute("name", name).build();
      if (nodes.publishPrivately(home, BookmarkXml.ITEMS, Map.of(id, renamed))) {
        itemsChanged(home, PepNodes.Change.PUBLISHED);
      }
    }
  }

  /// Removes the bookmark of a room from all places.
  void remove(Home home, Jid room) {
    reconcile(home);
    Map<String, Element> items = nodes.items(home, BookmarkXml.ITEMS);
    String id = items == null ? null : BookmarkXml.ids(items).get(room.toString());
    if (id != null) {
      nodes.retract(home, BookmarkXml.ITEMS, List.of(id));
      itemsChanged(home, PepNodes.Change.RETRACTED);
    }
  }

  private void writeItems(Home home, Element list) {
    Map<String, Element> items = nodes.items(home, BookmarkXml.ITEMS);
    Map<String, Element> before = items == null ? Map.of() : items;
    Map<String, String> ids = BookmarkXml.ids(before);
    Map<String, Element> rooms = BookmarkXml.rooms(list);
    Map<String, Element> changed = new LinkedHashMap<>();
    rooms.forEach((room, element) -> {
      String id = ids.get(room);
      Element item = id == null ? null : before.get(id);
      if (id == null || item == null) {
        changed.put(room, BookmarkXml.toItem(element, null));
      } else if (!BookmarkXml.isSame(element, item)) {
        changed.put(id, BookmarkXml.toItem(element, item));
      }
    });
    TreeSet<String> removed = new TreeSet<>();
    ids.forEach((room, id) -> {
      if (!rooms.containsKey(room)) {
        removed.add(id);
      }
    });
    // First, so that the node does not become full.
    nodes.retract(home, BookmarkXml.ITEMS, removed);
    if (!changed.isEmpty()) {
      nodes.publishPrivately(home, BookmarkXml.ITEMS, changed);
    }
  }

  private void writeList(Home home, Element list) {
    publishList(home, list);
    writePrivately(home, list);
  }

  private void publishList(Home home, Element list) {
    PepNodes.LastItem last = nodes.last(home.jid(), BookmarkXml.LIST);
    if (last == null || !list.equals(last.payload())) {
      nodes.publishPrivately(
          home, BookmarkXml.LIST, Map.of(last == null ? CURRENT : last.id(), list));
    }
  }

  private void writePrivately(Home home, Element list) {
    if (!list.equals(privateXml.find(home.jid(), BookmarkXml.STORAGE))) {
      privateXml.put(home.jid(), list);
    }
  }

  /// The list as it is, or null.
  private @Nullable Element listOf(Jid account) {
    Element list = publishedList(account);
    return list == null ? privateList(account) : list;
  }

  private @Nullable Element publishedList(Jid account) {
    PepNodes.LastItem last = nodes.last(account, BookmarkXml.LIST);
    Element payload = last == null ? null : last.payload();
    return payload != null && payload.name().equals(BookmarkXml.STORAGE) ? payload : null;
  }

  private @Nullable Element privateList(Jid account) {
    return privateXml.find(account, BookmarkXml.STORAGE);
  }

  /// The options of a node that nobody else may read (XEP-0402, section 3.3).
  static Map<String, String> options(boolean isList) {
    return isList
        ? Map.of("pubsub#access_model", "whitelist")
        : Map.of(
            "pubsub#access_model",
            "whitelist",
            "pubsub#max_items",
            "max",
            "pubsub#send_last_published_item",
            "never");
  }

  /// The names of the nodes.
  static List<String> names() {
    return List.of(BookmarkXml.ITEMS, BookmarkXml.LIST);
  }
}
