package im.zonda.storage.sql;

import im.zonda.jid.Jid;
import im.zonda.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/// Entries of one owner, known by their ids, have been delivered.
///
/// @param owner whose they are
/// @param ids the entries
record Settlement(Jid owner, List<Long> ids) implements Work {
  @Override
  public void apply(WriterConnection writer) throws SQLException {
    long ownerId = writer.owners().idOf(owner);
    if (ownerId != Owners.NONE) {
      writer.messages().settle(ownerId, ids);
    }
  }

  @Override
  public void committed() {}

  @Override
  public void undone() {}

  @Override
  public void failed(StoreException cause) {
    // The messages are delivered once more after the next start; nothing is lost.
  }

  @Override
  public boolean kept() {
    return true;
  }

  @Override
  public int bytes() {
    return 64 + 24 * ids.size();
  }
}
