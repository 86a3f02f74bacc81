package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.Xep;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Refusal;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.module.rsm.OrderRequest;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Order;
import im.zonda.store.PubSubStore.Page;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Requests for items (XEP-0060, section 6.5), in one of two orders (XEP-0413).
@Xep(
    number = 413,
    version = "0.2.1",
    title = "Order-By",
    note =
        "For items of nodes, and for archives, whose messages are never modified. Other orders than"
            + " `creation` and `modification` are rejected")
final class ItemRequests {
  /// Items that are read from the store at a time.
  private static final int PORTION = 50;

  /// An answer has no further item when all of them have this many bytes.
  private static final long ANSWER_BYTES = 524_288;

  private static final int MAX_DIGITS = 9;

  private final NodeOwner owner;
  private final Jid from;

  ItemRequests(NodeOwner owner, Jid from) {
    this.owner = owner;
    this.from = from;
  }

  /// Answers a request for items.
  ///
  /// @param pubsub its parent, which may have an order and ask for a page
  IqReply items(Element request, Element pubsub) {
    Element set = pubsub.child(ResultSetRequest.SET);
    String name = request.attribute("node");
    if (name == null) {
      return Replies.refuse(ErrorCondition.BAD_REQUEST, "nodeid-required");
    }
    Node node = owner.find(name);
    if (node == null) {
      return owner.isWellKnown(name) && owner.ownsAll(from)
          ? answer(name, List.of(), set == null ? null : new Collected(List.of(), 0, 0, false))
          : Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    if (node.config().isCollection()) {
      return Replies.refuse(Refusal.unsupported("retrieve-items"));
    }
    Refusal refusal = node.refuseRetrieval(owner.requester(node, from));
    if (refusal == null) {
      refusal = refuseSubscription(node, request.attribute("subid"));
    }
    if (refusal != null) {
      return Replies.refuse(refusal);
    }
    expire(owner, node);
    Set<String> ids = new LinkedHashSet<>();
    for (Element item : request.children()) {
      String id = item.is(PubSubXml.NAMESPACE, "item") ? item.attribute("id") : null;
      if (id != null) {
        ids.add(id);
      }
    }
    if (ids.size() > owner.bounds().items()) {
      return Replies.refuse(ErrorCondition.POLICY_VIOLATION);
    }
    if (!ids.isEmpty()) {
      return answer(name, ids);
    }
    try {
      return page(node, request.attribute("max_items"), OrderRequest.of(pubsub), set);
    } catch (ResultSetException e) {
      return e.reply();
    }
  }

  /// Answers with the items that have these ids, as many as fit into an answer (section 6.5.4).
  private IqReply answer(String name, Set<String> ids) {
    List<Item> items = new ArrayList<>();
    long bytes = 0;
    for (Item item : owner.store().items(owner.address(), name, ids)) {
      bytes += size(item);
      if (bytes > ANSWER_BYTES && !items.isEmpty()) {
        break;
      }
      items.add(item);
    }
    int count =
        items.size() == ids.size()
            ? items.size()
            : owner.store().publishers(owner.address(), name, ids).size();
    return answer(name, items, count == items.size() ? null : new Collected(items, 0, count, true));
  }

  /// About the size that an item has in an answer, without what all have.
  private static long size(Item item) {
    return item.payload().length + item.id().length() + (long) item.publisher().toString().length();
  }

  private @Nullable Refusal refuseSubscription(Node node, @Nullable String id) {
    return id != null && node.subscriptionsOf(from).stream().noneMatch(e -> e.id().equals(id))
        ? Refusal.of(ErrorCondition.NOT_ACCEPTABLE, "invalid-subid")
        : null;
  }

  /// Removes items that are too old.
  static void expire(NodeOwner owner, Node node) {
    String seconds = node.config().value(NodeOption.ITEM_EXPIRE);
    if (!seconds.isEmpty() && !seconds.equals(NodeConfig.MAX)) {
      owner
          .store()
          .expire(
              owner.address(),
              node.name(),
              owner.now().minus(Duration.ofSeconds(Integer.parseInt(seconds))));
    }
  }

  private IqReply page(
      Node node, @Nullable String maxItems, OrderRequest order, @Nullable Element set)
      throws ResultSetException {
    int most = owner.bounds().items();
    if (maxItems != null) {
      if (maxItems.isEmpty()
          || maxItems.length() > MAX_DIGITS
          || !maxItems.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return Replies.refuse(ErrorCondition.BAD_REQUEST);
      }
      most = Math.min(most, Integer.parseInt(maxItems));
    }
    if (set == null) {
      // Without an order the newest ones, if all would be too large; otherwise the first ones.
      Collected found = collect(node, order, null, !order.given(), most);
      return answer(node.name(), found.items, found.cut ? found : null);
    }
    ResultSetRequest request = ResultSetRequest.of(set, most);
    String reference = request.after() == null ? request.before() : request.after();
    if (reference != null
        && owner.store().publishers(owner.address(), node.name(), Set.of(reference)).isEmpty()) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    Collected found = collect(node, order, reference, request.backwards(), request.max());
    return answer(node.name(), found.items, found);
  }

  /// Items of a page.
  ///
  /// @param cut whether it has fewer items than wanted because it would be too large
  private record Collected(List<Item> items, int index, int count, boolean cut) {}

  /// Reads portions until there are enough items, or their payloads are too large.
  ///
  /// @param backwards whether the page ends before the reference in the wanted order
  private Collected collect(
      Node node, OrderRequest wanted, @Nullable String reference, boolean backwards, int most) {
    Order order = orderOf(wanted);
    boolean towardsOlder = backwards != wanted.descending();
    List<Item> items = new ArrayList<>();
    String next = reference;
    long bytes = 0;
    int index = 0;
    int count = 0;
    boolean first = true;
    while (first || (items.size() < most && bytes < ANSWER_BYTES)) {
      Page page =
          owner
              .store()
              .page(
                  owner.address(),
                  node.name(),
                  order,
                  next,
                  towardsOlder,
                  Math.min(PORTION, most - items.size()));
      if (page == null) {
        break; // the item was removed meanwhile
      }
      count = page.count();
      if (first || backwards) {
        index = wanted.descending() ? count - page.index() - page.items().size() : page.index();
      }
      first = false;
      if (page.items().isEmpty()) {
        break;
      }
      List<Item> taken = towardsOlder ? page.items().reversed() : page.items();
      int before = items.size();
      for (Item item : taken) {
        bytes += size(item);
        if (bytes > ANSWER_BYTES && !items.isEmpty()) {
          break;
        }
        items.add(item);
      }
      int left = taken.size() - (items.size() - before);
      if (left > 0) {
        index += backwards ? left : 0;
        break;
      }
      next = taken.getLast().id();
    }
    boolean cut = items.size() < Math.min(most, count) && bytes >= ANSWER_BYTES;
    return new Collected(backwards ? items.reversed() : items, index, count, cut);
  }

  static Order orderOf(OrderRequest wanted) {
    return wanted.byCreation() ? Order.CREATION : Order.MODIFICATION;
  }

  private IqReply answer(String node, List<Item> items, @Nullable Collected page) {
    Element.Builder all = PubSubXml.named(PubSubXml.NAMESPACE, "items", node);
    items.forEach(
        item -> all.child(PubSubXml.item(PubSubXml.NAMESPACE, owner.address(), item, true)));
    Element.Builder pubsub = Element.builder(PubSubXml.PUBSUB).child(all.build());
    if (page != null) {
      pubsub.child(set(page));
    }
    return IqReply.result(pubsub.build());
  }

  private static Element set(Collected page) {
    boolean empty = page.items.isEmpty();
    return ResultSetRequest.result(
        empty ? null : page.items.getFirst().id(),
        empty ? null : page.items.getLast().id(),
        page.index,
        page.count);
  }
}
