package im.zonda.auth;

import im.zonda.account.DisabledAccounts;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Remembers the disabled accounts in a key-value store, so that it is removed with the account.
///
/// @param values the store named [#STORE]
public record StoredDisabling(KeyValueStore values, InstantSource clock)
    implements DisabledAccounts {
  /// The name of the store.
  public static final String STORE = "disabled";

  private static final String KEY = "disabled";

  /// Another value each time that the account is disabled.
  private static final String TIMES = "times";

  private static final byte[] ANY = new byte[0];

  @Override
  public @Nullable Disabling find(Jid account) {
    byte[] stored = values.get(account, KEY);
    Disabling disabling = stored == null ? null : read(stored);
    return disabling != null && disabling.holds(clock.instant()) ? disabling : null;
  }

  /// Two lines of milliseconds since 1970, which may be empty, and the reason. Values of former
  /// versions are one byte.
  private static Disabling read(byte[] stored) {
    String[] parts = new String(stored, StandardCharsets.UTF_8).split("\n", 3);
    return parts.length < 3
        ? new Disabling(null, null, null)
        : new Disabling(time(parts[0]), time(parts[1]), parts[2].isEmpty() ? null : parts[2]);
  }

  private static @Nullable Instant time(String millis) {
    try {
      return millis.isEmpty() ? null : Instant.ofEpochMilli(Long.parseLong(millis));
    } catch (NumberFormatException e) {
      return null; // a damaged time is unknown: the account stays disabled
    }
  }

  private static String text(@Nullable Instant time) {
    return time == null ? "" : Long.toString(time.toEpochMilli());
  }

  @Override
  public void disable(Jid account, Disabling disabling) {
    long times = timesDisabled(account) + 1;
    values.put(account, TIMES, ByteBuffer.allocate(Long.BYTES).putLong(times).array());
    String reason = disabling.reason() == null ? "" : disabling.reason();
    String text = text(disabling.since()) + "\n" + text(disabling.until()) + "\n" + reason;
    values.put(account, KEY, text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void enable(Jid account) {
    values.remove(account, KEY);
  }

  /// How often the account has been disabled: what began before the last time has ended with it,
  /// also once the account is enabled again.
  public long timesDisabled(Jid account) {
    byte[] times = values.get(account, TIMES);
    return times == null || times.length != Long.BYTES ? 0 : ByteBuffer.wrap(times).getLong();
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    Instant now = clock.instant();
    List<Jid> disabled = new ArrayList<>();
    Jid last = after;
    while (disabled.size() < limit) {
      Map<Jid, byte[]> some = values.find(domain, KEY, ANY, last, limit);
      for (Map.Entry<Jid, byte[]> each : some.entrySet()) {
        if (disabled.size() < limit && read(each.getValue()).holds(now)) {
          disabled.add(each.getKey());
        }
        last = each.getKey();
      }
      if (some.size() < limit) {
        break;
      }
    }
    return disabled;
  }
}
