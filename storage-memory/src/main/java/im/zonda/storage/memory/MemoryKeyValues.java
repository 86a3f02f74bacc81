package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryData.Owner;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// The values of one named store.
record MemoryKeyValues(MemoryDatabase database, String name) implements KeyValueStore {
  @Override
  public byte @Nullable [] get(Jid owner, String key) {
    return database.<byte @Nullable []>call(() -> {
      byte[] value = values(owner).get(key);
      return value == null ? null : value.clone();
    });
  }

  @Override
  public Map<String, byte[]> all(Jid owner) {
    return database.call(() -> {
      Map<String, byte[]> copy = new HashMap<>();
      values(owner).forEach((key, value) -> copy.put(key, value.clone()));
      return copy;
    });
  }

  @Override
  public SequencedMap<Jid, byte[]> find(
      String domain, String key, byte[] text, @Nullable Jid after, int limit) {
    String wanted = new String(text, StandardCharsets.ISO_8859_1);
    return database.call(() -> {
      SequencedMap<Jid, byte[]> found = new LinkedHashMap<>();
      MemoryData.page(
              database.data().owners.keySet().stream(),
              jid -> jid,
              domain,
              after == null ? null : MemoryData.local(after))
          .filter(owner -> owner.local() != null)
          .forEach(owner -> {
            byte[] value = values(owner).get(key);
            if (value != null && found.size() < limit && contains(value, wanted)) {
              found.put(owner, value.clone());
            }
          });
      return found;
    });
  }

  private static boolean contains(byte[] value, String wanted) {
    return new String(value, StandardCharsets.ISO_8859_1).contains(wanted);
  }

  @Override
  public void put(Jid owner, String key, byte[] value) {
    byte[] copy = value.clone();
    database.call(() -> {
      if (owner.local() == null) {
        database.data().owners.computeIfAbsent(owner, missing -> new Owner());
      }
      return database
          .data()
          .require(owner)
          .values
          .computeIfAbsent(name, missing -> new HashMap<>())
          .put(key, copy);
    });
  }

  @Override
  public boolean remove(Jid owner, String key) {
    return database.call(() -> values(owner).remove(key) != null);
  }

  private Map<String, byte[]> values(Jid owner) {
    Owner found = database.data().owners.get(owner);
    Map<String, byte[]> values = found == null ? null : found.values.get(name);
    return values == null ? new HashMap<>() : values;
  }
}
