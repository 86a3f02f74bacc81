package im.zonda.app.users;

import im.zonda.config.ServerConfig;
import im.zonda.host.VirtualHost;
import im.zonda.host.XmppServer;
import im.zonda.jid.Jid;
import im.zonda.module.search.SearchModule;
import im.zonda.module.vcard.VcardModule;
import im.zonda.plugin.NewAccount;
import im.zonda.plugin.PluginAccounts;
import im.zonda.plugin.PluginStore;
import im.zonda.plugin.PluginStoreException;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.Account;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.store.Stores.FilledAccount;
import im.zonda.store.Subscription;
import im.zonda.store.ValueKey;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// The accounts of the hosts, as plugins create and remove them.
///
/// At most a thousand accounts are removed in one transaction. Of those, the ones that are contacts
/// of each other are not notified of it, because none of them is there any longer.
public final class HostedAccounts implements PluginAccounts {
  /// The most bytes of the name of a contact or group, as for those that clients give.
  private static final int NAME_BYTES = 1_023;

  private final XmppServer server;
  private final Stores stores;
  private final ServerRuntime runtime;
  private final UnreservedAccounts unreserved;
  private final RecentKeys keys;
  private final String values;

  private HostedAccounts(
      XmppServer server, Stores stores, ServerRuntime runtime, RecentKeys keys, String values) {
    this.server = server;
    this.stores = stores;
    this.runtime = runtime;
    this.unreserved = new UnreservedAccounts(stores, runtime.clock());
    this.keys = keys;
    this.values = values;
  }

  /// The accounts for each plugin, by the name of the key-value store with its values.
  public static Function<String, PluginAccounts> of(
      XmppServer server, Stores stores, ServerRuntime runtime) {
    RecentKeys keys = new RecentKeys(runtime.clock(), runtime.random());
    return values -> new HostedAccounts(server, stores, runtime, keys, values);
  }

  private static <T> T ask(Supplier<T> question) {
    try {
      return question.get();
    } catch (StoreException e) {
      throw new PluginStoreException("the database does not answer");
    }
  }

  @Override
  public boolean exists(Jid account) {
    return ask(() -> stores.accounts().find(account.bare()) != null);
  }

  @Override
  public List<Jid> existing(List<Jid> addresses) {
    requireFew(addresses);
    Map<String, Set<Jid>> domains = new HashMap<>();
    for (Jid each : addresses) {
      domains.computeIfAbsent(each.domain(), _ -> new HashSet<>()).add(each.bare());
    }
    Set<Jid> existing = new HashSet<>();
    domains.forEach((domain, some) ->
        existing.addAll(ask(() -> stores.accounts().created(domain, some)).keySet()));
    return addresses.stream().filter(each -> existing.contains(each.bare())).toList();
  }

  private static void requireFew(List<?> accounts) {
    if (accounts.size() > MOST_AT_ONCE) {
      throw new IllegalArgumentException("more than " + MOST_AT_ONCE + " accounts at once");
    }
  }

  @Override
  public long count(String host) {
    return ask(() -> stores.accounts().count(host));
  }

  @Override
  public List<Jid> create(List<NewAccount> accounts) {
    requireFew(accounts);
    Map<String, ServerConfig> hosts = new HashMap<>();
    for (VirtualHost each : server.hosts()) {
      hosts.put(each.domain().domain(), each.config());
    }
    Set<String> passwords = new HashSet<>();
    Set<Jid> addresses = new HashSet<>();
    for (NewAccount each : accounts) {
      check(each, hosts);
      require(addresses.add(each.account()), each.account(), "twice");
      passwords.add(each.password());
    }
    Map<String, List<ScramKeys>> derived = keys.of(passwords);
    return ask(() -> {
      Set<Jid> refused = unreserved.reservedOf(accounts.stream().map(NewAccount::account).toList());
      List<FilledAccount> wanted = new ArrayList<>();
      Instant now = runtime.clock().instant();
      for (NewAccount each : accounts) {
        ServerConfig host = Objects.requireNonNull(hosts.get(each.account().domain()));
        if (!refused.contains(each.account()) && !host.isAdministrator(each.account())) {
          List<ScramKeys> own = Objects.requireNonNull(derived.get(each.password()));
          wanted.add(
              new FilledAccount(
                  new Account(each.account(), own, now), roster(each), stored(each, host)));
        }
      }
      List<Jid> created = new ArrayList<>();
      Set<Jid> taken = new HashSet<>(stores.createAccounts(wanted));
      for (FilledAccount each : wanted) {
        Jid account = each.account().jid();
        if (!taken.contains(account)) {
          created.add(account);
          forget(account);
        }
      }
      return created;
    });
  }

  /// Unloads the home of an account, which was loaded before the account was created or removed.
  private void forget(Jid account) {
    if (server.router().routes().to(account).canBeOnline(account)) {
      server.router().forget(account);
    }
  }

  private void check(NewAccount wanted, Map<String, ServerConfig> hosts) {
    Jid account = wanted.account();
    ServerConfig host = hosts.get(account.domain());
    require(host != null && account.local() != null && account.isBare(), account, "no account");
    require(server.providers().hasOwn(account.domain()), account, "accounts are kept elsewhere");
    int most = Objects.requireNonNull(host).limits().rosterItems();
    require(wanted.contacts().size() <= most, account, "more contacts than " + most);
    Set<Jid> contacts = new HashSet<>();
    for (NewAccount.Contact each : wanted.contacts()) {
      String name = each.name();
      require(
          each.account().isBare()
              && !each.account().equals(account)
              && contacts.add(each.account())
              && (name == null || isName(name))
              && each.groups().stream().allMatch(HostedAccounts::isName),
          account,
          "no contact " + each.account());
    }
    wanted
        .values()
        .forEach((key, value) ->
            require(
                !key.isEmpty()
                    && key.length() <= PluginStore.MOST_KEY
                    && value.length <= PluginStore.MOST_BYTES,
                account,
                "a key or a value is too long"));
  }

  private static boolean isName(String text) {
    return !text.isEmpty()
        && text.length() <= NAME_BYTES
        && text.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES;
  }

  private static void require(boolean condition, Jid account, String problem) {
    if (!condition) {
      throw new IllegalArgumentException(account + ": " + problem);
    }
  }

  private static List<RosterItem> roster(NewAccount wanted) {
    return wanted.contacts().stream()
        .map(each ->
            new RosterItem(
                each.account(),
                each.name(),
                Subscription.BOTH,
                false,
                false,
                List.copyOf(each.groups()),
                null,
                true))
        .toList();
  }

  private Map<ValueKey, byte[]> stored(NewAccount wanted, ServerConfig host) {
    Map<ValueKey, byte[]> all = new HashMap<>();
    wanted
        .values()
        .forEach((key, value) -> all.put(new ValueKey(values, wanted.account(), key), value));
    Element vcard = wanted.vcard();
    if (vcard != null) {
      var stored = VcardModule.storedWith(wanted.account(), vcard, host.limits().vcardBytes());
      all.put(stored.getKey(), stored.getValue());
      var entry = SearchModule.storedWith(host, wanted.account(), vcard);
      if (entry != null) {
        all.put(entry.getKey(), entry.getValue());
      }
    }
    return all;
  }

  @Override
  public List<Jid> remove(List<Jid> accounts, Set<Jid> next) {
    Set<String> hosts = new HashSet<>();
    server.hosts().forEach(each -> hosts.add(each.domain().domain()));
    List<Jid> all =
        accounts.stream()
            .filter(each -> hosts.contains(each.domain()) && each.local() != null)
            .map(Jid::bare)
            .distinct()
            .toList();
    Set<Jid> others = new HashSet<>(next);
    others.addAll(all);
    List<Jid> removed = new ArrayList<>();
    for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
      Set<Jid> some =
          new LinkedHashSet<>(all.subList(from, Math.min(all.size(), from + MOST_AT_ONCE)));
      removed.addAll(ask(() -> server.removal().removeAll(some, others)));
    }
    removed.forEach(this::forget);
    return removed;
  }
}
