package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.database.SqlSyntax;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// Prepares the marks of the archive's indexes when a database is opened: for one server, which
/// keeps a part of the index in memory, or for nodes of a cluster, which write each entry to the
/// index at once.
public final class IndexMarks {
  private static final String READ = "select indexed_to, text_to from archive_mark";
  private static final String LAST = "select max(id) from message";

  private static final int SCANNED_ROWS = 2_048;

  private record Entry(long owner, long id, int with) {}

  private IndexMarks() {}

  /// Prepares the marks. For a cluster whose first node this is, indexes the whole log; each
  /// portion is committed, so that it continues after an interruption.
  ///
  /// @param connection a connection without a transaction
  /// @param isNode whether this process is a node of a cluster
  /// @param words whether there is an index of words
  public static void prepare(Connection connection, SqlSyntax syntax, boolean isNode, boolean words)
      throws SQLException {
    long indexed = number(connection, READ, 1);
    long text = number(connection, READ, 2);
    boolean endsIndex = !isNode && indexed == ArchiveIndex.SHARED;
    boolean endsText = !(isNode && words) && text == ArchiveIndex.SHARED;
    boolean sharesIndex = isNode && indexed != ArchiveIndex.SHARED;
    boolean sharesText = isNode && words && text != ArchiveIndex.SHARED;
    if (!endsIndex && !endsText && !sharesIndex && !sharesText) {
      return;
    }
    connection.setAutoCommit(false);
    ArchiveRows rows = new ArchiveRows(connection, syntax);
    try {
      long last = number(connection, LAST, 1);
      if (endsIndex) {
        rows.indexedTo(last);
      }
      if (endsText) {
        rows.textTo(last);
      }
      if (sharesIndex) {
        indexAll(connection, rows, indexed);
      }
      if (sharesText) {
        indexWords(connection, rows, text);
      }
      connection.commit();
    } finally {
      rows.close();
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  /// Adds all entries that are not in slices as late ones.
  private static void indexAll(Connection connection, ArchiveRows rows, long indexed)
      throws SQLException {
    long read = indexed;
    while (read != ArchiveIndex.SHARED) {
      List<Entry> entries = new ArrayList<>();
      read =
          rows.scan(
              read, SCANNED_ROWS, (owner, id, with) -> entries.add(new Entry(owner, id, with)));
      for (Entry entry : entries) {
        rows.addLate(entry.owner, entry.id, entry.with);
      }
      rows.flush();
      rows.indexedTo(read);
      connection.commit();
    }
  }

  private static void indexWords(Connection connection, ArchiveRows rows, long indexed)
      throws SQLException {
    TextIndex text = new TextIndex(indexed);
    while (text.runPortion(rows)) {
      connection.commit();
    }
    text.runRest(rows);
    rows.textTo(ArchiveIndex.SHARED);
  }

  private static long number(Connection connection, String query, int column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(column) : 0;
    }
  }
}
