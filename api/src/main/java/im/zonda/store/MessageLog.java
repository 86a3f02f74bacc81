package im.zonda.store;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import java.time.Instant;
import java.util.List;

/// One ordered, durable record of messages per account, or room: archive and offline storage in
/// one.
///
/// An entry is *waiting* until it has been delivered. Waiting entries are the offline messages; the
/// others stay only if they are kept as archive.
public interface MessageLog {
  /// What happens to an entry that has been delivered.
  enum Keep {
    ARCHIVE,
    UNTIL_DELIVERED
  }

  /// An entry.
  ///
  /// @param owner whose log
  /// @param id its place in the log and its time: microseconds since 1970, unique on this server
  /// @param with the other party's address
  /// @param message the message as delivered
  record Entry(Jid owner, long id, Jid with, Message message) {
    /// When the entry was made.
    public Instant time() {
      return timeOf(id);
    }
  }

  /// What is known of an appended entry. Calls never block.
  interface Receipt {
    /// The message has reached its receiver: it no longer waits. Once is enough; more does nothing.
    void delivered();

    /// Tells `ending` what becomes of the entry: once, and at once if that is known already.
    ///
    /// Who waits hears in any case: an entry that the store cannot write is tried again until it is
    /// written, until it turns out to be at fault itself, or until the store is closed.
    void whenEnded(Ending ending);

    /// Runs `action` when the entry is durable (at once if it is); never if it cannot be stored.
    default void whenCommitted(Runnable action) {
      whenEnded(
          new Ending() {
            @Override
            public void committed() {
              action.run();
            }

            @Override
            public void failed(StoreException cause) {
              // The caller did not want to know.
            }
          });
    }
  }

  /// Who waits to hear what became of an entry. One of the two is called, once, on any thread; it
  /// neither blocks nor waits for the store. An object that waits for several entries can be given
  /// to each of their receipts.
  interface Ending {
    /// The entry is durable; or it need not be any more, because it was kept only until delivered
    /// and has been, or because its account is gone.
    void committed();

    /// The entry is not stored and will not be. `CLOSED` if the store was closed while it could not
    /// write, else the entry itself is at fault.
    void failed(StoreException cause);
  }

  /// A new id, larger than every one before, also after a restart or when the clock goes back.
  long nextId();

  /// Adds an entry. Returns at once; the commit follows in a group. An entry with
  /// [Keep#UNTIL_DELIVERED] that is delivered before its commit need not be written at all.
  ///
  /// @param waiting false if it is delivered already (the sender's own copy)
  /// @throws StoreException `OVERLOADED` if more waits for the commit than the limit allows
  Receipt append(Entry entry, Keep keep, boolean waiting);

  /// Waiting entries after `afterId`, in order, at most `limit`; includes those not yet committed.
  default List<Entry> waiting(Jid owner, long afterId, int limit) {
    return waiting(owner, afterId, limit, Long.MAX_VALUE);
  }

  /// The same, and no further entry when those before have `bytes` bytes together. Empty only if
  /// none waits.
  List<Entry> waiting(Jid owner, long afterId, int limit, long bytes);

  /// The number of waiting entries.
  int waitingCount(Jid owner);

  /// All entries of the owner with these ids no longer wait. Returns at once.
  void delivered(Jid owner, List<Long> ids);

  /// Whether so much waits for the commit that senders should not be read from. A matter of bytes
  /// only: while the database is slow or away, entries wait in memory, and messages between people
  /// who are there go on.
  boolean congested();

  /// Whether entries become durable at present. Never blocks; known from the last attempt to write.
  StoreState state();

  /// Runs `action` once when [#congested] has ended; at once if it is false.
  void onRelief(Runnable action);

  /// Waits until everything appended so far is durable.
  void flush();

  /// The time that an id stands for.
  static Instant timeOf(long id) {
    return Instant.ofEpochSecond(
        Math.floorDiv(id, 1_000_000L), Math.floorMod(id, 1_000_000L) * 1_000L);
  }
}
