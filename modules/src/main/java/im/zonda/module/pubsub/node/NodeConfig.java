package im.zonda.module.pubsub.node;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The configuration of a node (XEP-0060, section 8.2). Immutable. It has a value for each option
/// in its normal form; an option may be empty.
public record NodeConfig(Map<NodeOption, List<String>> values) {
  /// The value for no other limit than that of the server.
  public static final String MAX = "max";

  private static final int MAX_DIGITS = 9;

  /// Copies the values.
  public NodeConfig {
    EnumMap<NodeOption, List<String>> copy = new EnumMap<>(NodeOption.class);
    values.forEach((option, value) -> copy.put(option, List.copyOf(value)));
    values = Collections.unmodifiableMap(copy);
  }

  /// The default of nodes at an account (XEP-0163, section 5).
  public static NodeConfig ofAccounts() {
    EnumMap<NodeOption, List<String>> values = new EnumMap<>(NodeOption.class);
    for (NodeOption option : NodeOption.values()) {
      values.put(option, List.of());
    }
    values.put(NodeOption.ACCESS_MODEL, List.of("presence"));
    values.put(NodeOption.PUBLISH_MODEL, List.of("publishers"));
    values.put(NodeOption.MAX_ITEMS, List.of("1"));
    values.put(NodeOption.ITEM_EXPIRE, List.of(MAX));
    values.put(NodeOption.PUBLISH_NODE_FULL, List.of("retract-oldest"));
    values.put(NodeOption.NOTIFICATION_TYPE, List.of("headline"));
    values.put(NodeOption.SEND_LAST_PUBLISHED_ITEM, List.of("on_sub_and_presence"));
    values.put(NodeOption.NODE_TYPE, List.of("leaf"));
    for (NodeOption on :
        List.of(
            NodeOption.SUBSCRIBE,
            NodeOption.PERSIST_ITEMS,
            NodeOption.DELIVER_NOTIFICATIONS,
            NodeOption.DELIVER_PAYLOADS,
            NodeOption.NOTIFY_DELETE,
            NodeOption.NOTIFY_RETRACT,
            NodeOption.PRESENCE_BASED_DELIVERY)) {
      values.put(on, List.of("1"));
    }
    for (NodeOption off :
        List.of(
            NodeOption.NOTIFY_CONFIG,
            NodeOption.NOTIFY_SUB,
            NodeOption.PURGE_OFFLINE,
            NodeOption.TEMPSUB)) {
      values.put(off, List.of("0"));
    }
    values.put(NodeOption.CHILDREN_ASSOCIATION_POLICY, List.of("owners"));
    values.put(NodeOption.CHILDREN_MAX, List.of(MAX));
    return new NodeConfig(values);
  }

  /// The default of nodes at a service.
  public static NodeConfig ofServices() {
    EnumMap<NodeOption, List<String>> values = new EnumMap<>(NodeOption.class);
    values.putAll(ofAccounts().values);
    values.put(NodeOption.ACCESS_MODEL, List.of("open"));
    values.put(NodeOption.MAX_ITEMS, List.of("20"));
    values.put(NodeOption.SEND_LAST_PUBLISHED_ITEM, List.of("on_sub"));
    values.put(NodeOption.PRESENCE_BASED_DELIVERY, List.of("0"));
    return new NodeConfig(values);
  }

  /// The values of an option.
  public List<String> all(NodeOption option) {
    return values.getOrDefault(option, List.of());
  }

  /// The only value of an option; empty if it has none.
  public String value(NodeOption option) {
    List<String> all = all(option);
    return all.isEmpty() ? "" : all.getFirst();
  }

  /// Whether the node is a collection (XEP-0248).
  public boolean isCollection() {
    return value(NodeOption.NODE_TYPE).equals("collection");
  }

  /// Whether an option is on.
  public boolean isOn(NodeOption option) {
    return value(option).equals("1");
  }

  /// The number that an option has, at most `most`; `most` if it has none.
  public int number(NodeOption option, int most) {
    String value = value(option);
    return value.isEmpty() || value.equals(MAX) ? most : Math.min(most, Integer.parseInt(value));
  }

  /// This configuration with other values of an option; null if they are not allowed.
  ///
  /// @param submitted as in a form; several forms of a boolean are allowed
  public @Nullable NodeConfig with(NodeOption option, List<String> submitted) {
    List<String> normal = normal(option, submitted);
    if (normal == null) {
      return null;
    }
    EnumMap<NodeOption, List<String>> changed = new EnumMap<>(NodeOption.class);
    changed.putAll(values);
    changed.put(option, normal);
    return new NodeConfig(changed);
  }

  /// Whether an option has these values, as a precondition of a request requires.
  public boolean has(NodeOption option, List<String> submitted) {
    List<String> normal = normal(option, submitted);
    return normal != null && normal.equals(all(option));
  }

  private static @Nullable List<String> normal(NodeOption option, List<String> submitted) {
    return switch (option.kind()) {
      case TEXTS, NODES -> List.copyOf(submitted);
      case JIDS -> addresses(submitted);
      case TEXT, LANGUAGE ->
          submitted.size() > 1 || isEmpty(submitted) ? none(submitted) : submitted;
      case BOOL ->
          switch (only(submitted)) {
            case "1", "true" -> List.of("1");
            case "0", "false" -> List.of("0");
            default -> null;
          };
      case NUMBER -> isEmpty(submitted) ? List.of() : number(only(submitted));
      case NUMBER_OR_MAX -> only(submitted).equals(MAX) ? List.of(MAX) : number(only(submitted));
      case CHOICE -> option.offers(only(submitted)) ? List.of(only(submitted)) : null;
      case OPTIONAL_CHOICE ->
          isEmpty(submitted)
              ? List.of()
              : option.offers(only(submitted)) ? List.of(only(submitted)) : null;
    };
  }

  private static boolean isEmpty(List<String> submitted) {
    return submitted.isEmpty() || (submitted.size() == 1 && submitted.getFirst().isEmpty());
  }

  private static @Nullable List<String> none(List<String> submitted) {
    return submitted.size() > 1 ? null : List.of();
  }

  private static String only(List<String> submitted) {
    return submitted.size() == 1 ? submitted.getFirst().strip() : "";
  }

  private static @Nullable List<String> number(String text) {
    boolean digits =
        !text.isEmpty()
            && text.length() <= MAX_DIGITS
            && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits && Integer.parseInt(text) > 0
        ? List.of(Integer.toString(Integer.parseInt(text)))
        : null;
  }

  private static @Nullable List<String> addresses(List<String> submitted) {
    List<String> addresses = new ArrayList<>();
    for (String address : submitted) {
      try {
        addresses.add(Jid.of(address.strip()).toString());
      } catch (JidFormatException e) {
        return null;
      }
    }
    return List.copyOf(addresses);
  }

  /// The options that differ from `defaults`, as text: a line for each value.
  public String differences(NodeConfig defaults) {
    StringBuilder text = new StringBuilder();
    values.forEach((option, value) -> {
      if (!value.equals(defaults.all(option))) {
        if (value.isEmpty()) {
          text.append(option.field()).append('\n');
        }
        for (String each : value) {
          text.append(option.field()).append('=').append(escaped(each)).append('\n');
        }
      }
    });
    return text.toString();
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescaped(String text) {
    StringBuilder value = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        value.append(
            switch (text.charAt(i)) {
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> text.charAt(i);
            });
      } else {
        value.append(c);
      }
    }
    return value.toString();
  }

  /// Reads what [#differences] wrote. Options that this version does not know, and values that it
  /// does not allow, are ignored.
  public static NodeConfig of(String differences, NodeConfig defaults) {
    EnumMap<NodeOption, List<String>> values = new EnumMap<>(NodeOption.class);
    for (String line : differences.split("\n", -1)) {
      int equals = line.indexOf('=');
      NodeOption option = NodeOption.ofField(equals < 0 ? line : line.substring(0, equals));
      if (option != null) {
        List<String> all = values.computeIfAbsent(option, missing -> new ArrayList<>());
        if (equals >= 0) {
          all.add(unescaped(line.substring(equals + 1)));
        }
      }
    }
    EnumMap<NodeOption, List<String>> merged = new EnumMap<>(NodeOption.class);
    merged.putAll(defaults.values);
    values.forEach((option, all) -> {
      List<String> normal = normal(option, all);
      if (normal != null) {
        merged.put(option, normal);
      }
    });
    return new NodeConfig(merged);
  }
}
