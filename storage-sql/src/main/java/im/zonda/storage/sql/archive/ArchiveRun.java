package im.zonda.storage.sql.archive;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/// A run of archived entries of all owners in order of their ids. Not changed after [#finish].
final class ArchiveRun {
  /// Bits of a row's position in a run.
  static final int PLACE_BITS = 12;

  static final int ROWS = 1 << PLACE_BITS;

  private final long[] owners = new long[ROWS];
  private final long[] ids = new long[ROWS];
  private final int[] peers = new int[ROWS];
  private final int[] resources = new int[ROWS];
  private final long[] byOwner = new long[ROWS];
  private int size;

  /// Adds a row; ids must be ascending.
  void add(long owner, long id, String peer) {
    owners[size] = owner;
    ids[size] = id;
    peers[size] = peerOf(peer);
    resources[size] = resourceOf(peer);
    byOwner[size] = owner << PLACE_BITS | size;
    size++;
  }

  /// Sorts the run after the last row was added.
  void finish() {
    Arrays.sort(byOwner, 0, size);
  }

  int size() {
    return size;
  }

  long owner(int place) {
    return owners[place];
  }

  long id(int place) {
    return ids[place];
  }

  int peer(int place) {
    return peers[place];
  }

  int resource(int place) {
    return resources[place];
  }

  /// The highest id.
  long last() {
    return ids[size - 1];
  }

  /// Passes the ids of an owner in the range to `taker`, in order.
  void forEach(long owner, ArchiveRange range, LongConsumer taker) {
    int at = Arrays.binarySearch(byOwner, 0, size, owner << PLACE_BITS);
    for (int i = at < 0 ? -at - 1 : at; i < size && byOwner[i] >> PLACE_BITS == owner; i++) {
      int place = (int) byOwner[i] & (ROWS - 1);
      if (range.matches(ids[place], peers[place], resources[place])) {
        taker.accept(ids[place]);
      }
    }
  }

  /// The hash of the address's bare JID, as stored in the index.
  static int peerOf(String jid) {
    int slash = jid.indexOf('/');
    return crc(slash < 0 ? jid : jid.substring(0, slash));
  }

  /// The hash of the address's resource; 0 if it has none.
  static int resourceOf(String jid) {
    int slash = jid.indexOf('/');
    return slash < 0 ? 0 : crc(jid.substring(slash + 1));
  }

  private static int crc(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }
}
