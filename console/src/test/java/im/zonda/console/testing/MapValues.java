package im.zonda.console.testing;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A key-value store in memory, which fails if a test wants it.
public final class MapValues implements KeyValueStore {
  private final Map<Jid, Map<String, byte[]>> owners = new ConcurrentHashMap<>();
  private boolean failing;
  private boolean full;

  /// Whether all that is asked of it fails from now on.
  public void fail(boolean all) {
    failing = all;
  }

  /// Whether nothing can be written from now on, as on a full disk.
  public void fill(boolean up) {
    full = up;
  }

  private Map<String, byte[]> toWrite(Jid owner) {
    if (full) {
      throw new StoreException(StoreException.Category.UNAVAILABLE, "the disk is full", null);
    }
    return of(owner);
  }

  private Map<String, byte[]> of(Jid owner) {
    if (failing) {
      throw new StoreException(StoreException.Category.UNAVAILABLE, "the disk is gone", null);
    }
    return owners.computeIfAbsent(owner, _ -> new ConcurrentHashMap<>());
  }

  /// Everything in it as a text.
  public String text() {
    StringBuilder text = new StringBuilder();
    owners.forEach((owner, values) ->
        values.forEach((key, value) ->
            text.append(owner)
                .append(' ')
                .append(key)
                .append(' ')
                .append(new String(value, StandardCharsets.ISO_8859_1))
                .append('\n')));
    return text.toString();
  }

  /// Removes what belongs to someone.
  public void removeOwner(Jid owner) {
    owners.remove(owner);
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
    // The console looks up single owners; a search over all of them would be a defect.
    throw new UnsupportedOperationException("nothing scans");
  }

  @Override
  public void put(Jid owner, String key, byte[] value) {
    toWrite(owner).put(key, value);
  }

  @Override
  public boolean remove(Jid owner, String key) {
    return toWrite(owner).remove(key) != null;
  }
}
