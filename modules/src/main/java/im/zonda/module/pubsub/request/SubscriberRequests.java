package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.pubsub.following.PublicSubscribers;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Refusal;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.node.SubscriptionOptions;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Requests of subscribers (XEP-0060, sections 6.1 to 6.4).
final class SubscriberRequests {
  /// Maximum number of owners who are notified of a subscription: others may have been made owners
  /// to flood them.
  private static final int NOTIFIED_OWNERS = 16;

  private final NodeOwner owner;
  private final Jid from;

  SubscriberRequests(NodeOwner owner, Jid from) {
    this.owner = owner;
    this.from = from;
  }

  /// A node that the request names, and the subscribed address.
  private sealed interface Named {
    record Found(Node node, Jid jid) implements Named {}

    record Refused(IqReply reply) implements Named {}
  }

  private Named named(Element request) {
    String name = request.attribute("node");
    Jid jid = PubSubXml.jid(request, "jid");
    if (name == null) {
      return new Named.Refused(Replies.refuse(ErrorCondition.BAD_REQUEST, "nodeid-required"));
    }
    if (jid == null) {
      boolean missing = request.attribute("jid") == null;
      return new Named.Refused(
          Replies.refuse(ErrorCondition.BAD_REQUEST, missing ? "jid-required" : "invalid-jid"));
    }
    Node node = owner.find(name);
    return node == null
        ? new Named.Refused(Replies.refuse(ErrorCondition.ITEM_NOT_FOUND))
        : new Named.Found(node, jid);
  }

  /// Section 6.1.
  ///
  /// @param options the element with the options of the subscription, or null
  IqReply subscribe(Element request, @Nullable Element options) {
    return switch (named(request)) {
      case Named.Refused(IqReply reply) -> reply;
      case Named.Found(Node node, Jid jid) -> {
        SubscriptionOptions wanted =
            options == null
                ? SubscriptionOptions.DEFAULT
                : NodeForms.options(
                    DataForm.of(options.child(DataForm.X)),
                    SubscriptionOptions.DEFAULT,
                    node,
                    mayBeTemporary(),
                    owner.now());
        yield wanted == null
            ? Replies.refuse(ErrorCondition.BAD_REQUEST, "invalid-options")
            : subscribe(node, jid, wanted, options == null, PublicSubscribers.isPublic(request));
      }
    };
  }

  /// Creates a subscription, or makes an existing one public or private (XEP-0465, section 4.1).
  ///
  /// A request that is repeated, or does not ask for other options, is answered with the existing
  /// subscription: a subscriber who has several must name one by its identifier to end it (sections
  /// 6.1.6 and 6.2.3.2).
  ///
  /// @param usual whether the request has no options
  private IqReply subscribe(
      Node node, Jid jid, SubscriptionOptions options, boolean usual, boolean wanted) {
    boolean access = node.refuseAccess(owner.requester(node, from)) == null;
    for (Subscription each : node.subscriptionsOf(from)) {
      boolean same =
          access
              && !node.config().isCollection()
              && each.state() == Subscription.State.SUBSCRIBED
              && (usual || each.options().withPublic(false).equals(options));
      if (each.subscriber().equals(jid) && (same || wanted || each.options().isPublic())) {
        Subscription changed = each.withOptions(each.options().withPublic(wanted));
        if (!changed.equals(each)) {
          owner.save(node, node.with(changed));
        }
        return IqReply.result(
            PubSubXml.pubsub(PubSubXml.subscription(PubSubXml.NAMESPACE, node.name(), changed)));
      }
    }
    return subscribe(node, jid, options.withPublic(wanted));
  }

  private IqReply subscribe(Node before, Jid jid, SubscriptionOptions options) {
    boolean full = !owner.mayHaveMore(before, 1) || owner.isFullySubscribed(from);
    Node.Outcome outcome =
        before.subscribe(owner.requester(before, from), jid, owner.newId(), options, full);
    return switch (outcome) {
      case Node.Outcome.Refused(Refusal refusal) -> Replies.refuse(refusal);
      case Node.Outcome.Done(Node after, Subscription added) -> {
        owner.save(before, after);
        if (added.state() == Subscription.State.PENDING) {
          askOwners(after, added);
        } else {
          notifyOwners(after, added);
          owner.subscribed(after, jid);
          if (!after.config().value(NodeOption.SEND_LAST_PUBLISHED_ITEM).equals("never")
              && options.deliver()) {
            owner.sendLastItem(after, jid);
          }
        }
        yield IqReply.result(
            PubSubXml.pubsub(PubSubXml.subscription(PubSubXml.NAMESPACE, after.name(), added)));
      }
    };
  }

  private void askOwners(Node node, Subscription subscription) {
    Element form = NodeForms.authorization(node, subscription);
    owners(node).forEach(user -> owner.send(user, Message.Type.NORMAL, List.of(form)));
  }

  private void notifyOwners(Node node, Subscription subscription) {
    if (node.config().isOn(NodeOption.NOTIFY_SUB)) {
      Element event = PubSubXml.subscriptionEvent(node, subscription);
      owners(node).forEach(user -> owner.send(user, Message.Type.HEADLINE, List.of(event)));
    }
  }

  /// The owners who are asked and notified, the creator first.
  private static List<Jid> owners(Node node) {
    return node.affiliations().entrySet().stream()
        .filter(each -> each.getValue() == Affiliation.OWNER)
        .map(each -> each.getKey())
        .sorted(Comparator.comparing(user -> !user.equals(node.creator())))
        .limit(NOTIFIED_OWNERS)
        .toList();
  }

  /// Whether subscriptions may end with the presence of their subscribers.
  private boolean mayBeTemporary() {
    return owner.place().allows(NodeOption.TEMPSUB, List.of("1"));
  }

  /// Section 6.2.
  IqReply unsubscribe(Element request) {
    return switch (named(request)) {
      case Named.Refused(IqReply reply) -> reply;
      case Named.Found(Node node, Jid jid) ->
          switch (node.find(from, jid, request.attribute("subid"))) {
            case Node.Outcome.Refused(Refusal refusal) -> Replies.refuse(refusal);
            case Node.Outcome.Done(Node before, Subscription found) -> {
              Subscription ended = found.withState(Subscription.State.NONE);
              owner.save(before, before.with(ended));
              notifyOwners(before, ended);
              yield IqReply.result(
                  PubSubXml.pubsub(
                      PubSubXml.subscription(PubSubXml.NAMESPACE, node.name(), ended)));
            }
          };
    };
  }

  /// Section 6.3: requests or changes the options of a subscription.
  IqReply options(Element request, boolean change) {
    return switch (named(request)) {
      case Named.Refused(IqReply reply) -> reply;
      case Named.Found(Node node, Jid jid) ->
          switch (node.find(from, jid, request.attribute("subid"))) {
            case Node.Outcome.Refused(Refusal refusal) -> Replies.refuse(refusal);
            case Node.Outcome.Done(Node same, Subscription found) ->
                change
                    ? changeOptions(same, found, request)
                    : IqReply.result(
                        PubSubXml.pubsub(
                            PubSubXml.named(PubSubXml.NAMESPACE, "options", node.name())
                                .attribute("jid", jid.toString())
                                .attribute("subid", found.id())
                                .child(
                                    NodeForms.subscribeOptions(
                                        found.options(), same.config().isCollection()))
                                .build()));
          };
    };
  }

  private IqReply changeOptions(Node before, Subscription found, Element request) {
    DataForm form = DataForm.of(request.child(DataForm.X));
    if (form != null && form.type().equals("cancel")) {
      return IqReply.empty();
    }
    SubscriptionOptions options =
        NodeForms.options(form, found.options(), before, mayBeTemporary(), owner.now());
    if (options == null) {
      return Replies.refuse(ErrorCondition.BAD_REQUEST, "invalid-options");
    }
    Node after = before.with(found.withOptions(options));
    owner.save(before, after);
    owner.subscribed(after, found.subscriber());
    return IqReply.empty();
  }

  /// Section 6.4.
  IqReply defaultOptions(Element request) {
    String name = request.attribute("node");
    Node node = name == null ? null : owner.find(name);
    if (name != null && node == null) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    boolean collection = node != null && node.config().isCollection();
    return IqReply.result(
        PubSubXml.pubsub(
            Element.builder(PubSubXml.NAMESPACE, "default")
                .attribute("node", name)
                .child(NodeForms.subscribeOptions(SubscriptionOptions.DEFAULT, collection))
                .build()));
  }
}
