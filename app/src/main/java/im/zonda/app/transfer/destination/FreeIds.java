package im.zonda.app.transfer.destination;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Finds ids of the message log for times in the past. Ids are times in microseconds and unique in
/// the database, but other servers have many messages of one second.
///
/// Remembers by hashes which ids it has given, so it needs 16 MiB for any number of them; an id
/// that only seems to be taken is passed over. Not thread-safe.
final class FreeIds {
  private static final int BITS = 27;
  private static final int BITS_OF_PART = 15;

  private final @Nullable BitSet[] parts = new BitSet[1 << (BITS - BITS_OF_PART)];

  /// The first id from `from` on that has not been given.
  long next(long from) {
    long id = from;
    while (isGiven(id)) {
      id++;
    }
    return id;
  }

  /// Whether the id, or one with the same hash, was given; it is from now on.
  private boolean isGiven(long id) {
    int slot = (int) (id ^ (id >>> BITS)) & ((1 << BITS) - 1);
    int index = slot >>> BITS_OF_PART;
    BitSet part = parts[index];
    if (part == null) {
      part = new BitSet(1 << BITS_OF_PART);
      parts[index] = part;
    }
    int bit = slot & ((1 << BITS_OF_PART) - 1);
    boolean given = part.get(bit);
    part.set(bit);
    return given;
  }
}
