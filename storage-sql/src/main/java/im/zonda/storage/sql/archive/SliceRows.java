package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.database.SqlSyntax;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Writes the slices of the index, and reads them to merge them. Confined to the writer thread.
final class SliceRows {
  private static final int MANY = 8;
  private static final List<String> KEY = List.of("slice", "last_key", "last_id");
  private static final List<String> COLUMNS = List.of("slice", "last_key", "last_id", "data");

  private final Connection connection;
  private final PreparedStatement insertMany;
  private final PreparedStatement insertOne;
  private final PreparedStatement sameKey;
  private final PreparedStatement nextKeys;
  private final PreparedStatement boundary;
  private final PreparedStatement deleteKeys;
  private final PreparedStatement deleteIds;
  private final PreparedStatement deleteAll;
  private final PreparedStatement deleteOne;
  private final PreparedStatement start;
  private final PreparedStatement finish;
  private final PreparedStatement setLevel;
  private final PreparedStatement countRemoved;
  private final PreparedStatement forget;
  private final List<Chunk> chunks = new ArrayList<>(MANY);
  private boolean batched;

  /// A row of `archive_chunk`.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Chunk(long slice, long lastKey, long lastId, byte[] data) {}

  SliceRows(Connection connection, SqlSyntax syntax) throws SQLException {
    this.connection = connection;
    // A portion is repeated if the outcome of its commit is not known.
    insertMany =
        connection.prepareStatement(syntax.insertMissing("archive_chunk", COLUMNS, KEY, MANY));
    insertOne = connection.prepareStatement(syntax.insertMissing("archive_chunk", COLUMNS, KEY, 1));
    sameKey =
        connection.prepareStatement(
            """
            select last_key, last_id, data from archive_chunk
            where slice = ? and last_key = ? and last_id > ? order by last_id limit ?
            """);
    nextKeys =
        connection.prepareStatement(
            """
            select last_key, last_id, data from archive_chunk
            where slice = ? and last_key > ? order by last_key, last_id limit ?
            """);
    boundary =
        connection.prepareStatement(
            """
            select last_key, last_id from archive_chunk
            where slice = ? order by last_key, last_id limit 1 offset ?
            """);
    deleteKeys =
        connection.prepareStatement("delete from archive_chunk where slice = ? and last_key < ?");
    deleteIds =
        connection.prepareStatement(
            "delete from archive_chunk where slice = ? and last_key = ? and last_id < ?");
    deleteOne =
        connection.prepareStatement(
            "delete from archive_chunk where slice = ? and last_key = ? and last_id = ?");
    deleteAll = connection.prepareStatement("delete from archive_chunk where slice = ?");
    start =
        connection.prepareStatement(
            SqlSyntax.insert(
                "archive_slice",
                List.of("slice", "level", "first_id", "last_id", "entries", "removed"),
                1));
    finish =
        connection.prepareStatement(
            """
            update archive_slice set level = ?, first_id = ?, last_id = ?, entries = ?
            where slice = ?
            """);
    setLevel = connection.prepareStatement("update archive_slice set level = ? where slice = ?");
    countRemoved =
        connection.prepareStatement(
            "update archive_slice set removed = removed + ? where slice = ?");
    forget = connection.prepareStatement("delete from archive_slice where slice = ?");
  }

  void close() throws SQLException {
    for (PreparedStatement statement :
        List.of(
            insertMany,
            insertOne,
            sameKey,
            nextKeys,
            boundary,
            deleteKeys,
            deleteIds,
            deleteAll,
            deleteOne,
            start,
            finish,
            setLevel,
            countRemoved,
            forget)) {
      statement.close();
    }
  }

  /// All slices, in the order of their numbers.
  List<Slice> slices() throws SQLException {
    return Slice.readAll(connection);
  }

  /// Begins to write a slice with the next number, which is returned.
  long start(List<Slice> slices) throws SQLException {
    long number = slices.isEmpty() ? 1 : slices.getLast().number() + 1;
    start.setLong(1, number);
    start.setInt(2, Slice.WRITING);
    for (int i = 3; i <= 6; i++) {
      start.setLong(i, 0);
    }
    start.executeUpdate();
    return number;
  }

  /// Completes a slice.
  void finish(Slice slice) throws SQLException {
    flush();
    finish.setInt(1, slice.level());
    finish.setLong(2, slice.first());
    finish.setLong(3, slice.last());
    finish.setLong(4, slice.entries());
    finish.setLong(5, slice.number());
    finish.executeUpdate();
  }

  /// Takes a slice out of use; its rows are deleted later.
  void retire(Slice slice) throws SQLException {
    setLevel.setInt(1, Slice.RETIRED);
    setLevel.setLong(2, slice.number());
    setLevel.executeUpdate();
  }

  /// Counts removed entries of a slice.
  void countRemoved(Slice slice, long entries) throws SQLException {
    countRemoved.setLong(1, entries);
    countRemoved.setLong(2, slice.number());
    countRemoved.executeUpdate();
  }

  /// Adds what the encoder has, if anything, as a row of the slice.
  void add(long slice, ChunkEncoder encoder) throws SQLException {
    if (encoder.isEmpty()) {
      return;
    }
    chunks.add(new Chunk(slice, encoder.key(), encoder.id(), encoder.finish()));
    if (chunks.size() == MANY) {
      addBatch(insertMany, chunks);
      chunks.clear();
      batched = true;
    }
  }

  /// Executes the collected inserts, in as few exchanges with a database server as it can.
  void flush() throws SQLException {
    if (batched) {
      batched = false;
      insertMany.executeBatch();
    }
    if (!chunks.isEmpty()) {
      for (Chunk chunk : chunks) {
        addBatch(insertOne, List.of(chunk));
      }
      chunks.clear();
      insertOne.executeBatch();
    }
  }

  private static void addBatch(PreparedStatement statement, List<Chunk> rows) throws SQLException {
    int column = 1;
    for (Chunk row : rows) {
      statement.setLong(column++, row.slice);
      statement.setLong(column++, row.lastKey);
      statement.setLong(column++, row.lastId);
      statement.setBytes(column++, row.data);
    }
    statement.addBatch();
  }

  /// The rows of a slice that have entries after this one, at most `limit`; empty at the end.
  List<Chunk> after(long slice, long key, long id, int limit) throws SQLException {
    List<Chunk> found = new ArrayList<>(limit);
    sameKey.setLong(1, slice);
    sameKey.setLong(2, key);
    sameKey.setLong(3, id);
    sameKey.setInt(4, limit);
    read(sameKey, slice, found);
    if (found.size() < limit) {
      nextKeys.setLong(1, slice);
      nextKeys.setLong(2, key);
      nextKeys.setInt(3, limit - found.size());
      read(nextKeys, slice, found);
    }
    return found;
  }

  private static void read(PreparedStatement statement, long slice, List<Chunk> found)
      throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        found.add(new Chunk(slice, row.getLong(1), row.getLong(2), row.getBytes(3)));
      }
    }
  }

  /// Deletes about `limit` rows of a slice that is not in use, and at last the slice itself.
  void delete(Slice slice, int limit) throws SQLException {
    boundary.setLong(1, slice.number());
    boundary.setInt(2, limit);
    try (ResultSet row = boundary.executeQuery()) {
      if (row.next()) {
        deleteKeys.setLong(1, slice.number());
        deleteKeys.setLong(2, row.getLong(1));
        deleteIds.setLong(1, slice.number());
        deleteIds.setLong(2, row.getLong(1));
        deleteIds.setLong(3, row.getLong(2));
      } else {
        deleteAll.setLong(1, slice.number());
        deleteAll.executeUpdate();
        forget.setLong(1, slice.number());
        forget.executeUpdate();
        return;
      }
    }
    deleteKeys.executeUpdate();
    deleteIds.executeUpdate();
  }

  /// Deletes a late entry with [#flushLate].
  void deleteLate(long owner, long id, int with) throws SQLException {
    for (long key : new long[] {IndexKey.byTime(owner), IndexKey.byPeer(owner, with)}) {
      deleteOne.setLong(1, Slice.LATE.number());
      deleteOne.setLong(2, key);
      deleteOne.setLong(3, id);
      deleteOne.addBatch();
    }
  }

  /// Executes the collected deletions.
  void flushLate() throws SQLException {
    deleteOne.executeBatch();
  }

  /// Deletes late entries of an owner below this id.
  void deleteLate(long owner, long before) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            delete from archive_chunk
            where slice = ? and last_key >= ? and last_key <= ? and last_id < ?
            """)) {
      statement.setLong(1, Slice.LATE.number());
      statement.setLong(2, IndexKey.byTime(owner));
      statement.setLong(3, IndexKey.last(owner));
      statement.setLong(4, before);
      statement.executeUpdate();
    }
  }
}
