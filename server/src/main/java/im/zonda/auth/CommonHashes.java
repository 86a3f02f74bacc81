package im.zonda.auth;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.KeyValueStore;
import im.zonda.store.ScramKeys;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The hashes of which all accounts of a host have keys, as far as that is known: accounts that
/// have moved here from another server have keys for one hash only. A client chooses its mechanism
/// before the server knows the account, and counts a failure as a wrong password, so no other
/// hashes are offered. Calls block.
///
/// @param values the store named [#STORE]
public record CommonHashes(KeyValueStore values) {
  /// The name of the store.
  public static final String STORE = "hashes";

  private static final String KEY = "common";
  private static final String NONE = "none";

  /// With more accounts it is not checked whether all of them have other keys by now.
  private static final int CHECKED = 10_000;

  private static final int PAGE = 500;

  /// The hashes that the accounts of a host have in common.
  public Set<String> of(Jid host) {
    byte[] stored = values.get(host, KEY);
    if (stored == null) {
      return Set.copyOf(Passwords.HASHES);
    }
    Set<String> hashes = new LinkedHashSet<>(Passwords.HASHES);
    hashes.retainAll(List.of(new String(stored, StandardCharsets.US_ASCII).split(" ", -1)));
    return Set.copyOf(hashes);
  }

  /// Records that accounts of a host have keys for these hashes only.
  public void restrict(Jid host, Set<String> hashes) {
    Set<String> common = new LinkedHashSet<>(Passwords.HASHES);
    common.retainAll(of(host));
    common.retainAll(hashes);
    set(host, common);
  }

  private void set(Jid host, Set<String> common) {
    if (common.size() == Passwords.HASHES.size()) {
      values.remove(host, KEY);
    } else {
      String text = common.isEmpty() ? NONE : String.join(" ", common);
      values.put(host, KEY, text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /// The hashes again, after it was checked which the accounts have by now: a new password, or a
  /// login by a client that can (XEP-0480), has added keys. Reads the accounts of a host with few
  /// accounts whose hashes are restricted; otherwise as [#of].
  public Set<String> update(Jid host, AccountStore accounts) {
    Set<String> before = of(host);
    if (before.size() == Passwords.HASHES.size() || accounts.count(host.domain()) > CHECKED) {
      return before;
    }
    Set<String> common = new LinkedHashSet<>(Passwords.HASHES);
    Jid last = null;
    while (true) {
      List<Jid> page = accounts.list(host.domain(), last, PAGE);
      for (Jid jid : page) {
        last = jid;
        Account account = accounts.find(jid);
        if (account != null) {
          Set<String> own = new HashSet<>();
          for (ScramKeys keys : account.keys()) {
            own.add(keys.hash());
          }
          common.retainAll(own);
        }
      }
      if (page.size() < PAGE) {
        break;
      }
    }
    if (!common.equals(before)) {
      set(host, common);
    }
    return Set.copyOf(common);
  }
}
