package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.pubsub.attachment.Attachments;
import im.zonda.module.pubsub.following.PublicSubscribers;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.DerivedNode;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Refusal;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.node.SubscriptionOptions;
import im.zonda.module.pubsub.owner.NodeNames;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Requests of owners (XEP-0060, section 8).
final class OwnerRequests {
  private final NodeOwner owner;
  private final Jid from;

  OwnerRequests(NodeOwner owner, Jid from) {
    this.owner = owner;
    this.from = from;
  }

  /// Section 8.1. Without a name, the node gets one (an instant node).
  ///
  /// @param configure the element with the configuration, or null
  IqReply create(Element request, @Nullable Element configure) {
    String wanted = request.attribute("node");
    boolean instant = wanted == null || wanted.isEmpty();
    String name = instant ? owner.newId() : wanted;
    if (name == null || !owner.mayCreate(from)) {
      return Replies.refuse(ErrorCondition.FORBIDDEN);
    }
    if (DerivedNode.isReserved(name)) {
      return Replies.refuse(ErrorCondition.NOT_ALLOWED);
    }
    if (owner.find(name) != null) {
      return Replies.refuse(ErrorCondition.CONFLICT);
    }
    Element x = configure == null ? null : configure.child(DataForm.X);
    NodeConfig config =
        x == null
            ? owner.defaults(name)
            : NodeForms.apply(
                DataForm.of(x),
                NodeForms.CONFIG,
                SocialFeed.defaults(owner.defaults(name), DataForm.of(x)),
                owner.place());
    if (config == null) {
      return Replies.refuse(NodeForms.refuse(DataForm.of(x), owner.place()));
    }
    Refusal refusal = NodeNames.refuse(name, from.bare(), owner);
    if (refusal != null) {
      return Replies.refuse(refusal);
    }
    Node created = Node.create(name, from.bare(), owner.now(), config);
    Associations associations = new Associations(owner, from);
    refusal = associations.plan(created, DataForm.of(x));
    if (refusal != null) {
      return Replies.refuse(refusal);
    }
    owner.save(null, created);
    if (associations.make(false)) {
      owner.notifyAll(
          created,
          List.of(PubSubXml.event(PubSubXml.named(PubSubXml.EVENT, "create", name).build())));
    }
    return instant
        ? IqReply.result(
            PubSubXml.pubsub(PubSubXml.named(PubSubXml.NAMESPACE, "create", name).build()))
        : IqReply.empty();
  }

  /// What to do with a node that the sender owns.
  private interface OwnedRequest {
    IqReply answer(Node node);
  }

  private IqReply owned(Element request, OwnedRequest answer) {
    String name = request.attribute("node");
    if (name == null || name.isEmpty()) {
      return Replies.refuse(ErrorCondition.BAD_REQUEST, "nodeid-required");
    }
    Node node = owner.find(name);
    if (node == null) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    Refusal refusal = owner.ownsAll(from) ? null : node.refuseUnlessOwner(from);
    return refusal != null ? Replies.refuse(refusal) : answer.answer(node);
  }

  /// Section 8.2.
  IqReply configuration(Element request) {
    return owned(request, node -> IqReply.result(PubSubXml.owner(configurationOf(node))));
  }

  private Element configurationOf(Node node) {
    Associations associations = new Associations(owner, from);
    return PubSubXml.named(PubSubXml.OWNER, "configure", node.name())
        .child(
            NodeForms.config("form", node.config(), owner.place(), associations.surroundings(node)))
        .build();
  }

  /// Section 8.2.4. What the node has too much by the new configuration goes at once.
  IqReply configure(Element request) {
    return owned(
        request,
        node -> {
          DataForm form = DataForm.of(request.child(DataForm.X));
          if (form == null) {
            return Replies.refuse(ErrorCondition.BAD_REQUEST, "invalid-options");
          }
          if (form.type().equals("cancel")) {
            return IqReply.empty();
          }
          NodeConfig config = NodeForms.apply(form, NodeForms.CONFIG, node.config(), owner.place());
          if (config == null) {
            return Replies.refuse(NodeForms.refuse(form, owner.place()));
          }
          if (asksRoster(node, config)) {
            return Replies.refuse(ErrorCondition.NOT_ACCEPTABLE, "unsupported-access-model");
          }
          if (node.config().isCollection() && !config.isCollection()) {
            return Replies.refuse(ErrorCondition.NOT_ALLOWED, "invalid-options");
          }
          if (DerivedNode.isReserved(node.name())
              && !DerivedNode.haveSameAccess(config, node.config())) {
            return Replies.refuse(ErrorCondition.NOT_ALLOWED);
          }
          Associations associations = new Associations(owner, from);
          Refusal refusal = associations.plan(node.withConfig(config), form);
          return refusal != null
              ? Replies.refuse(refusal)
              : configure(node, node.withConfig(config), associations);
        });
  }

  /// Whether someone else would have the roster of the node's creator decide on access.
  private boolean asksRoster(Node node, NodeConfig changed) {
    if (node.creator().equals(from.bare())) {
      return false;
    }
    String model = changed.value(NodeOption.ACCESS_MODEL);
    boolean asks = model.equals("presence") || model.equals("roster");
    List<String> groups = node.config().all(NodeOption.ROSTER_GROUPS_ALLOWED);
    return (asks && !model.equals(node.config().value(NodeOption.ACCESS_MODEL)))
        || !changed.all(NodeOption.ROSTER_GROUPS_ALLOWED).equals(groups);
  }

  private IqReply configure(Node before, Node changed, Associations associations) {
    // Those who have lost their access lose their subscription (section 8.2.5).
    Node after =
        changed.withoutSubscriptions(
            each -> changed.refuseAccess(owner.requester(changed, each.subscriber())) != null);
    owner.save(before, after);
    boolean _ = associations.make(true);
    // A leaf node that becomes a collection loses its items (XEP-0248, section 6.3.4).
    if (!after.config().isOn(NodeOption.PERSIST_ITEMS) || after.config().isCollection()) {
      owner.store().purge(owner.address(), after.name());
    } else {
      owner
          .store()
          .trim(
              owner.address(),
              after.name(),
              after.config().number(NodeOption.MAX_ITEMS, owner.bounds().items()));
    }
    Attachments.purged(owner, after);
    notifyEnded(before, after);
    if (after.config().isOn(NodeOption.NOTIFY_CONFIG)) {
      Element.Builder configuration =
          PubSubXml.named(PubSubXml.EVENT, "configuration", after.name());
      if (after.config().isOn(NodeOption.DELIVER_PAYLOADS)) {
        configuration.child(
            NodeForms.config(
                "result",
                after.config(),
                owner.place(),
                new Associations(owner, from).surroundings(after).withoutGroups()));
      }
      owner.notifyAll(after, List.of(PubSubXml.event(configuration.build())));
    }
    owner.changed(after, NodeOwner.Change.CONFIGURED);
    return IqReply.empty();
  }

  /// Notifies those whose subscriptions have ended, or have been approved.
  private void notifyEnded(Node before, Node after) {
    before
        .subscriptions()
        .forEach((id, each) -> {
          Subscription now = after.subscriptions().get(id);
          if (now == null) {
            notifySubscriber(after, each.withState(Subscription.State.NONE));
          } else if (now.state() != each.state()) {
            notifySubscriber(after, now);
          }
        });
  }

  private void notifySubscriber(Node node, Subscription subscription) {
    owner.send(
        subscription.subscriber(),
        Message.Type.HEADLINE,
        List.of(PubSubXml.subscriptionEvent(node, subscription)));
  }

  /// Section 8.3.
  ///
  /// @param collection whether those of collections are wanted (XEP-0248, section 6.4)
  IqReply defaults(boolean collection) {
    NodeConfig defaults = owner.place().defaults();
    if (collection) {
      defaults = defaults.with(NodeOption.NODE_TYPE, List.of("collection"));
    }
    if (defaults == null
        || !owner.place().allows(NodeOption.NODE_TYPE, defaults.all(NodeOption.NODE_TYPE))) {
      return Replies.refuse(Refusal.unsupported("collections"));
    }
    NodeForms.Surroundings surroundings =
        new NodeForms.Surroundings(owner.groups(from), List.of(), List.of());
    return IqReply.result(
        PubSubXml.owner(
            Element.builder(PubSubXml.OWNER, "default")
                .child(NodeForms.config("form", defaults, owner.place(), surroundings))
                .build()));
  }

  /// Section 8.4.
  IqReply delete(Element request) {
    return owned(
        request,
        node -> {
          if (AttachmentRequests.isSummary(node, owner)) {
            return Replies.refuse(ErrorCondition.NOT_ALLOWED);
          }
          Element redirect = request.child("redirect");
          String uri = redirect == null ? null : redirect.attribute("uri");
          if (redirect != null && uri == null) {
            return Replies.refuse(ErrorCondition.BAD_REQUEST);
          }
          remove(owner, node, uri);
          return IqReply.empty();
        });
  }

  /// Removes a node and notifies its subscribers.
  ///
  /// @param uri where it has gone, or null
  static void remove(NodeOwner owner, Node node, @Nullable String uri) {
    owner.remove(node);
    if (node.config().isOn(NodeOption.NOTIFY_DELETE)) {
      Element.Builder deleted = PubSubXml.named(PubSubXml.EVENT, "delete", node.name());
      if (uri != null) {
        deleted.child(Element.builder(PubSubXml.EVENT, "redirect").attribute("uri", uri).build());
      }
      owner.notifyAll(node, List.of(PubSubXml.event(deleted.build())));
    }
    Attachments.removed(owner, node);
    PublicSubscribers.removed(owner, node);
    owner.changed(node, NodeOwner.Change.REMOVED);
  }

  /// Section 8.5.
  IqReply purge(Element request) {
    return owned(
        request,
        node -> {
          if (node.config().isCollection()) {
            return Replies.refuse(Refusal.unsupported("purge-nodes"));
          }
          if (!node.config().isOn(NodeOption.PERSIST_ITEMS)) {
            return Replies.refuse(Refusal.unsupported("persistent-items"));
          }
          if (AttachmentRequests.isSummary(node, owner)) {
            return Replies.refuse(ErrorCondition.FORBIDDEN);
          }
          owner.store().purge(owner.address(), node.name());
          if (node.config().isOn(NodeOption.NOTIFY_RETRACT)) {
            owner.notifyAll(
                node,
                List.of(
                    PubSubXml.event(
                        PubSubXml.named(PubSubXml.EVENT, "purge", node.name()).build())));
          }
          Attachments.purged(owner, node);
          owner.changed(node, NodeOwner.Change.RETRACTED);
          return IqReply.empty();
        });
  }

  /// Section 8.8.1. Those that are pending are not listed.
  ///
  /// @param set the element that asks for a page, or null
  IqReply subscriptions(Element request, @Nullable Element set) {
    return owned(
        request,
        node -> {
          NavigableMap<String, Subscription> listed = new TreeMap<>();
          node.subscriptions()
              .forEach((id, each) -> {
                if (each.state() == Subscription.State.SUBSCRIBED) {
                  listed.put(id, each);
                }
              });
          return new EntryPages<>(
                  listed,
                  each ->
                      Element.builder(PubSubXml.OWNER, "subscription")
                          .attribute("jid", each.subscriber().toString())
                          .attribute("subscription", each.state().word())
                          .attribute("subid", each.id())
                          .build())
              .answer(PubSubXml.named(PubSubXml.OWNER, "subscriptions", node.name()), set);
        });
  }

  /// Section 8.8.2.
  IqReply changeSubscriptions(Element request) {
    return owned(
        request,
        node -> {
          Node after = node;
          for (Element change : request.children()) {
            if (change.is(PubSubXml.OWNER, "subscription")
                && change.attribute("subscription") != null) {
              after = changed(after, change);
              if (after == null) {
                return Replies.refuse(ErrorCondition.NOT_ACCEPTABLE);
              }
            }
          }
          if (isTooMuch(node, after) || isTooMuchForUsers(node, after)) {
            return Replies.refuse(ErrorCondition.POLICY_VIOLATION, "too-many-subscriptions");
          }
          owner.save(node, after);
          notifyEnded(node, after);
          for (Map.Entry<String, Subscription> each : after.subscriptions().entrySet()) {
            if (!node.subscriptions().containsKey(each.getKey())) {
              notifySubscriber(after, each.getValue());
            }
          }
          return IqReply.empty();
        });
  }

  /// The node after a change of the subscriptions of an address; null if the change is not valid.
  private @Nullable Node changed(Node node, Element change) {
    Jid jid = PubSubXml.jid(change, "jid");
    Subscription.State state = Subscription.State.of(change.attribute("subscription"));
    if (jid == null || state == null) {
      return null;
    }
    String id = change.attribute("subid");
    List<Subscription> meant = new ArrayList<>();
    for (Subscription each : node.subscriptions().values()) {
      if (each.subscriber().equals(jid) && (id == null || id.equals(each.id()))) {
        meant.add(each);
      }
    }
    if (meant.isEmpty() && id != null) {
      return null;
    }
    if (meant.isEmpty() && state != Subscription.State.NONE) {
      if (!jid.bare().equals(from.bare()) && !owner.mayBeSubscribed(jid)) {
        return null;
      }
      meant.add(new Subscription(owner.newId(), jid, state, SubscriptionOptions.DEFAULT));
    }
    Node after = node;
    for (Subscription each : meant) {
      after = after.with(each.withState(state));
    }
    return after;
  }

  /// Whether a change adds more subscriptions or affiliations than there may be.
  private boolean isTooMuch(Node before, Node after) {
    int added = after.entries() - before.entries();
    return added > 0 && !owner.mayHaveMore(before, added);
  }

  /// Whether a user would have more subscriptions than one user may have.
  private boolean isTooMuchForUsers(Node before, Node after) {
    return after.subscriptions().entrySet().stream()
        .filter(each -> !before.subscriptions().containsKey(each.getKey()))
        .map(each -> each.getValue().subscriber().bare())
        .distinct()
        .anyMatch(user ->
            after.subscriptionsOf(user).size() > Node.SUBSCRIPTIONS_OF_USER
                || owner.isFullySubscribed(user));
  }

  /// Section 8.9.1.
  ///
  /// @param set the element that asks for a page, or null
  IqReply affiliations(Element request, @Nullable Element set) {
    return owned(
        request,
        node -> {
          NavigableMap<String, Map.Entry<Jid, Affiliation>> listed = new TreeMap<>();
          node.affiliations()
              .entrySet()
              .forEach(each -> listed.put(each.getKey().toString(), each));
          return new EntryPages<>(
                  listed,
                  each ->
                      Element.builder(PubSubXml.OWNER, "affiliation")
                          .attribute("jid", each.getKey().toString())
                          .attribute("affiliation", each.getValue().word())
                          .build())
              .answer(PubSubXml.named(PubSubXml.OWNER, "affiliations", node.name()), set);
        });
  }

  /// Section 8.9.2. All changes are made, or none.
  IqReply changeAffiliations(Element request) {
    return owned(
        request,
        node -> {
          if (DerivedNode.isReserved(node.name())) {
            return Replies.refuse(ErrorCondition.NOT_ALLOWED);
          }
          Node after = node;
          for (Element change : request.children()) {
            if (!change.is(PubSubXml.OWNER, "affiliation")
                || change.attribute("affiliation") == null) {
              continue;
            }
            Jid user = PubSubXml.jid(change, "jid");
            Affiliation affiliation = Affiliation.of(change.attribute("affiliation"));
            after =
                user == null || affiliation == null
                    ? null
                    : after.withAffiliation(user, affiliation);
            // An account always owns its nodes.
            if (after == null
                || (owner.ownsAll(node.creator()) && !after.isOwner(node.creator()))) {
              return Replies.refuse(ErrorCondition.NOT_ACCEPTABLE);
            }
          }
          if (isTooMuch(node, after)) {
            return Replies.refuse(ErrorCondition.RESOURCE_CONSTRAINT);
          }
          owner.save(node, after);
          notifyEnded(node, after);
          owner.changed(after, NodeOwner.Change.CONFIGURED);
          return IqReply.empty();
        });
  }

  /// Section 8.6: approves or denies a subscription that is pending, if the sender owns the node.
  ///
  /// @param form the submitted form
  void authorize(DataForm form) {
    DataForm.Field name = form.field("pubsub#node");
    DataForm.Field id = form.field("pubsub#subid");
    DataForm.Field allow = form.field("pubsub#allow");
    if (name == null || name.value() == null || allow == null || allow.bool() == null) {
      return;
    }
    Node node = owner.find(name.value());
    if (node == null || !(node.isOwner(from) || owner.ownsAll(from))) {
      return;
    }
    DataForm.Field jid = form.field("pubsub#subscriber_jid");
    for (Subscription each : node.subscriptions().values()) {
      String subid = id == null ? null : id.value();
      boolean meant =
          subid == null
              ? (jid != null && each.subscriber().toString().equals(jid.value()))
              : each.id().equals(subid);
      if (meant && each.state() == Subscription.State.PENDING) {
        Subscription decided =
            each.withState(allow.bool() ? Subscription.State.SUBSCRIBED : Subscription.State.NONE);
        owner.save(node, node.with(decided));
        notifySubscriber(node, decided);
        return;
      }
    }
  }
}
