package im.zonda.jid;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Cache of prepared addresses by their bytes as received, so that a frequent address is prepared
/// once.
///
/// Bounded and lossy: each address has one slot, and the last one wins. Thread-safe without locks;
/// a race costs a miss, never a wrong result. Invalid addresses are not cached.
public final class JidCache {
  // Longer addresses are rare, and an attacker must not fill the memory with them.
  private static final int MAX_BYTES = 256;

  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final @Nullable Entry[] entries;

  /// Creates a cache with `places` slots, a power of two.
  public JidCache(int places) {
    if (Integer.bitCount(places) != 1) {
      throw new IllegalArgumentException("not a power of two: " + places);
    }
    entries = new @Nullable Entry[places];
  }

  /// Returns the address written in `bytes[from, to)`, which must be valid UTF-8.
  ///
  /// @throws JidFormatException if it is not a valid address
  public Jid get(byte[] bytes, int from, int to) {
    if (to - from > MAX_BYTES) {
      return Jid.of(new String(bytes, from, to - from, UTF_8));
    }
    int hash = hash(bytes, from, to);
    int place = (hash ^ (hash >>> 15)) & (entries.length - 1);
    Entry entry = entries[place];
    if (entry != null
        && entry.hash == hash
        && Arrays.equals(entry.key, 0, entry.key.length, bytes, from, to)) {
      return entry.jid;
    }
    Jid jid = Jid.of(new String(bytes, from, to - from, UTF_8));
    byte[] prepared = jid.utf8();
    boolean same = Arrays.equals(prepared, 0, prepared.length, bytes, from, to);
    entries[place] = new Entry(same ? prepared : Arrays.copyOfRange(bytes, from, to), hash, jid);
    return jid;
  }

  // Eight bytes at a time: this runs for each address of each stanza.
  private static int hash(byte[] bytes, int from, int to) {
    long hash = MIX;
    int i = from;
    for (; i <= to - 8; i += 8) {
      hash = (hash ^ (long) LONG.get(bytes, i)) * MIX;
      hash ^= hash >>> 32;
    }
    for (; i < to; i++) {
      hash = (hash ^ bytes[i]) * MIX;
    }
    return (int) (hash ^ (hash >>> 32));
  }

  // Final fields only, so that racy reads are safe.
  private static final class Entry {
    private final byte[] key;
    private final int hash;
    private final Jid jid;

    Entry(byte[] key, int hash, Jid jid) {
      this.key = key;
      this.hash = hash;
      this.jid = jid;
    }
  }
}
