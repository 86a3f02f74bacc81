package im.zonda.app.transfer.destination;

import java.util.BitSet;

/// Finds ids of the message log for times in the past. Ids are times in microseconds and unique in
/// the database, but other servers have many messages of one second.
///
/// Remembers by hashes which ids it has given, so it needs 16 MiB for any number of them; an id
/// that only seems to be taken is passed over. Not thread-safe.
final class FreeIds {
  private static final int BITS = 1 << 27;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final BitSet given = new BitSet(BITS);

  /// The first id from `from` on that has not been given.
  long next(long from) {
    long id = from;
    while (given.get(slot(id))) {
      id++;
    }
    given.set(slot(id));
    return id;
  }

  private static int slot(long id) {
    return (int) ((id * MIX) >>> 37);
  }
}
