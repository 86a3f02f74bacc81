package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.database.SqlSyntax;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Writes the rows of the index tables. Confined to the writer thread.
final class ArchiveRows {
  private static final int MANY = 64;

  private static final String SCAN =
      """
      select id, owner_id, peer from message where id > ? and archive = 1 order by id limit ?
      """;

  private static final String SCAN_TEXT =
      """
      select id, owner_id, stanza from message where id > ? and archive = 1 order by id limit ?
      """;

  private final PreparedStatement scan;
  private final PreparedStatement scanText;
  private final PreparedStatement account;
  private final PreparedStatement message;
  private final PreparedStatement indexed;
  private final PreparedStatement texted;
  private final PreparedStatement words;
  private final PreparedStatement manyTimes;
  private final PreparedStatement oneTime;
  private final PreparedStatement manyPeers;
  private final PreparedStatement onePeer;
  private final List<TimeRow> times = new ArrayList<>(MANY);
  private final List<PeerRow> peers = new ArrayList<>(MANY);

  private record TimeRow(long owner, long id) {}

  private record PeerRow(long owner, int peer, long id, int resource) {}

  /// An entry whose words are to be indexed.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record TextRow(long id, long owner, byte[] stanza) {}

  ArchiveRows(Connection connection, SqlSyntax syntax) throws SQLException {
    scan = connection.prepareStatement(SCAN);
    scanText = connection.prepareStatement(SCAN_TEXT);
    account = connection.prepareStatement("select 1 from account where id = ?");
    message = connection.prepareStatement("select 1 from message where id = ?");
    indexed = connection.prepareStatement("update archive_mark set indexed_to = ?");
    texted = connection.prepareStatement("update archive_mark set text_to = ?");
    words = connection.prepareStatement(syntax.addWords());
    manyTimes = connection.prepareStatement(insertTimes(syntax, MANY));
    oneTime = connection.prepareStatement(insertTimes(syntax, 1));
    manyPeers = connection.prepareStatement(insertPeers(syntax, MANY));
    onePeer = connection.prepareStatement(insertPeers(syntax, 1));
  }

  private static String insertTimes(SqlSyntax syntax, int rows) {
    List<String> columns = List.of("owner_id", "id");
    return syntax.insertMissing("archive_time", columns, columns, rows);
  }

  private static String insertPeers(SqlSyntax syntax, int rows) {
    return syntax.insertMissing(
        "archive_peer",
        List.of("owner_id", "peer", "id", "resource"),
        List.of("owner_id", "peer", "id"),
        rows);
  }

  void close() throws SQLException {
    for (PreparedStatement statement :
        List.of(
            scan, scanText, account, message, indexed, texted, words, manyTimes, oneTime, manyPeers,
            onePeer)) {
      statement.close();
    }
  }

  /// Reads the next run of rows after `id`.
  ArchiveRun scan(long id) throws SQLException {
    ArchiveRun run = new ArchiveRun();
    scan.setLong(1, id);
    scan.setInt(2, ArchiveRun.ROWS);
    try (ResultSet row = scan.executeQuery()) {
      while (row.next()) {
        run.add(row.getLong(2), row.getLong(1), row.getString(3));
      }
    }
    run.finish();
    return run;
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
    return exists(account, owner);
  }

  /// Whether there is an entry with that id.
  boolean isMessage(long id) throws SQLException {
    return exists(message, id);
  }

  private static boolean exists(PreparedStatement query, long number) throws SQLException {
    query.setLong(1, number);
    try (ResultSet row = query.executeQuery()) {
      return row.next();
    }
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

  void addTime(long owner, long id) throws SQLException {
    times.add(new TimeRow(owner, id));
    if (times.size() == MANY) {
      bindTimes(manyTimes, times);
    }
  }

  void addPeer(long owner, int peer, long id, int resource) throws SQLException {
    peers.add(new PeerRow(owner, peer, id, resource));
    if (peers.size() == MANY) {
      bindPeers(manyPeers, peers);
    }
  }

  /// Executes the collected statements.
  void flush() throws SQLException {
    for (TimeRow row : List.copyOf(times)) {
      bindTimes(oneTime, List.of(row));
    }
    for (PeerRow row : List.copyOf(peers)) {
      bindPeers(onePeer, List.of(row));
    }
  }

  private void bindTimes(PreparedStatement insert, List<TimeRow> rows) throws SQLException {
    int column = 1;
    for (TimeRow row : rows) {
      insert.setLong(column++, row.owner);
      insert.setLong(column++, row.id);
    }
    insert.executeUpdate();
    times.clear();
  }

  private void bindPeers(PreparedStatement insert, List<PeerRow> rows) throws SQLException {
    int column = 1;
    for (PeerRow row : rows) {
      insert.setLong(column++, row.owner);
      insert.setInt(column++, row.peer);
      insert.setLong(column++, row.id);
      insert.setInt(column++, row.resource);
    }
    insert.executeUpdate();
    peers.clear();
  }
}
