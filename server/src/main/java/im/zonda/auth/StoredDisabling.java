package im.zonda.auth;

import im.zonda.account.DisabledAccounts;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Remembers the disabled accounts in a key-value store, so that it is removed with the account.
///
/// @param values the store named [#STORE]
public record StoredDisabling(KeyValueStore values) implements DisabledAccounts {
  /// The name of the store.
  public static final String STORE = "disabled";

  private static final String KEY = "disabled";

  /// Another value each time that the account is disabled.
  private static final String TIMES = "times";

  private static final byte[] ANY = new byte[0];

  @Override
  public boolean isDisabled(Jid account) {
    return values.get(account, KEY) != null;
  }

  @Override
  public void set(Jid account, boolean disabled) {
    if (disabled) {
      long times = timesDisabled(account) + 1;
      values.put(account, TIMES, ByteBuffer.allocate(Long.BYTES).putLong(times).array());
      values.put(account, KEY, new byte[] {1});
    } else {
      values.remove(account, KEY);
    }
  }

  /// How often the account has been disabled: what began before the last time has ended with it,
  /// also once the account is enabled again.
  public long timesDisabled(Jid account) {
    byte[] times = values.get(account, TIMES);
    return times == null || times.length != Long.BYTES ? 0 : ByteBuffer.wrap(times).getLong();
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    return List.copyOf(values.find(domain, KEY, ANY, after, limit).keySet());
  }
}
