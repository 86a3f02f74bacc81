package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.StoredEntries;
import im.zonda.storage.sql.log.Writer;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// The archive: rows of the table `message`, found through the index tables.
public final class SqlArchive implements MessageArchive {
  private static final String OWNER = "select id from account where domain = ? and local = ?";

  private static final String ROW =
      """
      select owner_id, peer, stanza, checksum, waiting from message where id = ? and archive = 1
      """;

  private static final String HOLDS =
      "select 1 from message where id = ? and owner_id = ? and archive = 1";

  private static final String SINCE = "select id from archive_time where owner_id = ? and id >= ?";

  private static final String SKIP =
      """
      select id from archive_time where owner_id = ? and id < ? order by id desc limit 1 offset ?
      """;

  private static final String REMOVE =
      "delete from message where id = ? and owner_id = ? and archive = 1 and waiting = 0";

  private static final String REMOVE_TIME =
      "delete from archive_time where owner_id = ? and id = ?";

  private static final String REMOVE_PEER =
      "delete from archive_peer where owner_id = ? and peer = ? and id = ?";

  /// Minimum number of ids that are read at a time.
  private static final int FEW = 64;

  private final Writer writer;
  private final MessageLog log;
  private final QueryExecutor queries;
  private final StoredEntries rows;
  private final ArchiveIndexer indexer;
  private final Dialect dialect;

  public SqlArchive(
      Writer writer,
      MessageLog log,
      QueryExecutor queries,
      StoredEntries rows,
      ArchiveIndexer indexer,
      Dialect dialect) {
    this.writer = writer;
    this.log = log;
    this.queries = queries;
    this.rows = rows;
    this.indexer = indexer;
    this.dialect = dialect;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(long owner, String peer, byte[] stanza, long checksum, boolean waiting) {}

  /// A query on one connection.
  private interface Question<T extends @Nullable Object> {
    T ask(Connection connection, long owner) throws SQLException;
  }

  @Override
  public boolean searches() {
    return indexer.text() != null;
  }

  @Override
  public Page page(Jid owner, Filter filter, Portion portion) {
    Set<String> words = filter.text() == null ? Set.of() : SearchWords.of(filter.text());
    if (filter.text() != null && (words.isEmpty() || !searches())) {
      return new Page(List.of(), true);
    }
    ArchiveQuery.Known known = known();
    Page page =
        ask(
            owner,
            (connection, id) -> {
              ArchiveQuery query = query(connection, id, filter, words, portion.backwards());
              return new Reading(connection, owner, id, query.prepare(known)).page(portion);
            });
    return page == null ? new Page(List.of(), true) : page;
  }

  @Override
  public boolean holds(Jid owner, Collection<Long> ids) {
    if (ids.isEmpty()) {
      return true;
    }
    flush();
    Boolean all =
        this.<@Nullable Boolean>ask(
            owner,
            (connection, ownerId) -> {
              try (PreparedStatement statement = connection.prepareStatement(HOLDS)) {
                for (Long id : ids) {
                  statement.setLong(1, id);
                  statement.setLong(2, ownerId);
                  try (ResultSet row = statement.executeQuery()) {
                    if (!row.next()) {
                      return false;
                    }
                  }
                }
                return true;
              }
            });
    return all != null && all;
  }

  /// Flushes the queue, so that the database is complete.
  private void flush() {
    if (!writer.queue().idle()) {
      log.flush();
    }
  }

  private ArchiveQuery.Known known() {
    flush();
    TextIndex text = indexer.text();
    return new ArchiveQuery.Known(
        indexer.index().view(), text == null ? Long.MAX_VALUE : text.indexed());
  }

  private ArchiveQuery query(
      Connection connection, long owner, Filter filter, Set<String> words, boolean backwards) {
    return new ArchiveQuery(connection, indexer.syntax(), owner, filter, words, backwards);
  }

  /// The result of the query, or null if there is no such owner.
  private <T extends @Nullable Object> @Nullable T ask(Jid owner, Question<T> question) {
    return queries.<@Nullable T>query(handle -> {
      Connection connection = handle.getConnection();
      try (PreparedStatement statement = connection.prepareStatement(OWNER)) {
        statement.setString(1, owner.domain());
        statement.setString(2, OwnerIds.localOf(owner));
        long id;
        try (ResultSet row = statement.executeQuery()) {
          if (!row.next()) {
            return null;
          }
          id = row.getLong(1);
        }
        return question.ask(connection, id);
      } catch (SQLException e) {
        throw dialect.exception(e);
      }
    });
  }

  /// Reads the rows that a query finds.
  private final class Reading {
    private final Connection connection;
    private final Jid owner;
    private final long ownerId;
    private final ArchiveQuery query;

    Reading(Connection connection, Jid owner, long ownerId, ArchiveQuery query) {
      this.connection = connection;
      this.owner = owner;
      this.ownerId = ownerId;
      this.query = query;
    }

    Page page(Portion portion) throws SQLException {
      List<Entry> entries = new ArrayList<>();
      long bytes = 0;
      boolean more = false;
      try (PreparedStatement statement = connection.prepareStatement(ROW)) {
        Collection<Long> ids = query.next(Math.max(portion.max() + 1, FEW));
        while (!ids.isEmpty() && !more) {
          for (Long id : ids) {
            Row row = row(statement, id);
            if (row == null || row.owner != ownerId || !query.isWith(row.peer)) {
              continue;
            }
            Entry entry = rows.entry(owner, ownerId, id, row.peer, row.stanza, row.checksum);
            if (entry == null || !query.hasWords(entry)) {
              continue;
            }
            bytes += row.stanza.length;
            if (entries.size() == portion.max()
                || (bytes > portion.maxBytes() && !entries.isEmpty())) {
              more = true;
              break;
            }
            entries.add(entry);
          }
          ids = more ? List.of() : query.next(Math.max(portion.max() + 1, FEW));
        }
      }
      if (portion.backwards()) {
        Collections.reverse(entries);
      }
      return new Page(entries, !more);
    }

    private static @Nullable Row row(PreparedStatement statement, long id) throws SQLException {
      statement.setLong(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? new Row(
                row.getLong(1),
                row.getString(2),
                row.getBytes(3),
                row.getLong(4),
                row.getInt(5) != 0)
            : null;
      }
    }

    /// The oldest entries that the query finds, up to the first that waits for delivery.
    List<Old> oldest(int limit) throws SQLException {
      List<Old> oldest = new ArrayList<>();
      try (PreparedStatement statement = connection.prepareStatement(ROW)) {
        for (Collection<Long> ids = query.next(FEW); !ids.isEmpty(); ids = query.next(FEW)) {
          for (Long id : ids) {
            Row row = row(statement, id);
            if (oldest.size() == limit || (row != null && row.waiting)) {
              return oldest;
            }
            if (row != null && row.owner == ownerId) {
              oldest.add(new Old(id, ArchiveRun.peerOf(row.peer)));
            }
          }
        }
      }
      return oldest;
    }
  }

  @Override
  public boolean replace(Jid owner, long id, Message message) {
    return writer.change(new ReplaceMessage(indexer, rows, owner, id, message));
  }

  /// An entry to remove.
  private record Old(long id, int peer) {}

  @Override
  public int purge(Jid owner, long before, int newest, int limit) {
    ArchiveQuery.Known known = known();
    List<Old> oldest =
        ask(
            owner,
            (connection, id) -> {
              long bound = Math.max(before, bound(connection, id, known, newest));
              if (bound == Long.MIN_VALUE) {
                return List.<Old>of();
              }
              Filter filter = new Filter(null, Long.MIN_VALUE, bound - 1, null, null);
              ArchiveQuery query = query(connection, id, filter, Set.of(), false).prepare(known);
              return new Reading(connection, owner, id, query).oldest(limit);
            });
    if (oldest == null || oldest.isEmpty()) {
      return 0;
    }
    return writer.change(connection -> remove(connection, owner, oldest));
  }

  /// The id below which entries are not among the newest.
  private long bound(Connection connection, long owner, ArchiveQuery.Known known, int newest)
      throws SQLException {
    if (newest == 0) {
      return Long.MAX_VALUE;
    }
    NavigableSet<Long> recent =
        query(connection, owner, Filter.ALL, Set.of(), true).prepare(known).recent();
    long below = recent.isEmpty() ? Long.MAX_VALUE : recent.first();
    if (!recent.isEmpty()) {
      // Recent ids may be indexed already; each counts once.
      try (PreparedStatement statement = connection.prepareStatement(SINCE)) {
        statement.setLong(1, owner);
        statement.setLong(2, below);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            recent.add(row.getLong(1));
          }
        }
      }
    }
    if (newest <= recent.size()) {
      return recent.descendingSet().stream().skip(newest - 1L).findFirst().orElseThrow();
    }
    try (PreparedStatement statement = connection.prepareStatement(SKIP)) {
      statement.setLong(1, owner);
      statement.setLong(2, below);
      statement.setInt(3, newest - recent.size() - 1);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : Long.MIN_VALUE;
      }
    }
  }

  private int remove(WriterConnection writer, Jid owner, List<Old> entries) throws SQLException {
    Handle handle = writer.handle();
    String removeWords = indexer.syntax().removeWords("= ?");
    long ownerId = writer.ownerIds().idOf(owner);
    for (Old entry : entries) {
      int gone = handle.execute(REMOVE, entry.id, ownerId);
      if (gone > 0) {
        handle.execute(REMOVE_TIME, ownerId, entry.id);
        handle.execute(REMOVE_PEER, ownerId, entry.peer, entry.id);
        handle.execute(removeWords, entry.id);
        indexer.index().removed(entry.id);
      }
    }
    return entries.size();
  }
}
