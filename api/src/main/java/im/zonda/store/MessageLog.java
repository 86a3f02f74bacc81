package im.zonda.store;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import java.time.Instant;
import java.util.List;

/// The ordered, durable record of messages per account or room: archive and offline storage in one.
///
/// An entry is *waiting* until it has been delivered. Waiting entries are the offline messages; the
/// others stay only if they are archived.
public interface MessageLog {
  /// What happens to an entry that has been delivered.
  enum Keep {
    ARCHIVE,
    UNTIL_DELIVERED
  }

  /// An entry.
  ///
  /// @param owner whose log
  /// @param id its position in the log and its time: microseconds since 1970, unique in the
  ///   database
  /// @param with the other party's address
  /// @param message the message as delivered
  /// @param origin which stanza of the cluster it comes from ([im.zonda.store.StanzaIdentity]); 0
  ///   if nothing sends that one again. Not read back, but searched for ([ClusterLog])
  record Entry(Jid owner, long id, Jid with, Message message, long origin) {
    /// An entry of a stanza that nothing sends again.
    public Entry(Jid owner, long id, Jid with, Message message) {
      this(owner, id, with, message, 0);
    }

    /// The time of the entry.
    public Instant time() {
      return timeOf(id);
    }
  }

  /// The sender's own copy of a message that is on its way. The receiver's home takes it, to append
  /// it together with the receiver's entry; otherwise the sender's home appends it alone.
  interface SentCopy {
    /// The sender's entry.
    Entry entry();

    /// Takes the copy; the caller must append it. False if another has taken it. Any thread may
    /// call.
    boolean take();
  }

  /// A handle for an appended entry. Calls never block.
  interface Receipt {
    /// Marks the entry as delivered: it no longer waits. Idempotent.
    void delivered();

    /// Calls `ending` once with the outcome, immediately if it is known already.
    ///
    /// There is always an outcome: an entry that the store cannot write is retried until it is
    /// written, until it proves to be invalid itself, or until the store is closed.
    void whenEnded(Ending ending);

    /// Runs `action` once the entry is durable, immediately if it is; never if it cannot be stored.
    default void whenCommitted(Runnable action) {
      whenEnded(
          new Ending() {
            @Override
            public void committed() {
              action.run();
            }

            @Override
            public void failed(StoreException cause) {
              // The caller does not need the failure.
            }
          });
    }
  }

  /// Receives the outcome of an entry: one of the two methods is called, once, on any thread. Must
  /// not block. One object may serve several receipts.
  interface Ending {
    /// The entry is durable, or need not be: it was only kept until delivered and has been, or its
    /// account was removed.
    void committed();

    /// The entry will not be stored: `CLOSED` if the store was closed before it could write,
    /// otherwise the entry itself is invalid.
    void failed(StoreException cause);
  }

  /// A new id, higher than all before, also after a restart or when the clock is set back.
  long nextId();

  /// Adds an entry. Returns at once; the commit follows in a group. An entry with
  /// [Keep#UNTIL_DELIVERED] that is delivered before its commit need not be written at all.
  ///
  /// @param waiting false if it is delivered already (the sender's own copy)
  /// @throws StoreException `OVERLOADED` if more waits for the commit than the limit allows
  Receipt append(Entry entry, Keep keep, boolean waiting);

  /// Adds an entry together with its sender's own copy, which is archived and does not wait: the
  /// entry of one message in two archives. Each owner keeps and loses its part alone. The receipt
  /// is that of both; [Receipt#delivered] concerns the receiver's part.
  ///
  /// @param entry the receiver's entry, with the sender's address
  /// @param sent the sender's, with the same id; its other party is the `to` of both messages, and
  ///   its message is the receiver's without the receiver's `<stanza-id/>` (XEP-0359)
  Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent);

  /// Waiting entries after `afterId`, in order, at most `limit`; includes those not yet committed.
  default List<Entry> waiting(Jid owner, long afterId, int limit) {
    return waiting(owner, afterId, limit, Long.MAX_VALUE);
  }

  /// The same, and no further entry when those before have `bytes` bytes together. Empty only if
  /// none waits.
  List<Entry> waiting(Jid owner, long afterId, int limit, long bytes);

  /// The number of waiting entries.
  int waitingCount(Jid owner);

  /// Called when the home of an account is unloaded that knows that no entry waits: a log that
  /// remembers it need not count when the home is loaded again. Does not block.
  default void noneWaits(Jid owner) {}

  /// Marks the owner's entries with these ids as delivered. Returns at once.
  void delivered(Jid owner, List<Long> ids);

  /// Whether too many bytes wait for the commit to read on from senders. While the database is slow
  /// or away, entries wait in memory and messages to available sessions are still delivered.
  boolean congested();

  /// Whether an entry may soon be refused because too much waits.
  default boolean nearlyFull() {
    return congested();
  }

  /// Whether the store writes at present, by the last attempt. Never blocks.
  StoreState state();

  /// Runs `action` once [#congested] is false, immediately if it is.
  void onRelief(Runnable action);

  /// Waits until everything appended so far is durable.
  void flush();

  /// The time of an id.
  static Instant timeOf(long id) {
    return Instant.ofEpochSecond(
        Math.floorDiv(id, 1_000_000L), Math.floorMod(id, 1_000_000L) * 1_000L);
  }
}
