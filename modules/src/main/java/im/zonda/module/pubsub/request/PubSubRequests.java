package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.pubsub.node.SubscriptionLists;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answers requests of publish-subscribe. Confined to the home of the nodes; may block.
public final class PubSubRequests {
  /// The features that nodes of accounts and of services have in common (XEP-0060, section 10).
  public static final List<String> FEATURES =
      List.of(
          "access-authorize",
          "access-open",
          "access-presence",
          "access-roster",
          "access-whitelist",
          "auto-create",
          "config-node",
          "config-node-max",
          "create-and-configure",
          "create-nodes",
          "delete-items",
          "delete-nodes",
          "instant-nodes",
          "item-ids",
          "leased-subscription",
          "manage-subscriptions",
          "member-affiliation",
          "meta-data",
          "modify-affiliations",
          "multi-items",
          "multi-subscribe",
          "outcast-affiliation",
          "persistent-items",
          "publish",
          "publish-node-full",
          "publish-only-affiliation",
          "publish-options",
          "publisher-affiliation",
          "purge-nodes",
          "retract-items",
          "retrieve-affiliations",
          "retrieve-default",
          "retrieve-default-sub",
          "retrieve-items",
          "retrieve-subscriptions",
          "rsm",
          "subscribe",
          "subscription-notifications",
          "subscription-options");

  /// Begins the identifiers of notifications.
  public static final String NOTIFICATION = "pubsub-";

  private PubSubRequests() {}

  /// Whether a message with that identifier is a notification, so that an error is the answer to
  /// it.
  public static boolean isNotification(@Nullable String id) {
    return id != null && id.startsWith(NOTIFICATION);
  }

  /// Answers a request in the namespace of publish-subscribe, or in that of owners.
  public static IqReply answer(Iq iq, Element pubsub, NodeOwner owner) {
    Jid from = iq.from();
    Element request = first(pubsub);
    if (from == null || request == null) {
      return Replies.refuse(ErrorCondition.BAD_REQUEST);
    }
    boolean set = iq.type() == Iq.Type.SET;
    if (set
        && SubscriptionLists.isReserved(request.attribute("node"))
        && !isOfSubscriber(request)) {
      return Replies.refuse(ErrorCondition.FORBIDDEN); // XEP-0465, section 5
    }
    if (set && owner.isExhausted(from)) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT,
          "Your requests have caused too many notifications; try again later");
    }
    owner.causedBy(from);
    if (pubsub.name().equals(PubSubXml.PUBSUB_OWNER)) {
      return set
          ? changeOfOwner(request, new OwnerRequests(owner, from), new Associations(owner, from))
          : queryOfOwner(
              request, pubsub.child(ResultSetRequest.SET), new OwnerRequests(owner, from));
    }
    return set ? change(request, pubsub, owner, from) : query(request, pubsub, owner, from);
  }

  /// The name of the node that a request is for; null if it names none.
  public static @Nullable String nodeOf(Element pubsub) {
    Element request = first(pubsub);
    String node = request == null ? null : request.attribute("node");
    return node == null || node.isEmpty() ? null : node;
  }

  /// The name of the node that an answer of an owner is for ([#isAuthorization]); null if it names
  /// none.
  public static @Nullable String nodeOfAuthorization(Element form) {
    DataForm read = DataForm.of(form);
    DataForm.Field node = read == null ? null : read.field("pubsub#node");
    String name = node == null ? null : node.value();
    return name == null || name.isEmpty() ? null : name;
  }

  private static boolean isOfSubscriber(Element request) {
    return switch (request.name().name()) {
      case "subscribe", "unsubscribe", "options", "subscriptions" -> true;
      default -> false;
    };
  }

  /// The element that says what is requested, before its options.
  private static @Nullable Element first(Element pubsub) {
    for (Element child : pubsub.children()) {
      boolean known = child.name().namespace().equals(pubsub.name().namespace());
      if (known && !isAddition(child.name().name(), pubsub)) {
        return child;
      }
    }
    return null;
  }

  /// Whether an element has the options of another one in the request.
  private static boolean isAddition(String name, Element pubsub) {
    return pubsub.name().equals(PubSubXml.PUBSUB)
        && switch (name) {
          case "configure", "publish-options" -> true;
          case "options" -> pubsub.child("subscribe") != null;
          default -> false;
        };
  }

  private static IqReply change(Element request, Element pubsub, NodeOwner owner, Jid from) {
    return switch (request.name().name()) {
      case "create" -> new OwnerRequests(owner, from).create(request, pubsub.child("configure"));
      case "publish" ->
          new PublisherRequests(owner, from).publish(request, pubsub.child("publish-options"));
      case "retract" -> new PublisherRequests(owner, from).retract(request);
      case "subscribe" ->
          new SubscriberRequests(owner, from).subscribe(request, pubsub.child("options"));
      case "unsubscribe" -> new SubscriberRequests(owner, from).unsubscribe(request);
      case "options" -> new SubscriberRequests(owner, from).options(request, true);
      default -> Replies.refuse(ErrorCondition.BAD_REQUEST);
    };
  }

  private static IqReply query(Element request, Element pubsub, NodeOwner owner, Jid from) {
    return switch (request.name().name()) {
      case "items" -> new ItemRequests(owner, from).items(request, pubsub);
      case "options" -> new SubscriberRequests(owner, from).options(request, false);
      case "default" -> new SubscriberRequests(owner, from).defaultOptions(request);
      case "subscriptions" ->
          new UserLists(owner, from.bare(), pubsub.child(ResultSetRequest.SET))
              .subscriptions(request);
      case "affiliations" ->
          new UserLists(owner, from.bare(), pubsub.child(ResultSetRequest.SET))
              .affiliations(request);
      default -> Replies.refuse(ErrorCondition.BAD_REQUEST);
    };
  }

  private static IqReply changeOfOwner(
      Element request, OwnerRequests requests, Associations associations) {
    return switch (request.name().name()) {
      case "collection" -> associations.answer(request);
      case "configure" -> requests.configure(request);
      case "delete" -> requests.delete(request);
      case "purge" -> requests.purge(request);
      case "subscriptions" -> requests.changeSubscriptions(request);
      case "affiliations" -> requests.changeAffiliations(request);
      default -> Replies.refuse(ErrorCondition.BAD_REQUEST);
    };
  }

  private static IqReply queryOfOwner(
      Element request, @Nullable Element set, OwnerRequests requests) {
    return switch (request.name().name()) {
      case "configure" -> requests.configuration(request);
      case "default" -> requests.defaults("collection".equals(request.attribute("type")));
      case "subscriptions" -> requests.subscriptions(request, set);
      case "affiliations" -> requests.affiliations(request, set);
      default -> Replies.refuse(ErrorCondition.BAD_REQUEST);
    };
  }

  /// Whether a message is the answer of an owner to a request for a subscription.
  public static boolean isAuthorization(@Nullable Element form) {
    DataForm read = DataForm.of(form);
    return read != null
        && !read.type().equals("form")
        && NodeForms.AUTHORIZATION.equals(read.kind());
  }

  /// Handles such an answer (XEP-0060, section 8.6).
  public static void authorize(Jid from, Element form, NodeOwner owner) {
    DataForm read = DataForm.of(form);
    if (read != null && read.type().equals("submit")) {
      new OwnerRequests(owner, from).authorize(read);
    }
  }
}
