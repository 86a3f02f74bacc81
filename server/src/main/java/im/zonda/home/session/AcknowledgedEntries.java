package im.zonda.home.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/// The entries of the log that a client has acknowledged in the last seconds.
///
/// The log marks them as delivered a little later. If the node dies before that, the next home
/// finds them waiting, and would send them again to a session that reads the log there. Bounded.
/// Confined to the home's mailbox.
final class AcknowledgedEntries {
  private static final int MOST = 256;

  /// How long a mark may take to be written, in ms.
  private static final long TIME = 30_000;

  private record Acknowledged(long entry, long time) {}

  private final Deque<Acknowledged> entries = new ArrayDeque<>(4);

  /// Adds an entry.
  ///
  /// @param now in ms
  void add(long entry, long now) {
    removeOlder(now);
    if (entries.size() == MOST) {
      entries.remove();
    }
    entries.add(new Acknowledged(entry, now));
  }

  /// The ids of the entries.
  ///
  /// @param now in ms
  Set<Long> at(long now) {
    removeOlder(now);
    Set<Long> ids = new HashSet<>();
    entries.forEach(each -> ids.add(each.entry()));
    return ids;
  }

  private void removeOlder(long now) {
    while (!entries.isEmpty() && now - entries.element().time() > TIME) {
      entries.remove();
    }
  }
}
