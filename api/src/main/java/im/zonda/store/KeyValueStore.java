package im.zonda.store;

import im.zonda.jid.Jid;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// A named store of small values per account or room, or of the domain of a host or service.
public interface KeyValueStore {
  /// The value, or null.
  byte @Nullable [] get(Jid owner, String key);

  /// All values of an owner, by key.
  Map<String, byte[]> all(Jid owner);

  /// All values of several owners in a domain, in one query if the database allows it; those
  /// without values are missing.
  ///
  /// @param owners accounts or rooms of the domain, or the domain itself
  default Map<Jid, Map<String, byte[]>> all(String domain, Collection<Jid> owners) {
    Map<Jid, Map<String, byte[]>> values = new HashMap<>();
    for (Jid each : owners) {
      Map<String, byte[]> own = all(each);
      if (!own.isEmpty()) {
        values.put(each, own);
      }
    }
    return values;
  }

  /// Finds values under `key` that contain `text`, byte for byte, among those of the accounts and
  /// rooms of a domain, in the order of their addresses. The database compares; only what is found
  /// is read.
  ///
  /// @param after the address after which to start, or null to start with the first
  /// @param limit the maximum number of values
  /// @return the values by their owners, in order
  SequencedMap<Jid, byte[]> find(
      String domain, String key, byte[] text, @Nullable Jid after, int limit);

  /// Sets a value; durable when the call returns.
  void put(Jid owner, String key, byte[] value);

  /// Removes a value. Of several callers that remove the same value at the same time, at any node
  /// of a cluster, one gets true.
  ///
  /// @return whether there was one
  boolean remove(Jid owner, String key);
}
