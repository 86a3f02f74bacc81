package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.PubSubStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.ScramKeys;
import org.jspecify.annotations.Nullable;

/// Estimates of the heap that values take, in bytes, rather too high than too low.
final class Sizes {
  /// A node of the cache and its place in the table.
  static final long ENTRY = 128;

  /// A small object, such as a record, with the reference to it.
  static final long OBJECT = 64;

  private static final long ARRAY = 24;
  private static final long STRING = 24 + ARRAY;
  private static final long ADDRESS = 64;

  private Sizes() {}

  static long of(Jid jid) {
    // The address as a whole, and its parts.
    return ADDRESS + 2 * of(jid.toString());
  }

  static long of(@Nullable String text) {
    return text == null ? 0 : STRING + 2L * text.length();
  }

  static long of(byte[] bytes) {
    return ARRAY + bytes.length;
  }

  static long of(Account account) {
    long sum = 2 * OBJECT;
    for (ScramKeys keys : account.keys()) {
      sum += OBJECT + of(keys.hash());
      sum += of(keys.salt()) + of(keys.storedKey()) + of(keys.serverKey());
    }
    return sum;
  }

  static long of(PubSubStore.Item item) {
    return 2 * OBJECT + of(item.id()) + of(item.publisher()) + of(item.payload());
  }

  static long of(RosterStore.Roster roster) {
    long sum = 2 * OBJECT;
    for (RosterItem item : roster.items()) {
      sum += OBJECT + of(item.jid()) + of(item.name());
      for (String group : item.groups()) {
        sum += of(group);
      }
      sum += item.request() == null ? 0 : 2 * OBJECT + item.request().writtenSize();
    }
    return sum;
  }

  static long of(RoomStore.Stored stored) {
    RoomStore.Room room = stored.room();
    long sum = 3 * OBJECT + of(room.name()) + of(room.settings());
    sum += room.creator() == null ? 0 : of(room.creator());
    for (RoomStore.Affiliation each : stored.affiliations()) {
      sum += OBJECT + of(each.user()) + of(each.affiliation());
      sum += of(each.nick()) + of(each.reason());
    }
    return sum;
  }
}
