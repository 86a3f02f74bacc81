package im.zonda.plugins.generator;

import im.zonda.jid.Jid;
import im.zonda.plugin.NewAccount;
import im.zonda.plugin.PluginAccounts;
import im.zonda.plugin.PluginStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Accounts and the values of a plugin in memory, which fail when the test says so.
final class TestAccounts implements PluginAccounts, PluginStore {
  /// The accounts; those that are none of the plugin have no values.
  final Map<Jid, NewAccount> accounts = new HashMap<>();

  private final Map<Jid, Map<String, byte[]>> values = new HashMap<>();

  /// After how many changes of accounts the process ends.
  int endsAfter = Integer.MAX_VALUE;

  /// Whether the last change was made before it ended.
  boolean lastIsMade = true;

  /// Addresses with which no account can be created.
  final Set<Jid> reserved = new HashSet<>();

  /// Runs before each change of accounts.
  Runnable beforeChange = () -> {};

  /// The end of the process.
  static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  void addPerson(Jid address) {
    accounts.put(address, new NewAccount(address, "own", List.of(), null, Map.of()));
  }

  private void change(Runnable change) {
    beforeChange.run();
    endsAfter--;
    if (endsAfter > 0 || (endsAfter == 0 && lastIsMade)) {
      change.run();
    }
    if (endsAfter <= 0) {
      throw new Ended();
    }
  }

  @Override
  public boolean exists(Jid account) {
    return accounts.containsKey(account);
  }

  @Override
  public List<Jid> existing(List<Jid> addresses) {
    if (addresses.size() > MOST_AT_ONCE) {
      throw new IllegalArgumentException("too many: " + addresses.size());
    }
    return addresses.stream().filter(accounts::containsKey).toList();
  }

  @Override
  public long count(String host) {
    return accounts.size();
  }

  @Override
  public List<Jid> create(List<NewAccount> wanted) {
    if (wanted.size() > MOST_AT_ONCE) {
      throw new IllegalArgumentException("too many: " + wanted.size());
    }
    List<Jid> created = new ArrayList<>();
    change(() ->
        wanted.forEach(each -> {
          if (!reserved.contains(each.account())
              && accounts.putIfAbsent(each.account(), each) == null) {
            created.add(each.account());
            each.values().forEach((key, value) -> put(each.account(), key, value));
          }
        }));
    return created;
  }

  @Override
  public List<Jid> remove(List<Jid> addresses, Set<Jid> next) {
    List<Jid> removed = new ArrayList<>();
    change(() ->
        addresses.forEach(each -> {
          if (accounts.remove(each) != null) {
            removed.add(each);
            values.remove(each);
          }
        }));
    return removed;
  }

  @Override
  public byte @Nullable [] get(Jid owner, String key) {
    return all(owner).get(key);
  }

  @Override
  public Map<String, byte[]> all(Jid owner) {
    return values.getOrDefault(owner, Map.of());
  }

  @Override
  public void put(Jid owner, String key, byte[] value) {
    values.computeIfAbsent(owner, _ -> new HashMap<>()).put(key, value);
  }

  @Override
  public boolean remove(Jid owner, String key) {
    Map<String, byte[]> own = values.get(owner);
    return own != null && own.remove(key) != null;
  }
}
