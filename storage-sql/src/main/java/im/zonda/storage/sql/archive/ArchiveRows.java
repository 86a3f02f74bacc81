package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.database.SqlSyntax;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// The writer's statements of the archive's index. Confined to the writer thread.
final class ArchiveRows {
  private static final String SCAN =
      """
      select id, owner_id, peer from message where id > ? and archive = 1 order by id limit ?
      """;

  private static final String SCAN_TEXT =
      """
      select id, owner_id, stanza from message where id > ? and archive = 1 order by id limit ?
      """;

  private final SliceRows slices;
  private final PreparedStatement scan;
  private final PreparedStatement scanText;
  private final PreparedStatement account;
  private final PreparedStatement archivedFrom;
  private final PreparedStatement indexed;
  private final PreparedStatement texted;
  private final PreparedStatement words;

  /// An entry whose words are to be indexed.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record TextRow(long id, long owner, byte[] stanza) {}

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
        taker.take(row.getLong(2), last, IndexKey.with(row.getString(3)));
        count++;
      }
    }
    return count < limit ? Long.MAX_VALUE : last;
  }

  /// Reads up to `limit` entries after `id`.
  List<TextRow> scanText(long id, int limit) throws SQLException {
    List<TextRow> rows = new ArrayList<>(limit);
    scanText.setLong(1, id);
    scanText.setInt(2, limit);
    try (ResultSet row = scanText.executeQuery()) {
      while (row.next()) {
        rows.add(new TextRow(row.getLong(1), row.getLong(2), row.getBytes(3)));
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
