package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.sql.log.BlockingWrite;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.StoredEntries;
import im.zonda.storage.sql.log.StoredMessage;
import im.zonda.storage.sql.log.StoredRow;
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
  private static final String PUT = "update message set stanza = ?, checksum = ? where id = ?";

  private static final String PUT_SENT =
      """
      update message set sender_peer = ?, sender_stanza = ?, sender_checksum = ? where id = ?
      """;

  @Override
  public Boolean run(WriterConnection writer) throws SQLException {
    Handle handle = writer.handle();
    long ownerId = writer.ownerIds().idOf(owner);
    StoredRow row =
        handle
            .createQuery(StoredRow.BY_ID + indexer.lockingRows())
            .bind(0, id)
            .map((found, context) -> StoredRow.of(found))
            .findOne()
            .orElse(null);
    if (row == null || !row.isArchivedBy(ownerId)) {
      return false;
    }
    MessageLog.Entry old = rows.entry(owner, ownerId, row);
    if (old == null) {
      return false;
    }
    String words = SearchWords.tokens(ownerId, message);
    try {
      if (row.senderId() == ownerId) {
        putSent(handle, ownerId, old.with().toString(), bytes());
        if (row.archive()) {
          words += " " + SearchWords.tokens(row.ownerId(), StoredMessage.message(row.stanza()));
        }
      } else {
        if (row.senderId() != OwnerIds.NONE) {
          words += " " + keepSent(handle, row);
        }
        byte[] stanza = bytes();
        handle.execute(PUT, stanza, StoredMessage.checksum(id, ownerId, old.with(), stanza), id);
      }
    } catch (StoredMessage.DamagedRow e) {
      return false; // reading the other part reports it
    }
    handle.execute(indexer.syntax().removeWords("= ?"), id);
    indexer.replaced(id, words);
    return true;
  }

  private byte[] bytes() {
    ByteArraySink sink = new ByteArraySink(message.writtenSize());
    message.writeTo(sink);
    return sink.toByteArray();
  }

  /// Keeps the sender's part as it is when the receiver's message is replaced. Returns its words.
  private String keepSent(Handle handle, StoredRow row) throws StoredMessage.DamagedRow {
    StoredRow.Replaced replaced = row.replaced();
    byte[] stanza = replaced == null ? row.stanza() : replaced.stanza();
    if (replaced == null) {
      putSent(handle, row.senderId(), StoredMessage.senderPeer(null, stanza), stanza);
    }
    return SearchWords.tokens(row.senderId(), StoredMessage.message(stanza));
  }

  private void putSent(Handle handle, long senderId, String peer, byte[] stanza) {
    long checksum = StoredMessage.checksum(id, senderId, Jid.stored(peer), stanza);
    handle.execute(PUT_SENT, peer, stanza, checksum, id);
  }
}
