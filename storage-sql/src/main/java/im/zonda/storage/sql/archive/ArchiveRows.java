package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.storage.sql.log.StoredMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The writer's statements of the archive's index. Confined to the writer thread.
final class ArchiveRows {
  private static final Logger log = LoggerFactory.getLogger(ArchiveRows.class);

  private static final String SCAN =
      """
      select id, owner_id, peer, archive, sender_id, sender_peer, stanza from message
      where id > ? and (archive = 1 or sender_id is not null) order by id limit ?
      """;

  private static final String SCAN_TEXT =
      """
      select id, owner_id, archive, stanza, sender_id, sender_stanza from message
      where id > ? and (archive = 1 or sender_id is not null) order by id limit ?
      """;

  private final SliceRows slices;
  private final PreparedStatement scan;
  private final PreparedStatement scanText;
  private final PreparedStatement account;
  private final PreparedStatement archivedFrom;
  private final PreparedStatement indexed;
  private final PreparedStatement texted;
  private final PreparedStatement words;

  /// A row whose words are to be indexed.
  ///
  /// @param parts the owners that have it in their archives, and their messages
  record TextRow(long id, List<TextPart> parts) {}

  /// The message of one owner.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record TextPart(long owner, byte[] stanza) {}

  /// Receives the rows of a scan.
  interface Taker {
    void take(long owner, long id, int with);
  }

  ArchiveRows(Connection connection, SqlSyntax syntax) throws SQLException {
    slices = new SliceRows(connection, syntax);
    scan = connection.prepareStatement(SCAN);
    scanText = connection.prepareStatement(SCAN_TEXT);
    account = connection.prepareStatement("select archived_from from account where id = ?");
    archivedFrom = connection.prepareStatement("update account set archived_from = ? where id = ?");
    indexed = connection.prepareStatement("update archive_mark set indexed_to = ?");
    texted = connection.prepareStatement("update archive_mark set text_to = ?");
    words = connection.prepareStatement(syntax.addWords());
  }

  void close() throws SQLException {
    slices.close();
    for (PreparedStatement statement :
        List.of(scan, scanText, account, archivedFrom, indexed, texted, words)) {
      statement.close();
    }
  }

  /// The slices of the index.
  SliceRows slices() {
    return slices;
  }

  /// Passes up to `limit` rows of the log after `id` on. Returns the id of the last one, or the
  /// highest possible id if there are no more.
  long scan(long id, int limit, Taker taker) throws SQLException {
    scan.setLong(1, id);
    scan.setInt(2, limit);
    long last = id;
    int count = 0;
    try (ResultSet row = scan.executeQuery()) {
      while (row.next()) {
        last = row.getLong(1);
        if (row.getInt(4) != 0) {
          taker.take(row.getLong(2), last, IndexKey.with(row.getString(3)));
        }
        long sender = row.getLong(5);
        if (!row.wasNull()) {
          taker.take(sender, last, IndexKey.with(senderPeer(last, row)));
        }
        count++;
      }
    }
    return count < limit ? Long.MAX_VALUE : last;
  }

  private static String senderPeer(long id, ResultSet row) throws SQLException {
    try {
      return StoredMessage.senderPeer(row.getString(6), row.getBytes(7));
    } catch (StoredMessage.DamagedRow e) {
      // Reading the entry reports the damage; its owner finds it by time.
      log.atWarn().addKeyValue("id", id).setCause(e).log("store_entry_without_peer");
      return "";
    }
  }

  /// Reads up to `limit` entries after `id`.
  List<TextRow> scanText(long id, int limit) throws SQLException {
    List<TextRow> rows = new ArrayList<>(limit);
    scanText.setLong(1, id);
    scanText.setInt(2, limit);
    try (ResultSet row = scanText.executeQuery()) {
      while (row.next()) {
        List<TextPart> parts = new ArrayList<>(2);
        byte[] stanza = row.getBytes(4);
        if (row.getInt(3) != 0) {
          parts.add(new TextPart(row.getLong(2), stanza));
        }
        long sender = row.getLong(5);
        if (!row.wasNull()) {
          byte[] replaced = row.getBytes(6);
          parts.add(new TextPart(sender, replaced == null ? stanza : replaced));
        }
        rows.add(new TextRow(row.getLong(1), parts));
      }
    }
    return rows;
  }

  /// Whether there is an owner with that id.
  boolean isAccount(long owner) throws SQLException {
    return archivedFrom(owner) != Long.MAX_VALUE;
  }

  /// The owner has no archived entries below this id. The highest possible id if there is no such
  /// owner.
  long archivedFrom(long owner) throws SQLException {
    account.setLong(1, owner);
    try (ResultSet row = account.executeQuery()) {
      return row.next() ? row.getLong(1) : Long.MAX_VALUE;
    }
  }

  /// Records that the owner has no archived entries below this id.
  void setArchivedFrom(long owner, long id) throws SQLException {
    archivedFrom.setLong(1, id);
    archivedFrom.setLong(2, owner);
    archivedFrom.executeUpdate();
  }

  /// Records that everything up to this id is indexed.
  void indexedTo(long id) throws SQLException {
    indexed.setLong(1, id);
    indexed.executeUpdate();
  }

  /// Records that the words of everything up to this id are indexed.
  void textTo(long id) throws SQLException {
    texted.setLong(1, id);
    texted.executeUpdate();
  }

  void addWords(long id, String tokens) throws SQLException {
    words.setLong(1, id);
    words.setString(2, tokens);
    words.executeUpdate();
  }

  /// Adds the words of entries, by their ids.
  void addWords(Map<Long, String> tokens) throws SQLException {
    for (Map.Entry<Long, String> each : tokens.entrySet()) {
      words.setLong(1, each.getKey());
      words.setString(2, each.getValue());
      words.addBatch();
    }
    words.executeBatch();
  }

  /// Adds an entry that was late.
  void addLate(long owner, long id, int with) throws SQLException {
    ChunkEncoder encoder = new ChunkEncoder();
    encoder.add(IndexKey.byTime(owner), id, 0);
    slices.add(Slice.LATE.number(), encoder);
    encoder.add(IndexKey.byPeer(owner, with), id, IndexKey.resource(with));
    slices.add(Slice.LATE.number(), encoder);
  }

  /// Executes the collected statements.
  void flush() throws SQLException {
    slices.flush();
  }
}
