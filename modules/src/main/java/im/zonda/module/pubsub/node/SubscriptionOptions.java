package im.zonda.module.pubsub.node;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The options of a subscription (XEP-0060, section 6.3; XEP-0248, section 5.1).
///
/// @param deliver whether notifications are sent (`pubsub#deliver`)
/// @param expire when the subscription ends, to the second (`pubsub#expire`); null if it does not
/// @param temporary whether it ends when the subscriber goes offline (`pubsub#expire` of
///   `presence`)
/// @param type what a subscription to a collection is about (`pubsub#subscription_type`)
/// @param depth how many levels of children it is about (`pubsub#subscription_depth`); [#ALL] for
///   all
/// @param isPublic whether everyone who may retrieve the node's items learns of the subscription
///   (XEP-0465)
public record SubscriptionOptions(
    boolean deliver,
    @Nullable Instant expire,
    boolean temporary,
    Type type,
    int depth,
    boolean isPublic) {
  /// The depth of all levels.
  public static final int ALL = Integer.MAX_VALUE;

  /// Those of a subscription without a form.
  public static final SubscriptionOptions DEFAULT =
      new SubscriptionOptions(true, null, false, Type.NODES, 1, false);

  private static final String SILENT = "deliver=0";
  private static final String EXPIRE = "expire=";
  private static final String TEMPORARY = "expire=presence";
  private static final String TYPE = "type=";
  private static final String DEPTH = "depth=";
  private static final String PUBLIC = "public=1";

  /// What a subscription to a collection is about.
  public enum Type {
    /// What is published to its leaf nodes.
    ITEMS,
    /// What happens to the nodes themselves.
    NODES,
    ALL;

    private final String word = name().toLowerCase(Locale.ROOT);

    /// The word for it in forms.
    public String word() {
      return word;
    }

    /// The type of that word, or null.
    public static @Nullable Type of(@Nullable String word) {
      for (Type each : values()) {
        if (each.word.equals(word)) {
          return each;
        }
      }
      return null;
    }

    /// Whether it is about something that the other type is about too.
    public boolean overlaps(Type other) {
      return this == other || this == ALL || other == ALL;
    }
  }

  /// The same with another `deliver`.
  public SubscriptionOptions withDeliver(boolean other) {
    return new SubscriptionOptions(other, expire, temporary, type, depth, isPublic);
  }

  /// The same with another end.
  public SubscriptionOptions withExpire(@Nullable Instant time) {
    return new SubscriptionOptions(deliver, time, false, type, depth, isPublic);
  }

  /// The same, to end when the subscriber goes offline.
  public SubscriptionOptions untilOffline() {
    return new SubscriptionOptions(deliver, null, true, type, depth, isPublic);
  }

  /// The same with another type.
  public SubscriptionOptions withType(Type other) {
    return new SubscriptionOptions(deliver, expire, temporary, other, depth, isPublic);
  }

  /// The same with another depth.
  public SubscriptionOptions withDepth(int other) {
    return new SubscriptionOptions(deliver, expire, temporary, type, other, isPublic);
  }

  /// The same, public or not.
  public SubscriptionOptions withPublic(boolean other) {
    return new SubscriptionOptions(deliver, expire, temporary, type, depth, other);
  }

  /// Whether the subscription has ended.
  public boolean hasEnded(Instant now) {
    return expire != null && !now.isBefore(expire);
  }

  /// The options that differ from the default, as text: a line for each.
  public String text() {
    StringBuilder text = new StringBuilder();
    add(text, !deliver, SILENT);
    if (expire != null) {
      add(text, true, EXPIRE + expire.getEpochSecond());
    }
    add(text, temporary, TEMPORARY);
    add(text, type != DEFAULT.type, TYPE + type.word);
    add(text, depth != DEFAULT.depth, DEPTH + depth);
    add(text, isPublic, PUBLIC);
    return text.toString();
  }

  private static void add(StringBuilder text, boolean differs, String line) {
    if (differs) {
      text.append(text.isEmpty() ? "" : "\n").append(line);
    }
  }

  /// Reads what [#text] wrote. Options and values that this version does not know are ignored.
  public static SubscriptionOptions of(String text) {
    SubscriptionOptions options = DEFAULT;
    for (String line : text.split("\n", -1)) {
      if (line.equals(SILENT)) {
        options = options.withDeliver(false);
      } else if (line.equals(PUBLIC)) {
        options = options.withPublic(true);
      } else if (line.equals(TEMPORARY)) {
        options = options.untilOffline();
      } else if (line.startsWith(EXPIRE)) {
        Long seconds = number(line.substring(EXPIRE.length()), Instant.MAX.getEpochSecond());
        options = seconds == null ? options : options.withExpire(Instant.ofEpochSecond(seconds));
      } else if (line.startsWith(DEPTH)) {
        Long depth = number(line.substring(DEPTH.length()), ALL);
        options = depth == null ? options : options.withDepth(depth.intValue());
      } else if (line.startsWith(TYPE)) {
        Type type = Type.of(line.substring(TYPE.length()));
        options = type == null ? options : options.withType(type);
      }
    }
    return options;
  }

  private static @Nullable Long number(String text, long most) {
    try {
      long number = Long.parseLong(text);
      return number < 0 || number > most ? null : Long.valueOf(number);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /// Reads a time of a form (XEP-0082); null if it is none.
  public static @Nullable Instant time(String text) {
    try {
      return OffsetDateTime.parse(text.strip()).toInstant().truncatedTo(ChronoUnit.SECONDS);
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
