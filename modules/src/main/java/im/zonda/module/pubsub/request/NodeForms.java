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

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /// Settings of a node larger than this are rejected, in characters.
  private static final int MAX_SETTINGS = 4_096;

  private NodeForms() {}

  /// The form to configure a node.
  ///
  /// @param type the type of the form, such as `form`
  /// @param groups the groups that the owner may choose from
  static Element config(
      String type, NodeConfig config, NodePlace place, Collection<String> groups) {
    DataForm.Builder form = DataForm.builder(type, CONFIG);
    for (NodeOption option : NodeOption.values()) {
      if (place.has(option)) {
        add(form, option, config, place, groups);
      }
    }
    return form.build().toElement();
  }

  private static void add(
      DataForm.Builder form,
      NodeOption option,
      NodeConfig config,
      NodePlace place,
      Collection<String> groups) {
    List<String> values = config.all(option);
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
        groups.forEach(group -> options.put(group, group));
      }
      case LANGUAGE -> values.forEach(language -> options.put(language, language));
      case TEXT, JIDS, BOOL, FIXED_BOOL, NUMBER, NUMBER_OR_MAX -> {}
    }
    form.field(option.field(), option.fieldType(), option.label(), values, options);
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
      if (option == null) {
        return null;
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
    if (form != null && "collection".equals(value(form, NodeOption.NODE_TYPE))) {
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

  /// The form with the options of a subscription (section 6.3).
  static Element subscribeOptions(SubscriptionOptions options) {
    Instant expire = options.expire();
    return DataForm.builder("form", SUBSCRIBE_OPTIONS)
        .bool(
            DELIVER,
            "Whether an entity wants to receive or disable notifications",
            options.deliver())
        .text(
            EXPIRE,
            "The DateTime at which a leased subscription will end or has ended",
            expire == null ? null : STAMP.format(expire))
        .build()
        .toElement();
  }

  /// Reads the options of a subscription; null if the form, a field of it, or a value is not known,
  /// or if the subscription would have ended.
  static @Nullable SubscriptionOptions options(
      @Nullable DataForm form, SubscriptionOptions before, Instant now) {
    if (form == null || !SUBSCRIBE_OPTIONS.equals(form.kind())) {
      return null;
    }
    SubscriptionOptions options = before;
    for (DataForm.Field field : form.fields().values()) {
      options =
          switch (field.name()) {
            case DataForm.FORM_TYPE -> options;
            case DELIVER -> deliver(field, options);
            case EXPIRE -> expire(field, options, now);
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
    return deliver == null ? null : new SubscriptionOptions(deliver, before.expire());
  }

  /// An empty field is a subscription that does not end.
  private static @Nullable SubscriptionOptions expire(
      DataForm.Field field, SubscriptionOptions before, Instant now) {
    String text = field.value();
    if (text == null || text.isBlank()) {
      return new SubscriptionOptions(before.deliver(), null);
    }
    Instant expire = SubscriptionOptions.time(text);
    return expire == null || !expire.isAfter(now)
        ? null
        : new SubscriptionOptions(before.deliver(), expire);
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
