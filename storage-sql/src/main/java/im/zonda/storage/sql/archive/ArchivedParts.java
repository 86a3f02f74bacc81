package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.database.SqlSyntax;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/// Removes messages from the archives of their owners. A row that a sender and a receiver share
/// goes when neither has it any more.
final class ArchivedParts implements AutoCloseable {
  private final PreparedStatement alone;
  private final PreparedStatement received;
  private final PreparedStatement sentLast;
  private final PreparedStatement sent;
  private final PreparedStatement words;

  ArchivedParts(Connection connection, SqlSyntax syntax) throws SQLException {
    alone =
        connection.prepareStatement(
            "delete from message where id = ? and owner_id = ? and sender_id is null");
    received =
        connection.prepareStatement(
            "update message set waiting = 0, archive = 0 where id = ? and owner_id = ?");
    sentLast =
        connection.prepareStatement(
            """
            delete from message where id = ? and sender_id = ? and waiting = 0 and archive = 0
            """);
    sent =
        connection.prepareStatement(
            """
            update message
            set sender_id = null, sender_peer = null, sender_stanza = null, sender_checksum = null
            where id = ? and sender_id = ?
            """);
    words = connection.prepareStatement(syntax.removeWords("= ?"));
  }

  /// Removes the owner's part of a row. The words of the other part stay in the index of words, and
  /// so do those of this one: a search finds no message for them.
  void remove(long owner, long id) throws SQLException {
    if (execute(alone, id, owner)) {
      removeWords(id);
    } else if (!execute(received, id, owner)) {
      if (execute(sentLast, id, owner)) {
        removeWords(id);
      } else {
        execute(sent, id, owner);
      }
    }
  }

  private void removeWords(long id) throws SQLException {
    words.setLong(1, id);
    words.executeUpdate();
  }

  private static boolean execute(PreparedStatement statement, long id, long owner)
      throws SQLException {
    statement.setLong(1, id);
    statement.setLong(2, owner);
    return statement.executeUpdate() > 0;
  }

  @Override
  public void close() throws SQLException {
    alone.close();
    received.close();
    sentLast.close();
    sent.close();
    words.close();
  }
}
