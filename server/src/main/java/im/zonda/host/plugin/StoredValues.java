package im.zonda.host.plugin;

import im.zonda.jid.Jid;
import im.zonda.plugin.PluginStore;
import im.zonda.plugin.PluginStoreException;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The values of one plugin, in a key-value store of its own.
final class StoredValues implements PluginStore {
  private final KeyValueStore store;
  private final Supplier<Set<String>> hosts;

  /// @param hosts the domains of the server's hosts
  StoredValues(KeyValueStore store, Supplier<Set<String>> hosts) {
    this.store = store;
    this.hosts = hosts;
  }

  private static <T extends @Nullable Object> T ask(Supplier<T> question) {
    try {
      return question.get();
    } catch (StoreException e) {
      throw new PluginStoreException("the database does not answer");
    }
  }

  @Override
  public byte @Nullable [] get(Jid owner, String key) {
    return StoredValues.<byte @Nullable []>ask(() -> store.get(owner.bare(), key));
  }

  @Override
  public Map<String, byte[]> all(Jid owner) {
    return ask(() -> store.all(owner.bare()));
  }

  @Override
  public void put(Jid owner, String key, byte[] value) {
    if (key.isEmpty() || key.length() > MOST_KEY) {
      throw new IllegalArgumentException("a key has 1 to " + MOST_KEY + " characters");
    }
    if (value.length > MOST_BYTES) {
      throw new IllegalArgumentException("a value has at most " + MOST_BYTES + " bytes");
    }
    String domain = owner.domain();
    if (hosts.get().stream()
        .noneMatch(host -> domain.equals(host) || domain.endsWith("." + host))) {
      throw new IllegalArgumentException("the domain of no host: " + domain);
    }
    boolean _ =
        ask(() -> {
          store.put(owner.bare(), key, value);
          return true;
        });
  }

  @Override
  public boolean remove(Jid owner, String key) {
    return ask(() -> store.remove(owner.bare(), key));
  }
}
