package im.zonda.storage.sql.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the ids of one key from slices, in either direction.
final class SliceReader implements AutoCloseable {
  /// Rows that are read at a time.
  private static final int ROWS = 4;

  private final PreparedStatement from;
  private final PreparedStatement beyond;
  private final PreparedStatement before;
  private final long key;
  private final int resource;

  /// @param resource the hash of the resource that entries must have, or -1
  SliceReader(Connection connection, long key, int resource) throws SQLException {
    this.key = key;
    this.resource = resource;
    from =
        connection.prepareStatement(
            """
            select data, last_id from archive_chunk
            where slice = ? and last_key = ? and last_id >= ? order by last_id limit ?
            """);
    beyond =
        connection.prepareStatement(
            """
            select data, last_id from archive_chunk
            where slice = ? and last_key > ? order by last_key, last_id limit 1
            """);
    before =
        connection.prepareStatement(
            """
            select data, last_id from archive_chunk
            where slice = ? and last_key = ? and last_id < ? order by last_id desc limit ?
            """);
  }

  @Override
  public void close() throws SQLException {
    from.close();
    beyond.close();
    before.close();
  }

  /// Adds at least `wanted` ids from `low` to `high` to `ids`, or all; those next to one end.
  void read(Slice slice, long low, long high, int wanted, boolean backwards, Collection<Long> ids)
      throws SQLException {
    if (backwards) {
      readBackwards(slice, low, high, wanted, ids);
    } else {
      readForwards(slice, low, high, wanted, ids);
    }
  }

  private void readForwards(Slice slice, long low, long high, int wanted, Collection<Long> ids)
      throws SQLException {
    int found = 0;
    long next = low;
    while (true) {
      List<Row> rows = from(slice, next, ROWS);
      for (Row row : rows) {
        found += add(row.data, low, high, ids);
        if (found >= wanted || row.last >= high) {
          return;
        }
        next = row.last + 1;
      }
      if (rows.size() < ROWS) {
        Row last = beyond(slice);
        if (last != null) {
          add(last.data, low, high, ids);
        }
        return;
      }
    }
  }

  private void readBackwards(Slice slice, long low, long high, int wanted, Collection<Long> ids)
      throws SQLException {
    List<Row> end = from(slice, high, 1);
    Row row = end.isEmpty() ? beyond(slice) : end.getFirst();
    int found = row == null ? 0 : add(row.data, low, high, ids);
    if (found >= wanted || (row != null && startsBelowKey(row.data))) {
      return;
    }
    long next = high;
    while (true) {
      List<Row> rows = before(slice, next);
      for (Row each : rows) {
        if (each.last < low) {
          return;
        }
        found += add(each.data, low, high, ids);
        if (found >= wanted || startsBelowKey(each.data)) {
          return;
        }
        next = each.last;
      }
      if (rows.size() < ROWS) {
        return;
      }
    }
  }

  /// Whether no earlier row can have entries of the key.
  private boolean startsBelowKey(byte[] data) {
    ChunkDecoder decoder = new ChunkDecoder(data);
    return decoder.next() && decoder.key() < key;
  }

  private int add(byte[] data, long low, long high, Collection<Long> ids) {
    ChunkDecoder decoder = new ChunkDecoder(data);
    int found = 0;
    while (decoder.next() && decoder.key() <= key) {
      if (decoder.key() == key
          && decoder.id() >= low
          && decoder.id() <= high
          && (resource < 0 || decoder.resource() == resource)) {
        ids.add(decoder.id());
        found++;
      }
    }
    return found;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(byte[] data, long last) {}

  private List<Row> from(Slice slice, long id, int limit) throws SQLException {
    from.setLong(1, slice.number());
    from.setLong(2, key);
    from.setLong(3, id);
    from.setInt(4, limit);
    return rows(from);
  }

  /// The row that may end the entries of the key and begin those of others.
  private @Nullable Row beyond(Slice slice) throws SQLException {
    beyond.setLong(1, slice.number());
    beyond.setLong(2, key);
    List<Row> rows = rows(beyond);
    return rows.isEmpty() ? null : rows.getFirst();
  }

  private List<Row> before(Slice slice, long id) throws SQLException {
    before.setLong(1, slice.number());
    before.setLong(2, key);
    before.setLong(3, id);
    before.setInt(4, ROWS);
    return rows(before);
  }

  private static List<Row> rows(PreparedStatement statement) throws SQLException {
    List<Row> rows = new ArrayList<>(ROWS);
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        rows.add(new Row(row.getBytes(1), row.getLong(2)));
      }
    }
    return rows;
  }
}
