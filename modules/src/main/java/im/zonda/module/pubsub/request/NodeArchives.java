package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.Xep;
import im.zonda.module.mam.NodeArchiveQueries;
import im.zonda.module.mam.NodeArchiveQueries.Entry;
import im.zonda.module.mam.NodeArchiveQueries.Page;
import im.zonda.module.mam.NodeArchiveQueries.Wanted;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.Refusal;
import im.zonda.module.pubsub.owner.EventMessages;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Range;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The archives of nodes: the items that a node keeps, for everyone who may retrieve them. The
/// identifier of an entry is that of the item. Confined to the home of the nodes; may block.
@Xep(
    number = 442,
    version = "0.2.0",
    title = "Pubsub Message Archive Management",
    note =
        "Nodes of accounts and of a service. The archive of a node has the items that the node keeps,"
            + " each as it was published last")
public final class NodeArchives {
  /// Items that are read from the store at a time.
  private static final int PORTION = 50;

  private final NodeOwner owner;

  private NodeArchives(NodeOwner owner) {
    this.owner = owner;
  }

  /// Answers a request that names a node: a query, or a request for the form.
  ///
  /// @param most the maximum number of items of a page
  /// @param bytes a page has no further item when its payloads have this many bytes
  /// @param send sends the payload of a message to the requester; called in order, before the
  ///   answer
  public static IqReply answer(
      Iq iq, Element query, NodeOwner owner, int most, long bytes, Consumer<Element> send) {
    Jid from = iq.from();
    String name = query.attribute("node");
    Node node = name == null ? null : owner.find(name);
    if (from == null || node == null) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    Refusal refusal = node.refuseRetrieval(owner.requester(node, from));
    if (refusal != null) {
      return Replies.refuse(refusal);
    }
    if (iq.type() == Iq.Type.GET) {
      return NodeArchiveQueries.form(query);
    }
    ItemRequests.expire(owner, node);
    NodeArchives archives = new NodeArchives(owner);
    return NodeArchiveQueries.page(query, most, wanted -> archives.find(node, wanted, bytes), send);
  }

  /// Reads portions until there are enough items, or their payloads are too large.
  private @Nullable Page find(Node node, Wanted wanted, long bytes) {
    ResultSetRequest page = wanted.page();
    boolean backwards = page.backwards();
    boolean towardsOlder = backwards != wanted.order().descending();
    List<Item> items = new ArrayList<>();
    String next = backwards ? page.before() : page.after();
    long size = 0;
    while (true) {
      Range range =
          new Range(
              ItemRequests.orderOf(wanted.order()),
              towardsOlder ? null : next,
              towardsOlder ? next : null,
              wanted.with(),
              wanted.start(),
              wanted.end());
      // One more than wanted says whether the page is the last one.
      int limit = Math.min(PORTION, page.max() - items.size() + 1);
      List<Item> found =
          owner.store().select(owner.address(), node.name(), range, towardsOlder, limit);
      if (found == null) {
        // An item that was removed while the page was read has no other ones after it.
        return items.isEmpty() ? null : page(node, items, backwards, false);
      }
      for (Item item : towardsOlder ? found.reversed() : found) {
        size += item.payload().length;
        if (items.size() == page.max() || (size > bytes && !items.isEmpty())) {
          return page(node, items, backwards, false);
        }
        items.add(item);
      }
      if (found.isEmpty()) {
        return page(node, items, backwards, true);
      }
      next = items.getLast().id();
    }
  }

  private Page page(Node node, List<Item> items, boolean backwards, boolean complete) {
    List<Entry> entries = new ArrayList<>(items.size());
    for (Item item : backwards ? items.reversed() : items) {
      Message message =
          Message.of(
              EventMessages.type(node),
              owner.address(),
              null,
              null,
              EventMessages.published(node, owner.address(), List.of(item), item.publisher()));
      entries.add(new Entry(item.id(), item.published(), message.toElement()));
    }
    return new Page(entries, complete);
  }
}
