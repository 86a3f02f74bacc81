package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.store.StoreException;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;

/// Sets entries aside that wait for delivery and cannot be read: they no longer wait, because no
/// session can ever take them, and the entries of an owner that wait are limited.
///
/// One that no archive keeps is moved to a value of the owner, so that it can be repaired by hand:
/// the key is its id, and it goes when the account does.
///
/// @param owner the owner
/// @param ids the entries
record UnreadableEntries(Jid owner, List<Long> ids) implements WriteOperation {
  /// The store of the values, in the table `key_value`.
  static final String STORE = "unreadable";

  /// How many an owner keeps; what is found later is deleted.
  static final int KEPT = 100;

  private static final String COUNT =
      "select count(*) from key_value where owner_id = ? and store = ?";

  private static final String KEEP =
      """
      insert into key_value (owner_id, store, "key", value)
      select owner_id, ?, ?, stanza from message
      where id = ? and owner_id = ? and waiting = 1 and archive = 0 and sender_id is null
      """;

  @Override
  public void apply(WriterConnection writer) throws SQLException {
    long ownerId = writer.ownerIds().idOf(owner);
    if (ownerId == OwnerIds.NONE) {
      return;
    }
    writer.messages().flush();
    Handle handle = writer.handle();
    int room = KEPT - handle.select(COUNT, ownerId, STORE).mapTo(Integer.class).one();
    for (long id : ids) {
      if (room > 0) {
        room -= handle.execute(KEEP, STORE, Long.toString(id), id, ownerId);
      }
    }
    writer.messages().settle(ownerId, ids);
  }

  @Override
  public void failed(StoreException cause) {
    // They are found again when the entries are read the next time.
  }

  @Override
  public int slot() {
    return WriteQueue.slotOf(owner);
  }

  @Override
  public boolean keptInOutage() {
    return false;
  }

  @Override
  public int bytes() {
    return new Settlement(owner, ids).bytes();
  }
}
