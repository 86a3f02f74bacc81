package im.zonda.plugins.generator;

import im.zonda.jid.Jid;
import im.zonda.plugin.PluginAccounts;
import im.zonda.plugin.PluginStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/// The runs, as they are stored with their hosts. Calls block.
final class Runs {
  private static final String KEY = "run.";

  private final PluginStore store;
  private final PluginAccounts accounts;
  private final Logger log;

  /// The runs that a job of this node works at.
  private final Set<String> busy = ConcurrentHashMap.newKeySet();

  Runs(PluginStore store, PluginAccounts accounts, Logger log) {
    this.store = store;
    this.accounts = accounts;
    this.log = log;
  }

  PluginAccounts accounts() {
    return accounts;
  }

  /// Begins to work at a run; false if another job does.
  boolean take(Run run) {
    return busy.add(run.host() + "/" + run.name());
  }

  void release(Run run) {
    busy.remove(run.host() + "/" + run.name());
  }

  /// The run of that name; null if there is none.
  @Nullable Run find(String host, String name) {
    byte[] stored = store.get(Jid.of(host), KEY + name);
    return stored == null ? null : Run.read(name, host, stored);
  }

  /// The runs of a host, by name. One that cannot be read is left out.
  List<Run> all(String host) {
    List<Run> all = new ArrayList<>();
    store
        .all(Jid.of(host))
        .forEach((key, stored) -> {
          if (key.startsWith(KEY)) {
            try {
              all.add(Run.read(key.substring(KEY.length()), host, stored));
            } catch (RuntimeException e) {
              log.error("The value {} of {} is no run and is left out.", key, host, e);
            }
          }
        });
    all.sort(Comparator.comparing(Run::name));
    return all;
  }

  void save(Run run) {
    store.put(Jid.of(run.host()), KEY + run.name(), run.write());
  }

  void forget(Run run) {
    boolean _ = store.remove(Jid.of(run.host()), KEY + run.name());
  }

  /// Whether an account is one of the run: nothing else has its mark.
  boolean isOf(Run run, Jid account) {
    return Arrays.equals(store.get(account, Run.MARK), run.mark().get(Run.MARK));
  }
}
