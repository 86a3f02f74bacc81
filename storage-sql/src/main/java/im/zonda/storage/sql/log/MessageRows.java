package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.store.MessageLog;
import im.zonda.xml.ByteArraySink;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Writes rows of the message log. This is the writer's hot path.
///
/// Rows are collected and inserted by multi-row statements, at less than half the cost of single
/// inserts. Deliveries are collected too and executed after the inserts; they concern other or
/// earlier rows.
final class MessageRows {
  private static final int[] INSERT_SIZES = {64, 16, 4, 1};
  private static final int[] SETTLE_SIZES = {64, 16, 1};
  private static final int MAX_ROWS = 64;

  /// A database server has a limit for the size of a statement.
  private static final int MAX_BYTES = 1 << 20;

  private static final List<String> COLUMNS =
      List.of("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id");

  /// Of a node of a cluster.
  private static final List<String> WITH_ORIGIN =
      List.of(
          "id",
          "owner_id",
          "peer",
          "waiting",
          "archive",
          "stanza",
          "checksum",
          "sender_id",
          "origin");

  private static final String KEEP = "update message set waiting = 0 where waiting = 1 and id in ";
  private static final String DELETE =
      "delete from message where archive = 0 and sender_id is null and id in ";
  private static final String KEEP_OWNED =
      "update message set waiting = 0 where owner_id = ? and waiting = 1 and id in ";
  private static final String DELETE_OWNED =
      "delete from message where owner_id = ? and archive = 0 and sender_id is null and id in ";

  private static final int SINK_BYTES = 8_192;

  private ByteArraySink sink = new ByteArraySink(SINK_BYTES);
  private final List<String> columns;
  private final Row[] rows = new Row[MAX_ROWS];
  private int count;
  private int bytes;
  private final LongList archived = new LongList();
  private final LongList ended = new LongList();
  private final PreparedStatement[] inserts = new PreparedStatement[INSERT_SIZES.length];
  private final PreparedStatement[] keeps = new PreparedStatement[SETTLE_SIZES.length];
  private final PreparedStatement[] deletes = new PreparedStatement[SETTLE_SIZES.length];
  private final PreparedStatement[] keepsOwned = new PreparedStatement[SETTLE_SIZES.length];
  private final PreparedStatement[] deletesOwned = new PreparedStatement[SETTLE_SIZES.length];

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(
      long id,
      long ownerId,
      String peer,
      boolean waiting,
      boolean archive,
      byte[] stanza,
      long checksum,
      long senderId,
      long origin) {}

  /// @param origins whether rows have the origin of their entry
  MessageRows(Connection connection, boolean origins) throws SQLException {
    columns = origins ? WITH_ORIGIN : COLUMNS;
    for (int i = 0; i < INSERT_SIZES.length; i++) {
      inserts[i] =
          connection.prepareStatement(SqlSyntax.insert("message", columns, INSERT_SIZES[i]));
    }
    for (int i = 0; i < SETTLE_SIZES.length; i++) {
      String ids = SqlSyntax.parameters(SETTLE_SIZES[i]);
      keeps[i] = connection.prepareStatement(KEEP + ids);
      deletes[i] = connection.prepareStatement(DELETE + ids);
      keepsOwned[i] = connection.prepareStatement(KEEP_OWNED + ids);
      deletesOwned[i] = connection.prepareStatement(DELETE_OWNED + ids);
    }
  }

  /// Adds a row. The message is serialised here, on the writer thread.
  ///
  /// @param senderId the account that has the message in its archive as its sender, or
  ///   [OwnerIds#NONE]
  void insert(long ownerId, MessageLog.Entry entry, boolean waiting, boolean archive, long senderId)
      throws SQLException {
    sink.clear();
    entry.message().writeTo(sink);
    byte[] stanza = sink.toByteArray();
    if (stanza.length > SINK_BYTES) {
      sink = new ByteArraySink(SINK_BYTES); // do not retain a buffer for the largest message
    }
    Jid peer = entry.with();
    rows[count++] =
        new Row(
            entry.id(),
            ownerId,
            peer.toString(),
            waiting,
            archive,
            stanza,
            StoredMessage.checksum(entry.id(), ownerId, peer, stanza),
            senderId,
            entry.origin());
    bytes += stanza.length;
    if (count == MAX_ROWS || bytes > MAX_BYTES) {
      writeRows();
    }
  }

  /// Records the delivery of an entry.
  void settle(long id, boolean archive) {
    (archive ? archived : ended).add(id);
  }

  /// Records the delivery of entries of an owner.
  void settle(long ownerId, List<Long> ids) throws SQLException {
    flush();
    int done = 0;
    for (int i = 0; i < SETTLE_SIZES.length; i++) {
      while (ids.size() - done >= SETTLE_SIZES[i]) {
        List<Long> some = ids.subList(done, done + SETTLE_SIZES[i]);
        settle(deletesOwned[i], ownerId, some);
        settle(keepsOwned[i], ownerId, some);
        done += SETTLE_SIZES[i];
      }
    }
  }

  private static void settle(PreparedStatement statement, long ownerId, List<Long> ids)
      throws SQLException {
    statement.setLong(1, ownerId);
    for (int i = 0; i < ids.size(); i++) {
      statement.setLong(i + 2, ids.get(i));
    }
    statement.executeUpdate();
  }

  /// Executes the collected statements.
  void flush() throws SQLException {
    writeRows();
    settle(archived, keeps);
    settle(ended, deletes);
  }

  /// Closes the statements and discards what was collected.
  void close() throws SQLException {
    for (PreparedStatement[] statements :
        new PreparedStatement[][] {inserts, keeps, deletes, keepsOwned, deletesOwned}) {
      for (PreparedStatement statement : statements) {
        statement.close();
      }
    }
  }

  private void writeRows() throws SQLException {
    int done = 0;
    for (int i = 0; i < INSERT_SIZES.length; i++) {
      while (count - done >= INSERT_SIZES[i]) {
        bind(inserts[i], done, INSERT_SIZES[i]);
        inserts[i].executeUpdate();
        done += INSERT_SIZES[i];
      }
    }
    Arrays.fill(rows, 0, count, null);
    count = 0;
    bytes = 0;
  }

  private void bind(PreparedStatement insert, int from, int size) throws SQLException {
    for (int i = 0; i < size; i++) {
      Row row = Objects.requireNonNull(rows[from + i]);
      int column = i * columns.size();
      insert.setLong(column + 1, row.id);
      insert.setLong(column + 2, row.ownerId);
      insert.setString(column + 3, row.peer);
      insert.setInt(column + 4, row.waiting ? 1 : 0);
      insert.setInt(column + 5, row.archive ? 1 : 0);
      insert.setBytes(column + 6, row.stanza);
      insert.setLong(column + 7, row.checksum);
      if (row.senderId == OwnerIds.NONE) {
        insert.setNull(column + 8, Types.BIGINT);
      } else {
        insert.setLong(column + 8, row.senderId);
      }
      if (columns.size() > COLUMNS.size()) {
        setOrigin(insert, column + COLUMNS.size() + 1, row.origin);
      }
    }
  }

  private static void setOrigin(PreparedStatement insert, int column, long origin)
      throws SQLException {
    if (origin == 0) {
      insert.setNull(column, Types.BIGINT);
    } else {
      insert.setLong(column, origin);
    }
  }

  private static void settle(LongList ids, PreparedStatement[] statements) throws SQLException {
    int done = 0;
    for (int i = 0; i < SETTLE_SIZES.length; i++) {
      while (ids.size() - done >= SETTLE_SIZES[i]) {
        for (int k = 0; k < SETTLE_SIZES[i]; k++) {
          statements[i].setLong(k + 1, ids.get(done + k));
        }
        statements[i].executeUpdate();
        done += SETTLE_SIZES[i];
      }
    }
    ids.clear();
  }

  /// A growing list of unboxed numbers.
  private static final class LongList {
    private long[] values = new long[64];
    private int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, size * 2);
      }
      values[size++] = value;
    }

    long get(int index) {
      return values[index];
    }

    int size() {
      return size;
    }

    void clear() {
      size = 0;
    }
  }
}
