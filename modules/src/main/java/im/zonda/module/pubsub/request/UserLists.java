package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.NodeOwner.Owned;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.module.rsm.ResultSetException;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.PubSubStore.AffiliatedNode;
import im.zonda.store.PubSubStore.SubscriptionPlace;
import im.zonda.xml.Element;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The subscriptions and affiliations that a user has (XEP-0060, sections 5.6 and 5.7), in pages
/// (XEP-0059) in the order of the names of the nodes. An answer that has not all says so by its
/// `<set/>`, also if the request has none. Pages are read forwards only.
final class UserLists {
  /// Entries of an answer.
  static final int PAGE = 500;

  private final NodeOwner owner;
  private final Jid user;
  private final @Nullable Element set;

  /// @param user a bare address
  /// @param set the element that asks for a page, or null
  UserLists(NodeOwner owner, Jid user, @Nullable Element set) {
    this.owner = owner;
    this.user = user;
    this.set = set;
  }

  /// Section 5.6.
  IqReply subscriptions(Element request) {
    String name = request.attribute("node");
    Element.Builder all =
        Element.builder(PubSubXml.NAMESPACE, "subscriptions").attribute("node", name);
    if (name != null) {
      Node node = owner.find(name);
      if (node == null) {
        return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
      }
      node.subscriptionsOf(user).forEach(each -> all.child(xml(name, each)));
      return IqReply.result(PubSubXml.pubsub(all.build()));
    }
    ResultSetRequest page;
    try {
      page = ResultSetRequest.of(set, PAGE).forwards();
    } catch (ResultSetException e) {
      return e.reply();
    }
    SubscriptionPlace after = place(page.after());
    if (after == null && page.after() != null) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    List<Owned> found = owner.subscriptions(user, after, page.max() + 1);
    List<Owned> taken = found.subList(0, Math.min(found.size(), page.max()));
    for (Owned each : taken) {
      if (!each.subscription().options().hasEnded(owner.now())) {
        all.child(xml(each.node(), each.subscription()));
      }
    }
    boolean cut = found.size() > taken.size();
    return answer(
        all.build(),
        cut,
        taken.isEmpty() ? null : text(taken.getFirst()),
        taken.isEmpty() ? null : text(taken.getLast()),
        set == null && !cut ? 0 : owner.countSubscriptions(user));
  }

  private static Element xml(String node, Subscription subscription) {
    return PubSubXml.subscription(PubSubXml.NAMESPACE, node, subscription);
  }

  /// The place of a subscription as clients see it; identifiers have no space.
  private static String text(Owned owned) {
    return owned.subscription().id() + " " + owned.node();
  }

  /// Reads what [#text] wrote; null if it is not that.
  private static @Nullable SubscriptionPlace place(@Nullable String text) {
    int space = text == null ? -1 : text.indexOf(' ');
    return text == null || space < 0
        ? null
        : new SubscriptionPlace(text.substring(space + 1), text.substring(0, space));
  }

  /// Section 5.7.
  IqReply affiliations(Element request) {
    String name = request.attribute("node");
    Element.Builder all =
        Element.builder(PubSubXml.NAMESPACE, "affiliations").attribute("node", name);
    if (name != null) {
      Node node = owner.find(name);
      if (node == null) {
        return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
      }
      Affiliation affiliation = node.affiliation(user);
      if (affiliation != Affiliation.NONE) {
        all.child(xml(new AffiliatedNode(name, affiliation.word())));
      }
      return IqReply.result(PubSubXml.pubsub(all.build()));
    }
    ResultSetRequest page;
    try {
      page = ResultSetRequest.of(set, PAGE).forwards();
    } catch (ResultSetException e) {
      return e.reply();
    }
    List<AffiliatedNode> found = owner.affiliations(user, page.after(), page.max() + 1);
    List<AffiliatedNode> taken = found.subList(0, Math.min(found.size(), page.max()));
    taken.forEach(each -> all.child(xml(each)));
    boolean cut = found.size() > taken.size();
    return answer(
        all.build(),
        cut,
        taken.isEmpty() ? null : taken.getFirst().node(),
        taken.isEmpty() ? null : taken.getLast().node(),
        set == null && !cut ? 0 : owner.countAffiliations(user));
  }

  private static Element xml(AffiliatedNode each) {
    return PubSubXml.named(PubSubXml.NAMESPACE, "affiliation", each.node())
        .attribute("affiliation", each.affiliation())
        .build();
  }

  private IqReply answer(
      Element list, boolean cut, @Nullable String first, @Nullable String last, int count) {
    Element.Builder pubsub = Element.builder(PubSubXml.PUBSUB).child(list);
    if (set != null || cut) {
      pubsub.child(ResultSetRequest.resultWithCount(first, last, count));
    }
    return IqReply.result(pubsub.build());
  }
}
