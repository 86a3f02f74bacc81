package im.zonda.module.pubsub.request;

import im.zonda.module.forms.DataForm;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.NodePlace;
import im.zonda.module.pubsub.node.Refusal;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.node.SubscriptionOptions;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The forms of publish-subscribe (XEP-0060, section 16.4).
final class NodeForms {
  static final String CONFIG = PubSubXml.NAMESPACE + "#node_config";
  static final String PUBLISH_OPTIONS = PubSubXml.NAMESPACE + "#publish-options";
  static final String SUBSCRIBE_OPTIONS = PubSubXml.NAMESPACE + "#subscribe_options";
  static final String AUTHORIZATION = PubSubXml.NAMESPACE + "#subscribe_authorization";
  private static final String METADATA = PubSubXml.NAMESPACE + "#meta-data";
  private static final String DELIVER = "pubsub#deliver";
  private static final String EXPIRE = "pubsub#expire";
  private static final String SUBSCRIPTION_TYPE = "pubsub#subscription_type";
  private static final String SUBSCRIPTION_DEPTH = "pubsub#subscription_depth";
  private static final String PRESENCE = "presence";
  private static final String ALL = "all";
  private static final int DEPTH_DIGITS = 6;

  /// Options of a node that its metadata has too.
  private static final List<NodeOption> PUBLIC =
      List.of(
          NodeOption.TYPE,
          NodeOption.TITLE,
          NodeOption.DESCRIPTION,
          NodeOption.LANGUAGE,
          NodeOption.CONTACT,
          NodeOption.ACCESS_MODEL,
          NodeOption.PUBLISH_MODEL,
          NodeOption.MAX_ITEMS);

  /// Languages that a form offers; a node may have any other.
  private static final List<String> LANGUAGES =
      List.of("ar", "de", "en", "es", "fr", "hi", "it", "ja", "nl", "pl", "pt", "ru", "tr", "zh");

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /// Settings of a node larger than this are rejected, in characters.
  private static final int MAX_SETTINGS = 4_096;

  private NodeForms() {}

  /// What a form has that is not part of the configuration.
  ///
  /// @param groups the groups that the owner may choose from
  /// @param collections the names of the collections that the node is in
  /// @param children the names of the nodes in this collection
  record Surroundings(Collection<String> groups, List<String> collections, List<String> children) {
    /// The same for someone who does not choose.
    Surroundings withoutGroups() {
      return new Surroundings(List.of(), collections, children);
    }
  }

  /// The form to configure a node.
  ///
  /// @param type the type of the form, such as `form`
  static Element config(
      String type, NodeConfig config, NodePlace place, Surroundings surroundings) {
    DataForm.Builder form = DataForm.builder(type, CONFIG);
    for (NodeOption option : NodeOption.values()) {
      if (place.has(option) && (config.isCollection() || !option.isOfCollections())) {
        add(form, option, config, place, surroundings);
      }
    }
    return form.build().toElement();
  }

  private static void add(
      DataForm.Builder form,
      NodeOption option,
      NodeConfig config,
      NodePlace place,
      Surroundings surroundings) {
    List<String> values =
        switch (option) {
          case COLLECTION -> surroundings.collections;
          case CHILDREN -> surroundings.children;
          default -> config.all(option);
        };
    Map<String, String> options = new LinkedHashMap<>();
    switch (option.kind()) {
      case CHOICE, OPTIONAL_CHOICE -> {
        for (int i = 0; i < option.choices().size(); i += 2) {
          if (place.offers(option.choices().get(i))) {
            options.put(option.choices().get(i), option.choices().get(i + 1));
          }
        }
      }
      case TEXTS -> {
        values.forEach(group -> options.put(group, group));
        surroundings.groups.forEach(group -> options.put(group, group));
      }
      case LANGUAGE -> {
        LANGUAGES.forEach(language ->
            options.put(language, Locale.of(language).getDisplayLanguage(Locale.ENGLISH)));
        values.forEach(language -> options.putIfAbsent(language, language));
      }
      case TEXT, NODES, JIDS, BOOL, NUMBER, NUMBER_OR_MAX -> {}
    }
    // A field to choose from nothing is no field.
    if (option.kind() != NodeOption.Kind.TEXTS || !options.isEmpty()) {
      form.field(option.field(), option.fieldType(), option.label(), values, options);
    }
  }

  /// Applies a submitted form.
  ///
  /// @param kind the FORM_TYPE that it must have
  /// @return null if it is not such a form, or has a field or a value that is not known
  static @Nullable NodeConfig apply(
      @Nullable DataForm form, String kind, NodeConfig before, NodePlace place) {
    if (form == null || !form.type().equals("submit") || !kind.equals(form.kind())) {
      return null;
    }
    NodeConfig config = before;
    for (DataForm.Field field : form.fields().values()) {
      if (field.name().equals(DataForm.FORM_TYPE)) {
        continue;
      }
      NodeOption option = NodeOption.ofField(field.name());
      if (option == null || !place.has(option)) {
        return null;
      }
      if (option.kind() == NodeOption.Kind.NODES) {
        continue;
      }
      config = config.with(option, field.values());
      if (config == null || !place.allows(option, config.all(option))) {
        return null;
      }
    }
    return config.differences(before).length() > MAX_SETTINGS ? null : config;
  }

  /// Why a form cannot be applied ([#apply]; sections 8.1.2 and 8.2.5.3).
  static Refusal refuse(@Nullable DataForm form, NodePlace place) {
    if (form != null
        && !place.offers("collection")
        && "collection".equals(value(form, NodeOption.NODE_TYPE))) {
      return Refusal.unsupported("collections");
    }
    String access = form == null ? null : value(form, NodeOption.ACCESS_MODEL);
    boolean offered =
        access == null || (NodeOption.ACCESS_MODEL.offers(access) && place.offers(access));
    return offered
        ? Refusal.of(ErrorCondition.NOT_ACCEPTABLE)
        : Refusal.of(ErrorCondition.NOT_ACCEPTABLE, "unsupported-access-model");
  }

  private static @Nullable String value(DataForm form, NodeOption option) {
    DataForm.Field field = form.field(option.field());
    return field == null ? null : field.value();
  }

  /// Whether a node fulfils the preconditions of a request (section 7.1.5).
  static boolean fulfils(DataForm form, NodeConfig config) {
    for (DataForm.Field field : form.fields().values()) {
      NodeOption option = NodeOption.ofField(field.name());
      if (option != null && !config.has(option, field.values())) {
        return false;
      }
    }
    return true;
  }

  /// Whether a form of preconditions has only fields that are known.
  static boolean isKnown(DataForm form) {
    return PUBLISH_OPTIONS.equals(form.kind())
        && form.fields().keySet().stream()
            .allMatch(
                field -> field.equals(DataForm.FORM_TYPE) || NodeOption.ofField(field) != null);
  }

  /// What everyone who may see a node may know of it (section 5.4).
  static Element metadata(Node node) {
    DataForm.Builder form = DataForm.builder("result", METADATA);
    for (NodeOption option : PUBLIC) {
      if (!node.config().all(option).isEmpty()) {
        form.field(
            option.field(),
            option.fieldType(),
            option.label(),
            node.config().all(option),
            Map.of());
      }
    }
    form.field(
        "pubsub#creator",
        "jid-single",
        "The JID of the node creator",
        List.of(node.creator().toString()),
        Map.of());
    form.text(
        "pubsub#creation_date",
        "The datetime when the node was created",
        STAMP.format(node.created()));
    affiliated(form, node, "pubsub#owner", "owner", Affiliation.OWNER);
    affiliated(form, node, "pubsub#publisher", "publisher", Affiliation.PUBLISHER);
    long subscribers =
        node.subscriptions().values().stream()
            .filter(each -> each.state() == Subscription.State.SUBSCRIBED)
            .count();
    form.text(
        "pubsub#num_subscribers",
        "The number of subscribers to the node",
        Long.toString(subscribers));
    return form.build().toElement();
  }

  private static void affiliated(
      DataForm.Builder form, Node node, String field, String word, Affiliation affiliation) {
    List<String> users =
        node.affiliations().entrySet().stream()
            .filter(each -> each.getValue() == affiliation)
            .map(each -> each.getKey().toString())
            .toList();
    if (!users.isEmpty()) {
      form.field(
          field, "jid-multi", "The JIDs of those with an affiliation of " + word, users, Map.of());
    }
  }

  /// The names of nodes that a form has for an option, without empty ones; null if it has no such
  /// field.
  static @Nullable List<String> names(@Nullable DataForm form, NodeOption option) {
    DataForm.Field field = form == null ? null : form.field(option.field());
    return field == null
        ? null
        : field.values().stream().map(String::strip).filter(name -> !name.isEmpty()).toList();
  }

  /// The form with the options of a subscription (section 6.3).
  ///
  /// @param collection whether it is for a collection
  static Element subscribeOptions(SubscriptionOptions options, boolean collection) {
    Instant expire = options.expire();
    DataForm.Builder form = DataForm.builder("form", SUBSCRIBE_OPTIONS);
    form.bool(
            DELIVER,
            "Whether an entity wants to receive or disable notifications",
            options.deliver())
        .text(
            EXPIRE,
            "The DateTime at which a leased subscription will end or has ended",
            options.temporary() ? PRESENCE : expire == null ? null : STAMP.format(expire));
    if (collection) {
      Map<String, String> types = new LinkedHashMap<>();
      types.put("items", "Receive notification of items only");
      types.put("nodes", "Receive notification of nodes only");
      types.put("all", "Receive notification of items and nodes");
      String depth =
          options.depth() == SubscriptionOptions.ALL ? ALL : Integer.toString(options.depth());
      Map<String, String> depths = new LinkedHashMap<>();
      depths.put(depth, "Receive notification from that many levels");
      depths.put("1", "Receive notification from direct child nodes only");
      depths.put(ALL, "Receive notification from all descendent nodes");
      form.field(
              SUBSCRIPTION_TYPE,
              "list-single",
              "What to be notified of",
              List.of(options.type().word()),
              types)
          .field(
              SUBSCRIPTION_DEPTH,
              "list-single",
              "How far to traverse the node graph for notifications",
              List.of(depth),
              depths);
    }
    return form.build().toElement();
  }

  /// Reads the options of a subscription; null if the form, a field of it, or a value is not known,
  /// or if the subscription would have ended.
  ///
  /// @param node the node of the subscription
  /// @param temporary whether subscriptions may end with the subscriber's presence
  static @Nullable SubscriptionOptions options(
      @Nullable DataForm form,
      SubscriptionOptions before,
      Node node,
      boolean temporary,
      Instant now) {
    if (form == null || !SUBSCRIBE_OPTIONS.equals(form.kind())) {
      return null;
    }
    boolean collection = node.config().isCollection();
    SubscriptionOptions options = before;
    for (DataForm.Field field : form.fields().values()) {
      options =
          switch (field.name()) {
            case DataForm.FORM_TYPE -> options;
            case DELIVER -> deliver(field, options);
            case EXPIRE ->
                temporary && PRESENCE.equals(field.value())
                    ? options.untilOffline()
                    : expire(field, options, now);
            case SUBSCRIPTION_TYPE -> collection ? type(field, options) : null;
            case SUBSCRIPTION_DEPTH -> collection ? depth(field, options) : null;
            default -> null;
          };
      if (options == null) {
        return null;
      }
    }
    return options;
  }

  private static @Nullable SubscriptionOptions deliver(
      DataForm.Field field, SubscriptionOptions before) {
    Boolean deliver = field.bool();
    return deliver == null ? null : before.withDeliver(deliver);
  }

  /// An empty field is a subscription that does not end.
  private static @Nullable SubscriptionOptions expire(
      DataForm.Field field, SubscriptionOptions before, Instant now) {
    String text = field.value();
    if (text == null || text.isBlank()) {
      return before.withExpire(null);
    }
    Instant expire = SubscriptionOptions.time(text);
    return expire == null || !expire.isAfter(now) ? null : before.withExpire(expire);
  }

  private static @Nullable SubscriptionOptions type(
      DataForm.Field field, SubscriptionOptions before) {
    SubscriptionOptions.Type type = SubscriptionOptions.Type.of(field.value());
    return type == null ? null : before.withType(type);
  }

  private static @Nullable SubscriptionOptions depth(
      DataForm.Field field, SubscriptionOptions before) {
    String text = field.value();
    if (ALL.equals(text)) {
      return before.withDepth(SubscriptionOptions.ALL);
    }
    boolean number =
        text != null
            && !text.isEmpty()
            && text.length() <= DEPTH_DIGITS
            && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return number ? before.withDepth(Integer.parseInt(text)) : null;
  }

  /// The request to approve a subscription (section 8.6).
  static Element authorization(Node node, Subscription subscription) {
    return DataForm.builder("form", AUTHORIZATION)
        .title("PubSub subscriber request")
        .instructions(
            "To approve this entity's subscription request, click the OK button. To deny the"
                + " request, click the cancel button.")
        .hidden("pubsub#subid", subscription.id())
        .text("pubsub#node", "Node ID", node.name())
        .field(
            "pubsub#subscriber_jid",
            "jid-single",
            "Subscriber Address",
            List.of(subscription.subscriber().toString()),
            Map.of())
        .bool("pubsub#allow", "Allow this JID to subscribe to this pubsub node?", false)
        .build()
        .toElement();
  }
}
