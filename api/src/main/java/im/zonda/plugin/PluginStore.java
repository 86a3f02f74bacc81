package im.zonda.plugin;

import im.zonda.jid.Jid;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Small values of a plugin in the database, shared by all nodes of a cluster. They are kept when
/// the plugin is removed, and are there again when it is added again. Calls block, and throw
/// [im.zonda.plugin.PluginStoreException] while the database does not answer.
@Stable(since = "1.0")
public interface PluginStore {
  /// The most bytes of a value.
  int MOST_BYTES = 64 * 1024;

  /// The most characters of a key.
  int MOST_KEY = 128;

  /// The value, or null.
  ///
  /// @param owner what the value belongs to: a host, or an account or room of one; with an account
  ///   its values are removed
  byte @Nullable [] get(Jid owner, String key);

  /// All values of an owner, by key.
  Map<String, byte[]> all(Jid owner);

  /// Sets a value; durable when the call returns.
  ///
  /// @throws IllegalArgumentException if the key or value is too long, or the owner is of no host
  void put(Jid owner, String key, byte[] value);

  /// Removes a value.
  ///
  /// @return whether there was one
  boolean remove(Jid owner, String key);
}
