package im.zonda.store;

import im.zonda.jid.Jid;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A named store of small values per account or room.
public interface KeyValueStore {
  /// The value, or null.
  byte @Nullable [] get(Jid owner, String key);

  /// All values of an owner, by key.
  Map<String, byte[]> all(Jid owner);

  /// Sets a value; durable when the call returns.
  void put(Jid owner, String key, byte[] value);

  /// Removes a value if there is one.
  void remove(Jid owner, String key);
}
