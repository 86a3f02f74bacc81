package im.zonda.web.login;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.util.HashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Values in memory.
public final class MemoryValues implements KeyValueStore {
  /// All values by owner and key.
  public final Map<Jid, Map<String, byte[]>> all = new HashMap<>();

  /// How often something was written.
  public int writes;

  private Map<String, byte[]> of(Jid owner) {
    return all.computeIfAbsent(owner, missing -> new HashMap<>());
  }

  @Override
  public byte @Nullable [] get(Jid owner, String key) {
    return of(owner).get(key);
  }

  @Override
  public Map<String, byte[]> all(Jid owner) {
    return Map.copyOf(of(owner));
  }

  @Override
  public SequencedMap<Jid, byte[]> find(
      String domain, String key, byte[] text, @Nullable Jid after, int limit) {
    // Not a stub: pages that search are a defect, which this shows.
    throw new UnsupportedOperationException("pages do not search");
  }

  @Override
  public void put(Jid owner, String key, byte[] value) {
    writes++;
    of(owner).put(key, value);
  }

  @Override
  public boolean remove(Jid owner, String key) {
    return of(owner).remove(key) != null;
  }
}
