package im.zonda.module.muc.home;

import im.zonda.store.MessageLog.Receipt;
import org.jspecify.annotations.Nullable;

/// The messages that a home of a room has sent recently, by their identities
/// ([im.zonda.store.StanzaIdentity]). Confined to the mailbox of the room.
///
/// When the session of a sender has moved, and its former home is late to report a message as
/// handled, the client sends the message again: then both may arrive here, in any order, before the
/// log has either of them.
public final class TakenMessages {
  /// More messages than all senders of a room send within some seconds.
  private static final int MOST = 1_024;

  private static final long[] NONE = new long[0];

  /// The latest identities, in no order; 0 in unused places.
  private long[] identities = NONE;

  private int next;
  private @Nullable Receipt lastStored;

  /// Adds a message.
  ///
  /// @param identity 0 if it cannot be recognised
  /// @param stored null if it is not stored
  public void add(long identity, @Nullable Receipt stored) {
    if (identity == 0) {
      return;
    }
    if (identities.length == 0) {
      identities = new long[MOST];
    }
    identities[next] = identity;
    next = (next + 1) % MOST;
    if (stored != null) {
      lastStored = stored;
    }
  }

  /// Whether a message is one of the latest.
  public boolean has(long identity) {
    if (identity == 0) {
      return false;
    }
    for (long each : identities) {
      if (each == identity) {
        return true;
      }
    }
    return false;
  }

  /// The receipt of the last stored message: when it is durable, all are. Null if none is stored.
  public @Nullable Receipt lastStored() {
    return lastStored;
  }
}
