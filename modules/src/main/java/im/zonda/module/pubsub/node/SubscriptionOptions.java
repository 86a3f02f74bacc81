package im.zonda.module.pubsub.node;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// The options of a subscription (XEP-0060, section 6.3).
///
/// @param deliver whether notifications are sent (`pubsub#deliver`)
/// @param expire when the subscription ends, to the second (`pubsub#expire`); null if it does not
public record SubscriptionOptions(boolean deliver, @Nullable Instant expire) {
  /// Those of a subscription without a form.
  public static final SubscriptionOptions DEFAULT = new SubscriptionOptions(true, null);

  private static final String SILENT = "deliver=0";
  private static final String EXPIRE = "expire=";

  /// Whether the subscription has ended.
  public boolean hasEnded(Instant now) {
    return expire != null && !now.isBefore(expire);
  }

  /// The options that differ from the default, as text: a line for each.
  public String text() {
    String silent = deliver ? "" : SILENT;
    return expire == null
        ? silent
        : silent + (silent.isEmpty() ? "" : "\n") + EXPIRE + expire.getEpochSecond();
  }

  /// Reads what [#text] wrote. Options that this version does not know are ignored.
  public static SubscriptionOptions of(String text) {
    boolean deliver = true;
    Instant expire = null;
    for (String line : text.split("\n", -1)) {
      if (line.equals(SILENT)) {
        deliver = false;
      } else if (line.startsWith(EXPIRE)) {
        expire = Instant.ofEpochSecond(Long.parseLong(line, EXPIRE.length(), line.length(), 10));
      }
    }
    return new SubscriptionOptions(deliver, expire);
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
