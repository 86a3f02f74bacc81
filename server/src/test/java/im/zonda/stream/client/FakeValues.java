package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Values in memory, which may fail to be written.
public final class FakeValues implements KeyValueStore {
  /// All values by owner and key.
  public final Map<Jid, Map<String, byte[]>> all = new HashMap<>();

  /// How often something was read.
  public int reads;

  /// How often something was written or removed.
  public int writes;

  /// Whether writing fails.
  public boolean broken;

  @Override
  public byte @Nullable [] get(Jid owner, String key) {
    reads++;
    return all.getOrDefault(owner, Map.of()).get(key);
  }

  @Override
  public Map<String, byte[]> all(Jid owner) {
    reads++;
    return Map.copyOf(all.getOrDefault(owner, Map.of()));
  }

  @Override
  public SequencedMap<Jid, byte[]> find(
      String domain, String key, byte[] text, @Nullable Jid after, int limit) {
    // Not a stub: a stream that searches is a defect, which this shows.
    throw new UnsupportedOperationException("streams do not search");
  }

  @Override
  public void put(Jid owner, String key, byte[] value) {
    changed();
    all.computeIfAbsent(owner, jid -> new HashMap<>()).put(key, value);
  }

  @Override
  public boolean remove(Jid owner, String key) {
    changed();
    return all.getOrDefault(owner, new HashMap<>()).remove(key) != null;
  }

  private void changed() {
    if (broken) {
      throw new StoreException(StoreException.Category.FULL, "full", null);
    }
    writes++;
  }
}
