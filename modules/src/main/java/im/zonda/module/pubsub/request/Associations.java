package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Refusal;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Changes of which nodes are in which collections (XEP-0248, sections 6.1, 6.3, 6.6 and 6.7), for
/// one request.
///
/// Who makes a node a child of a collection must own the node, because who has access to the
/// collection is notified of what the node is about. Two requests at the homes of two nodes may
/// make a cycle together; notifications go to each collection once nevertheless.
public final class Associations {
  /// Children of a collection that says nothing else.
  private static final int CHILDREN = 1_000;

  /// Collections that one node is in.
  private static final int COLLECTIONS = 16;

  /// Collections that have a node as a descendant.
  private static final int ANCESTORS = 100;

  private static final Refusal FORBIDDEN = Refusal.of(ErrorCondition.FORBIDDEN);
  private static final Refusal NOT_FOUND = Refusal.of(ErrorCondition.ITEM_NOT_FOUND);
  private static final Refusal INVALID = Refusal.of(ErrorCondition.NOT_ALLOWED, "invalid-options");
  private static final Refusal TOO_MANY =
      Refusal.of(ErrorCondition.NOT_ALLOWED, "max-nodes-exceeded");

  /// An association to be made or ended.
  private record Change(String collection, String child, boolean added) {}

  private final NodeOwner owner;
  private final Jid from;
  private final List<Change> changes = new ArrayList<>();

  Associations(NodeOwner owner, Jid from) {
    this.owner = owner;
    this.from = from;
  }

  private PubSubStore store() {
    return owner.store();
  }

  private List<String> collections(String name) {
    return store().collections(owner.address(), name);
  }

  private List<String> children(String name) {
    return store().children(owner.address(), name, null, CHILDREN).stream()
        .map(PubSubStore.Node::name)
        .toList();
  }

  private boolean isSupported() {
    return owner.place().has(NodeOption.COLLECTION);
  }

  /// What the form of a node has besides its configuration.
  NodeForms.Surroundings surroundings(Node node) {
    return new NodeForms.Surroundings(
        node.creator().equals(from.bare()) ? owner.groups(from) : Set.of(),
        isSupported() ? collections(node.name()) : List.of(),
        node.config().isCollection() ? children(node.name()) : List.of());
  }

  /// The collections that have a node as a descendant by their names, with their distance: 1 for
  /// the collections that it is in. The nearest ones, if there are too many.
  public static Map<String, Integer> ancestors(NodeOwner owner, String name) {
    Map<String, Integer> found = new LinkedHashMap<>();
    List<String> level = List.of(name);
    for (int distance = 1; !level.isEmpty() && found.size() < ANCESTORS; distance++) {
      List<String> next = new ArrayList<>();
      for (String each : level) {
        for (String collection : owner.store().collections(owner.address(), each)) {
          if (!collection.equals(name)
              && found.size() < ANCESTORS
              && !found.containsKey(collection)) {
            found.put(collection, distance);
            next.add(collection);
          }
        }
      }
      level = next;
    }
    return found;
  }

  /// Plans what a form changes; nothing is changed yet.
  ///
  /// @param node the node as it will be
  /// @return why the request is rejected, or null
  @Nullable Refusal plan(Node node, @Nullable DataForm form) {
    List<String> collections = NodeForms.names(form, NodeOption.COLLECTION);
    List<String> children = NodeForms.names(form, NodeOption.CHILDREN);
    if (collections != null) {
      changed(collections(node.name()), collections)
          .forEach((each, added) -> changes.add(new Change(each, node.name(), added)));
    }
    if (children != null) {
      if (!children.isEmpty() && !node.config().isCollection()) {
        return INVALID;
      }
      changed(children(node.name()), children)
          .forEach((each, added) -> changes.add(new Change(node.name(), each, added)));
    }
    return check(node);
  }

  /// The names that come (true) and those that go (false).
  private static Map<String, Boolean> changed(List<String> before, List<String> after) {
    Map<String, Boolean> changed = new LinkedHashMap<>();
    after.stream().filter(each -> !before.contains(each)).forEach(each -> changed.put(each, true));
    before.stream().filter(each -> !after.contains(each)).forEach(each -> changed.put(each, false));
    return changed;
  }

  private @Nullable Refusal check(Node node) {
    Map<String, Integer> sizes = new HashMap<>();
    Set<String> above = new LinkedHashSet<>(ancestors(owner, node.name()).keySet());
    above.add(node.name());
    for (Change each : changes) {
      if (!each.added) {
        continue;
      }
      boolean joins = each.child.equals(node.name());
      Node collection = joins ? owner.other(each.collection) : node;
      Node child = joins ? node : owner.other(each.child);
      Refusal refusal = collection == null || child == null ? NOT_FOUND : refuse(collection, child);
      if (refusal != null) {
        return refusal;
      }
      if (joins) {
        Set<String> further = ancestors(owner, each.collection).keySet();
        if (further.contains(node.name())) {
          return INVALID;
        }
        above.addAll(further);
        above.add(each.collection);
      }
      int size = sizes.merge(each.collection, 1, Integer::sum);
      if (collection == null || isFull(collection, size)) {
        return TOO_MANY;
      }
    }
    for (Change each : changes) {
      if (each.added && each.collection.equals(node.name()) && above.contains(each.child)) {
        return INVALID;
      }
    }
    long joined =
        changes.stream().filter(each -> each.added && each.child.equals(node.name())).count();
    return above.size() > ANCESTORS || joined > COLLECTIONS ? TOO_MANY : null;
  }

  private @Nullable Refusal refuse(Node collection, Node child) {
    if (!collection.config().isCollection() || collection.name().equals(child.name())) {
      return INVALID;
    }
    boolean may = owner.ownsAll(from) || (child.isOwner(from) && collection.mayAssociate(from));
    if (!may) {
      return FORBIDDEN;
    }
    return collections(child.name()).size() >= COLLECTIONS ? TOO_MANY : null;
  }

  private boolean isFull(Node collection, int added) {
    int most = collection.config().number(NodeOption.CHILDREN_MAX, CHILDREN);
    return store().countChildren(owner.address(), collection.name()) + added > most;
  }

  /// Makes the changes that were planned.
  ///
  /// @param notify whether those who are subscribed to the nodes of the collections are notified
  /// @return whether an association was made
  boolean make(boolean notify) {
    boolean made = false;
    for (Change each : changes) {
      boolean done =
          each.added
              ? store().associate(owner.address(), each.collection, each.child)
              : store().dissociate(owner.address(), each.collection, each.child);
      made |= done && each.added;
      if (done && notify) {
        owner.notifyCollection(
            each.collection,
            List.of(
                PubSubXml.event(
                    PubSubXml.named(PubSubXml.EVENT, "collection", each.collection)
                        .child(
                            PubSubXml.named(
                                    PubSubXml.EVENT,
                                    each.added ? "associate" : "dissociate",
                                    each.child)
                                .build())
                        .build())));
      }
    }
    return made;
  }

  /// Answers a request to associate nodes with a collection, or to dissociate them (sections 6.6
  /// and 6.7).
  IqReply answer(Element request) {
    if (!isSupported()) {
      return Replies.refuse(Refusal.unsupported("collections"));
    }
    String name = request.attribute("node");
    Node collection = name == null ? null : owner.find(name);
    if (collection == null) {
      return Replies.refuse(NOT_FOUND);
    }
    for (Element each : request.children()) {
      boolean added = each.is(PubSubXml.OWNER, "associate");
      String child = each.attribute("node");
      if (child == null || !(added || each.is(PubSubXml.OWNER, "dissociate"))) {
        return Replies.refuse(ErrorCondition.BAD_REQUEST);
      }
      boolean is = collections(child).contains(collection.name());
      if (!added) {
        Refusal refusal =
            is ? refuseDissociation(collection, child) : Refusal.of(ErrorCondition.BAD_REQUEST);
        if (refusal != null) {
          return Replies.refuse(refusal);
        }
      }
      if (added != is) {
        changes.add(new Change(collection.name(), child, added));
      }
    }
    if (request.children().isEmpty()) {
      return Replies.refuse(ErrorCondition.BAD_REQUEST);
    }
    Refusal refusal = check(collection);
    if (refusal != null) {
      return Replies.refuse(refusal);
    }
    boolean _ = make(true);
    return IqReply.empty();
  }

  private @Nullable Refusal refuseDissociation(Node collection, String child) {
    Node other = owner.other(child);
    boolean may =
        owner.ownsAll(from) || collection.isOwner(from) || (other != null && other.isOwner(from));
    return may ? null : FORBIDDEN;
  }
}
