package im.zonda.auth;

import im.zonda.account.DisabledAccounts;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Remembers the disabled accounts in a key-value store, so that it is removed with the account.
///
/// @param values the store named [#STORE]
public record StoredDisabling(KeyValueStore values) implements DisabledAccounts {
  /// The name of the store.
  public static final String STORE = "disabled";

  private static final String KEY = "disabled";
  private static final byte[] ANY = new byte[0];

  @Override
  public boolean isDisabled(Jid account) {
    return values.get(account, KEY) != null;
  }

  @Override
  public void set(Jid account, boolean disabled) {
    if (disabled) {
      values.put(account, KEY, new byte[] {1});
    } else {
      values.remove(account, KEY);
    }
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    return List.copyOf(values.find(domain, KEY, ANY, after, limit).keySet());
  }
}
