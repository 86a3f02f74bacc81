package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.pubsub.attachment.Attachments;
import im.zonda.module.pubsub.node.DerivedNode;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Refusal;
import im.zonda.module.pubsub.owner.EventMessages;
import im.zonda.module.pubsub.owner.NodeNames;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Item;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Requests of publishers (XEP-0060, section 7).
final class PublisherRequests {
  /// The size of all payloads of a request, as they are stored and sent: each has the namespaces
  /// that it uses, which the request may have only once. One that is alone may be larger.
  private static final long REQUEST_BYTES = 524_288;

  private final NodeOwner owner;
  private final Jid from;

  PublisherRequests(NodeOwner owner, Jid from) {
    this.owner = owner;
    this.from = from;
  }

  /// Section 7.1.
  ///
  /// @param options the element with preconditions, or null
  IqReply publish(Element request, @Nullable Element options) {
    String name = request.attribute("node");
    if (name == null || name.isEmpty()) {
      return Replies.refuse(ErrorCondition.BAD_REQUEST, "nodeid-required");
    }
    if (DerivedNode.isReserved(name)) {
      return new AttachmentRequests(owner, from).publish(name, request);
    }
    DataForm form = options == null ? null : DataForm.of(options.child(DataForm.X));
    if (options != null && (form == null || !NodeForms.isKnown(form))) {
      return Replies.refuse(ErrorCondition.BAD_REQUEST, "invalid-options");
    }
    Node found = owner.find(name);
    if (found == null) {
      return create(name, request, form);
    }
    if (found.config().isCollection()) {
      return Replies.refuse(Refusal.unsupported("publish"));
    }
    if (!found.mayPublish(from)) {
      return Replies.refuse(ErrorCondition.FORBIDDEN);
    }
    if (form != null && !NodeForms.fulfils(form, found.config())) {
      return Replies.refuse(ErrorCondition.CONFLICT, "precondition-not-met");
    }
    return publish(found, false, request);
  }

  /// Section 7.1.4: creates the node with the options of the request.
  private IqReply create(String name, Element request, @Nullable DataForm form) {
    if (!owner.mayCreate(from)) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    NodeConfig config =
        form == null
            ? owner.defaults(name)
            : NodeForms.apply(
                new DataForm("submit", null, null, form.fields()),
                NodeForms.PUBLISH_OPTIONS,
                SocialFeed.defaults(owner.defaults(name), form),
                owner.place());
    if (config == null) {
      return Replies.refuse(NodeForms.refuse(form, owner.place()));
    }
    Refusal refusal = NodeNames.refuse(name, from.bare(), owner);
    return refusal != null
        ? Replies.refuse(refusal)
        : publish(Node.create(name, from.bare(), owner.now(), config), true, request);
  }

  /// Publishes the items of a request.
  ///
  /// @param isNew whether the node is to be created
  IqReply publish(Node node, boolean isNew, Element request) {
    List<Item> items = new ArrayList<>();
    Refusal refusal = read(node, request, items);
    if (refusal == null && !isNew) {
      refusal = refuseReplacement(node, items);
    }
    if (refusal == null) {
      refusal = refuseAmount(node, items);
    }
    if (refusal != null) {
      return Replies.refuse(refusal);
    }
    if (isNew) {
      owner.save(null, node);
    }
    boolean persistent = node.config().isOn(NodeOption.PERSIST_ITEMS);
    int most = node.config().number(NodeOption.MAX_ITEMS, owner.bounds().items());
    List<String> removed =
        persistent && !items.isEmpty()
            ? owner.store().publish(owner.address(), node.name(), items, most)
            : List.of();
    owner.notifyAll(node, EventMessages.published(node, owner.address(), items, from));
    // The only item of a node is replaced, not retracted.
    if (!removed.isEmpty()
        && most > 1
        && node.config().isOn(NodeOption.NOTIFY_RETRACT)
        && node.config().value(NodeOption.PUBLISH_NODE_FULL).equals("retract-oldest")) {
      owner.notifyAll(node, List.of(PubSubXml.retracted(node, removed)));
    }
    if (!removed.isEmpty()) {
      Attachments.changed(owner, node, removed);
    }
    if (persistent) {
      owner.changed(node, NodeOwner.Change.PUBLISHED);
    }
    Element.Builder published = PubSubXml.named(PubSubXml.NAMESPACE, "publish", node.name());
    items.forEach(item ->
        published.child(
            Element.builder(PubSubXml.NAMESPACE, "item").attribute("id", item.id()).build()));
    return IqReply.result(PubSubXml.pubsub(published.build()));
  }

  /// Reads the items of a request (section 7.1.3.6 and 7.1.3.7). The type of the node says what its
  /// items mean and not which namespace they have: so XEP-0472, section 6, uses it.
  private @Nullable Refusal read(Node node, Element request, List<Item> items) {
    boolean persistent = node.config().isOn(NodeOption.PERSIST_ITEMS);
    boolean payloads = node.config().isOn(NodeOption.DELIVER_PAYLOADS);
    Instant now = owner.now();
    Set<String> ids = new LinkedHashSet<>();
    long all = 0;
    for (Element element : request.children()) {
      if (!element.is(PubSubXml.NAMESPACE, "item")) {
        continue;
      }
      if (!persistent && !payloads) {
        return Refusal.of(ErrorCondition.BAD_REQUEST, "item-forbidden");
      }
      List<Element> content = element.children();
      if (content.size() > 1) {
        return Refusal.of(ErrorCondition.BAD_REQUEST, "invalid-payload");
      }
      if (content.isEmpty() && payloads) {
        return Refusal.of(ErrorCondition.BAD_REQUEST, "payload-required");
      }
      if (!content.isEmpty() && !SocialFeed.accepts(node, content.getFirst())) {
        return Refusal.of(ErrorCondition.BAD_REQUEST, "invalid-payload");
      }
      if (!content.isEmpty() && !owner.accepts(node.name(), content.getFirst())) {
        return Refusal.of(ErrorCondition.RESOURCE_CONSTRAINT);
      }
      byte[] payload = content.isEmpty() ? new byte[0] : PubSubXml.bytes(content.getFirst());
      if (payload.length
          > node.config().number(NodeOption.MAX_PAYLOAD_SIZE, owner.bounds().itemBytes())) {
        return Refusal.of(ErrorCondition.NOT_ACCEPTABLE, "payload-too-big");
      }
      all += payload.length;
      if (all > REQUEST_BYTES && !items.isEmpty()) {
        return Refusal.of(ErrorCondition.NOT_ACCEPTABLE, "payload-too-big");
      }
      String id = element.attribute("id");
      if (id == null || id.isEmpty()) {
        id = owner.newId();
      }
      if (id.getBytes(StandardCharsets.UTF_8).length > PubSubStore.MAX_NAME_BYTES || !ids.add(id)) {
        return Refusal.of(ErrorCondition.BAD_REQUEST);
      }
      items.add(new Item(id, from, now, payload));
    }
    return items.isEmpty() && (persistent || payloads)
        ? Refusal.of(ErrorCondition.BAD_REQUEST, "item-required")
        : null;
  }

  private @Nullable Refusal refuseReplacement(Node node, List<Item> items) {
    if (node.mayReplaceAll(from) || !node.config().isOn(NodeOption.PERSIST_ITEMS)) {
      return null;
    }
    List<String> ids = items.stream().map(Item::id).toList();
    boolean may =
        owner.store().publishers(owner.address(), node.name(), ids).values().stream()
            .allMatch(publisher -> publisher.bare().equals(from.bare()));
    return may || owner.ownsAll(from) ? null : Refusal.of(ErrorCondition.FORBIDDEN);
  }

  private @Nullable Refusal refuseAmount(Node node, List<Item> items) {
    if (!node.config().isOn(NodeOption.PERSIST_ITEMS)) {
      return null;
    }
    int most = node.config().number(NodeOption.MAX_ITEMS, owner.bounds().items());
    if (items.size() > most) {
      return Refusal.of(ErrorCondition.NOT_ALLOWED, "max-items-exceeded");
    }
    long bytes = items.stream().mapToLong(item -> item.payload().length).sum();
    if (owner.usage(node.creator()).bytes() + bytes > owner.bounds().bytes()) {
      return Refusal.of(ErrorCondition.RESOURCE_CONSTRAINT);
    }
    if (node.config().value(NodeOption.PUBLISH_NODE_FULL).equals("reject")) {
      PubSubStore.Stored stored = owner.store().find(owner.address(), node.name());
      List<String> ids = items.stream().map(Item::id).toList();
      int known = owner.store().publishers(owner.address(), node.name(), ids).size();
      if (stored != null && stored.items() + items.size() - known > most) {
        return Refusal.of(ErrorCondition.CONFLICT, "node-full");
      }
    }
    return null;
  }

  /// Section 7.2.
  IqReply retract(Element request) {
    String name = request.attribute("node");
    if (name == null || name.isEmpty()) {
      return Replies.refuse(ErrorCondition.BAD_REQUEST, "nodeid-required");
    }
    Set<String> ids = new LinkedHashSet<>();
    for (Element item : request.children()) {
      String id = item.is(PubSubXml.NAMESPACE, "item") ? item.attribute("id") : null;
      if (id != null && !id.isEmpty()) {
        ids.add(id);
      }
    }
    if (ids.isEmpty()) {
      return Replies.refuse(ErrorCondition.BAD_REQUEST, "item-required");
    }
    Node node = owner.find(name);
    if (node == null) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    if (!node.config().isOn(NodeOption.PERSIST_ITEMS)) {
      return Replies.refuse(Refusal.unsupported("persistent-items"));
    }
    if (AttachmentRequests.isSummary(node, owner)) {
      return Replies.refuse(ErrorCondition.FORBIDDEN);
    }
    Map<String, Jid> found = owner.store().publishers(owner.address(), name, ids);
    if (!node.isOwner(from) && !node.mayPublish(from)) {
      return Replies.refuse(ErrorCondition.FORBIDDEN);
    }
    if (found.size() < ids.size()) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    if (!found.values().stream().allMatch(publisher -> node.mayRetract(from, publisher))) {
      return Replies.refuse(ErrorCondition.FORBIDDEN);
    }
    owner.store().retract(owner.address(), name, ids);
    String notify = request.attribute("notify");
    boolean wanted = "1".equals(notify) || "true".equals(notify);
    if (wanted || (notify == null && node.config().isOn(NodeOption.NOTIFY_RETRACT))) {
      owner.notifyAll(node, List.of(PubSubXml.retracted(node, ids)));
    }
    Attachments.changed(owner, node, ids);
    owner.changed(node, NodeOwner.Change.RETRACTED);
    return IqReply.empty();
  }
}
