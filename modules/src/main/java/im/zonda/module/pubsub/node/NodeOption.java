package im.zonda.module.pubsub.node;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The options of a node that its owner configures, with the types and labels of the registry of
/// forms (XEP-0060, section 16.4.4).
public enum NodeOption {
  TITLE(Kind.TEXT, "A friendly name for the node"),
  DESCRIPTION(Kind.TEXT, "A description of the node"),
  TYPE(
      Kind.TEXT,
      "The semantic type information of data in the node, usually specified by the namespace of"
          + " the payload (if any)"),
  LANGUAGE(Kind.LANGUAGE, "The default language of the node"),
  CONTACT(Kind.JIDS, "The JIDs of those to contact with questions"),
  ACCESS_MODEL(
      Kind.CHOICE,
      "Who may subscribe and retrieve items",
      "authorize",
      "Subscription requests must be approved and only subscribers may retrieve items",
      "open",
      "Anyone may subscribe and retrieve items",
      "presence",
      "Anyone with a presence subscription of both or from may subscribe and retrieve items",
      "roster",
      "Anyone in the specified roster group(s) may subscribe and retrieve items",
      "whitelist",
      "Only those on a whitelist may subscribe and retrieve items"),
  ROSTER_GROUPS_ALLOWED(Kind.TEXTS, "The roster group(s) allowed to subscribe and retrieve items"),
  PUBLISH_MODEL(
      Kind.CHOICE,
      "The publisher model",
      "publishers",
      "Only publishers may publish",
      "subscribers",
      "Subscribers may publish",
      "open",
      "Anyone may publish"),
  SUBSCRIBE(Kind.BOOL, "Whether to allow subscriptions"),
  PERSIST_ITEMS(Kind.BOOL, "Whether to persist items to storage"),
  MAX_ITEMS(
      Kind.NUMBER_OR_MAX,
      "The maximum number of items to persist. `max` for no specific limit other than a server"
          + " imposed maximum."),
  ITEM_EXPIRE(
      Kind.NUMBER_OR_MAX,
      "Number of seconds after which to automatically purge items. `max` for no specific limit"
          + " other than a server imposed maximum."),
  MAX_PAYLOAD_SIZE(Kind.NUMBER, "The maximum payload size in bytes"),
  PUBLISH_NODE_FULL(
      Kind.CHOICE,
      "Action to be performed by the service when publishing on a full node.",
      "retract-oldest",
      "Retract the oldest item alongside publishing the new item.",
      "discard-oldest",
      "Discard the oldest item alongside publishing the new item.",
      "reject",
      "Reject publication of the new item."),
  DELIVER_NOTIFICATIONS(Kind.BOOL, "Whether to deliver event notifications"),
  DELIVER_PAYLOADS(
      Kind.BOOL,
      "Whether to deliver payloads with event notifications; applies only to leaf nodes"),
  NOTIFICATION_TYPE(
      Kind.CHOICE,
      "Specify the delivery style for notifications",
      "normal",
      "Messages of type normal",
      "headline",
      "Messages of type headline"),
  SEND_LAST_PUBLISHED_ITEM(
      Kind.CHOICE,
      "When to send the last published item",
      "never",
      "Never",
      "on_sub",
      "When a new subscription is processed",
      "on_sub_and_presence",
      "When a new subscription is processed and whenever a subscriber comes online"),
  NOTIFY_CONFIG(Kind.BOOL, "Whether to notify subscribers when the node configuration changes"),
  NOTIFY_DELETE(Kind.BOOL, "Whether to notify subscribers when the node is deleted"),
  NOTIFY_RETRACT(Kind.BOOL, "Whether to notify subscribers when items are removed from the node"),
  NOTIFY_SUB(Kind.BOOL, "Whether to notify owners about new subscribers and unsubscribes"),
  ITEMREPLY(
      Kind.OPTIONAL_CHOICE,
      "Whether owners or publisher should receive replies to items",
      "owner",
      "Statically specify a replyto of the node owner(s)",
      "publisher",
      "Dynamically specify a replyto of the item publisher"),
  BODY_XSLT(
      Kind.TEXT,
      "The URL of an XSL transformation which can be applied to payloads in order to generate an"
          + " appropriate message body element."),
  DATAFORM_XSLT(
      Kind.TEXT,
      "The URL of an XSL transformation which can be applied to the payload format in order to"
          + " generate a valid Data Forms result that the client could display using a generic"
          + " Data Forms rendering engine"),
  NODE_TYPE(
      Kind.CHOICE,
      "Whether the node is a leaf (default) or a collection",
      "leaf",
      "The node is a leaf node (default)",
      "collection",
      "The node is a collection node"),
  PRESENCE_BASED_DELIVERY(Kind.BOOL, "Whether to deliver notifications to available users only"),
  PURGE_OFFLINE(Kind.BOOL, "Whether to purge all items when the relevant publisher goes offline"),
  TEMPSUB(Kind.BOOL, "Whether to make all subscriptions temporary, based on subscriber presence"),
  /// Not part of the configuration: which nodes are in which collections is stored apart.
  COLLECTION(Kind.NODES, "The collections of which this node is a child"),
  /// Not part of the configuration either.
  CHILDREN(Kind.NODES, "The nodes of which this node is a parent"),
  CHILDREN_ASSOCIATION_POLICY(
      Kind.CHOICE,
      "Who may associate nodes with this collection",
      "all",
      "Anyone may associate nodes with this collection",
      "owners",
      "Only the owners of this node may associate other nodes to this collection",
      "whitelist",
      "Only those on the children association whitelist may associate other nodes to this"
          + " collection"),
  CHILDREN_ASSOCIATION_WHITELIST(Kind.JIDS, "JIDs who can associate nodes to this collection"),
  CHILDREN_MAX(Kind.NUMBER_OR_MAX, "The maximum number of children for this collection");

  /// What values an option may have.
  public enum Kind {
    TEXT("text-single"),
    TEXTS("list-multi"),
    LANGUAGE("list-single"),
    JIDS("jid-multi"),
    BOOL("boolean"),
    /// Names of nodes.
    NODES("text-multi"),
    NUMBER("text-single"),
    NUMBER_OR_MAX("text-single"),
    CHOICE("list-single"),
    OPTIONAL_CHOICE("list-single");

    private final String fieldType;

    Kind(String fieldType) {
      this.fieldType = fieldType;
    }
  }

  private final Kind kind;
  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> choices;

  private final String word = name().toLowerCase(Locale.ROOT);

  /// @param choices values and their labels in turn
  NodeOption(Kind kind, String label, String... choices) {
    this.kind = kind;
    this.label = label;
    this.choices = List.of(choices);
  }

  /// What values it may have.
  public Kind kind() {
    return kind;
  }

  /// The name of its field in forms.
  public String field() {
    return "pubsub#" + word;
  }

  /// Whether only collections have it.
  public boolean isOfCollections() {
    return this == CHILDREN
        || this == CHILDREN_ASSOCIATION_POLICY
        || this == CHILDREN_ASSOCIATION_WHITELIST
        || this == CHILDREN_MAX;
  }

  /// The type of its field in forms.
  public String fieldType() {
    return kind.fieldType;
  }

  /// The label of its field in forms.
  public String label() {
    return label;
  }

  /// Its values and their labels in turn; empty if it is no choice.
  public List<String> choices() {
    return choices;
  }

  /// Whether it is a choice that has this value.
  public boolean offers(String value) {
    for (int i = 0; i < choices.size(); i += 2) {
      if (choices.get(i).equals(value)) {
        return true;
      }
    }
    return false;
  }

  /// The option of a field, or null.
  public static @Nullable NodeOption ofField(String field) {
    for (NodeOption each : values()) {
      if (each.field().equals(field)) {
        return each;
      }
    }
    return null;
  }
}
