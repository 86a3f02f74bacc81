package im.zonda.store;

import java.util.Arrays;
import java.util.stream.LongStream;

/// The origins of all entries that were appended to the log in some time
/// ([MessageLog.Entry#origin], [ClusterLog#appendedOrigins]). Immutable; has 8 bytes for each
/// entry.
public final class AppendedOrigins {
  /// Of no entry.
  public static final AppendedOrigins NONE = new Builder().build();

  /// Sorted. Origins are positive: the lowest bit says whether the entry is also its sender's copy,
  /// the others are the origin.
  private final long[] entries;

  private AppendedOrigins(long[] entries) {
    this.entries = entries;
  }

  /// Whether there is an entry with that origin.
  public boolean contains(long origin) {
    return origin > 0 && (find(origin, false) || find(origin, true));
  }

  /// Whether there is an entry with that origin that is also its sender's own copy
  /// ([ClusterLog.Known#isSentCopy]).
  public boolean containsSentCopy(long origin) {
    return origin > 0 && find(origin, true);
  }

  private boolean find(long origin, boolean isSentCopy) {
    return Arrays.binarySearch(entries, packed(origin, isSentCopy)) >= 0;
  }

  private static long packed(long origin, boolean isSentCopy) {
    return origin << 1 | (isSentCopy ? 1 : 0);
  }

  /// The number of entries.
  public int size() {
    return entries.length;
  }

  /// Collects origins. Not safe for use by several threads.
  public static final class Builder {
    private final LongStream.Builder entries = LongStream.builder();

    /// Adds an entry, unless it has no origin.
    public void add(long origin, boolean isSentCopy) {
      if (origin > 0) {
        entries.add(packed(origin, isSentCopy));
      }
    }

    /// What was added; to be called once.
    public AppendedOrigins build() {
      long[] all = entries.build().toArray();
      Arrays.sort(all);
      return new AppendedOrigins(all);
    }
  }
}
