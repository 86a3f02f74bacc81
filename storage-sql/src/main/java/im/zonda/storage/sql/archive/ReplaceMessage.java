package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.sql.log.BlockingWrite;
import im.zonda.storage.sql.log.StoredEntries;
import im.zonda.storage.sql.log.StoredMessage;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.MessageLog;
import im.zonda.xml.ByteArraySink;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/// Replaces the message of an archived entry. Time and other party of the entry do not change; its
/// words in the index do.
///
/// @param indexer indexes the new words
/// @param rows reads the entry; a damaged row is not changed
/// @param owner the owner of the archive
/// @param id the id of the entry
/// @param message the new message
record ReplaceMessage(
    ArchiveIndexer indexer, StoredEntries rows, Jid owner, long id, Message message)
    implements BlockingWrite.Body<Boolean> {
  private static final String FIND =
      "select peer, stanza, checksum from message where id = ? and owner_id = ? and archive = 1";

  private static final String PUT =
      "update message set stanza = ?, checksum = ? where id = ? and owner_id = ?";

  @Override
  public Boolean run(WriterConnection writer) throws SQLException {
    Handle handle = writer.handle();
    long ownerId = writer.ownerIds().idOf(owner);
    MessageLog.Entry old =
        handle
            .createQuery(FIND)
            .bind(0, id)
            .bind(1, ownerId)
            .map((row, context) ->
                rows.entry(owner, ownerId, id, row.getString(1), row.getBytes(2), row.getLong(3)))
            .findOne()
            .orElse(null);
    if (old == null) {
      return false;
    }
    ByteArraySink sink = new ByteArraySink(message.writtenSize());
    message.writeTo(sink);
    byte[] stanza = sink.toByteArray();
    handle
        .createUpdate(PUT)
        .bind(0, stanza)
        .bind(1, StoredMessage.checksum(id, ownerId, old.with(), stanza))
        .bind(2, id)
        .bind(3, ownerId)
        .execute();
    handle.execute(indexer.syntax().removeWords("= ?"), id);
    indexer.replaced(ownerId, id, message);
    return true;
  }
}
