package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.database.IdList;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.storage.sql.log.StoredMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Removes messages from the archive of one of their owners. A row that a sender and a receiver
/// share is deleted when both have removed it.
final class ArchivedParts implements AutoCloseable {
  private static final IdList IDS = IdList.MANY;
  private static final String FIND =
      "select id, owner_id, sender_id, waiting, archive from message where id in ";
  private static final String FIND_SHARED =
      """
      select id, owner_id, sender_id, waiting, archive, peer, sender_peer, stanza from message
      where id in
      """;
  private static final String DELETE = "delete from message where id in ";
  private static final String RECEIVED = "update message set waiting = 0, archive = 0 where id in ";
  private static final String SENT =
      """
      update message
      set sender_id = null, sender_peer = null, sender_stanza = null, sender_checksum = null
      where id in
      """;

  private final @Nullable ArchiveRows late;
  private final PreparedStatement find;
  private final PreparedStatement delete;
  private final PreparedStatement received;
  private final PreparedStatement sent;
  private final PreparedStatement words;

  /// What is to be done with the rows of some messages.
  ///
  /// @param gone the owner has the message alone: deleted
  /// @param received the owner has received it; its sender still has it
  /// @param sent the owner has sent it; its receiver still has it
  private record Parts(List<Long> gone, List<Long> received, List<Long> sent) {
    Parts() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  ArchivedParts(Connection connection, ArchiveIndexer indexer) throws SQLException {
    SqlSyntax syntax = indexer.syntax();
    late = indexer.isShared() ? indexer.rows() : null;
    find =
        connection.prepareStatement(
            late == null
                ? FIND + IDS.sql()
                : FIND_SHARED + IDS.sql() + " order by id" + indexer.lockingRows());
    delete = connection.prepareStatement(DELETE + IDS.sql());
    received = connection.prepareStatement(RECEIVED + IDS.sql());
    sent = connection.prepareStatement(SENT + IDS.sql());
    words = connection.prepareStatement(syntax.removeWords("in " + IDS.sql()));
  }

  /// Removes the owner's parts of the rows. The words of another part stay in the index of words,
  /// and so do those of the removed one: a search finds no message for them.
  void remove(long owner, List<Long> ids) throws SQLException {
    for (List<Long> some : IDS.split(ids)) {
      Parts parts = find(owner, some);
      if (late != null) {
        late.slices().flushLate();
      }
      execute(delete, parts.gone);
      execute(words, parts.gone);
      execute(received, parts.received);
      execute(sent, parts.sent);
    }
  }

  private Parts find(long owner, List<Long> ids) throws SQLException {
    Parts parts = new Parts();
    IDS.set(find, 1, ids);
    try (ResultSet row = find.executeQuery()) {
      while (row.next()) {
        long id = row.getLong(1);
        boolean isOwner = row.getLong(2) == owner;
        long sender = row.getLong(3);
        boolean shared = !row.wasNull();
        boolean hasOwner = row.getInt(4) != 0 || row.getInt(5) != 0;
        if (late != null && (isOwner || (shared && sender == owner))) {
          late.slices().deleteLate(owner, id, with(isOwner, row));
        }
        if (isOwner) {
          (shared ? parts.received : parts.gone).add(id);
        } else if (shared && sender == owner) {
          (hasOwner ? parts.sent : parts.gone).add(id);
        }
      }
    }
    return parts;
  }

  /// The hashes of the other party, by which a late entry is found.
  private static int with(boolean isOwner, ResultSet row) throws SQLException {
    if (isOwner) {
      return IndexKey.with(row.getString(6));
    }
    try {
      return IndexKey.with(StoredMessage.senderPeer(row.getString(7), row.getBytes(8)));
    } catch (StoredMessage.DamagedRow e) {
      return IndexKey.with(""); // as it was indexed
    }
  }

  private static void execute(PreparedStatement statement, List<Long> ids) throws SQLException {
    if (!ids.isEmpty()) {
      IDS.set(statement, 1, ids);
      statement.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    find.close();
    delete.close();
    received.close();
    sent.close();
    words.close();
  }
}
