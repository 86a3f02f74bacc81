package im.zonda.host;

import im.zonda.auth.KnownClients;
import im.zonda.auth.StoredDisabling;
import im.zonda.auth.provider.AccountLinks;
import im.zonda.module.Ports;
import im.zonda.store.KeyValueStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/// The ports that the server offers to modules.
public final class OfferedPorts {
  /// Key-value stores of the server itself.
  private static final Set<String> RESERVED =
      Set.of(KnownClients.STORE, StoredDisabling.STORE, AccountLinks.STORE);

  private final Map<Class<?>, Object> byType = new HashMap<>();
  private final Function<String, KeyValueStore> keyValues;

  /// @param keyValues opens the key-value store of a name
  public OfferedPorts(Function<String, KeyValueStore> keyValues) {
    this.keyValues = keyValues;
  }

  /// Offers a port.
  public <T> OfferedPorts with(Class<T> type, T port) {
    byType.put(type, port);
    return this;
  }

  /// Checks what a module declares.
  ///
  /// @throws IllegalStateException if one of the ports is not offered
  void check(String module, Ports declared) {
    for (Class<?> type : declared.types()) {
      if (!byType.containsKey(type)) {
        throw new IllegalStateException(
            "module " + module + " declares a port that does not exist: " + type.getName());
      }
    }
    for (Ports.KeyValues store : declared.keyValues()) {
      if (RESERVED.contains(store.name())) {
        throw new IllegalStateException(
            "module " + module + " declares a store of the server: " + store.name());
      }
    }
  }

  <T> T get(Class<T> type) {
    return type.cast(Objects.requireNonNull(byType.get(type)));
  }

  KeyValueStore keyValues(String name) {
    return keyValues.apply(name);
  }
}
