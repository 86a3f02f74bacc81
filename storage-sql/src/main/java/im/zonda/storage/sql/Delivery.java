package im.zonda.storage.sql;

import im.zonda.store.StoreException;
import java.sql.SQLException;

/// One entry that was stored as waiting has been delivered.
///
/// @param id the entry
/// @param archive whether it stays
record Delivery(long id, boolean archive) implements Work {
  @Override
  public void apply(WriterConnection writer) throws SQLException {
    writer.messages().settle(id, archive);
  }

  @Override
  public void committed() {}

  @Override
  public void undone() {}

  @Override
  public void failed(StoreException cause) {
    // The message is delivered once more after the next start; nothing is lost.
  }

  @Override
  public boolean kept() {
    return true;
  }

  @Override
  public int bytes() {
    return 64;
  }
}
