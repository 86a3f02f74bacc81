package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.database.IdList;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.StoredEntries;
import im.zonda.storage.sql.log.StoredRow;
import im.zonda.storage.sql.log.Writer;
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
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The archive: rows of the table `message`, found through the index tables.
public final class SqlArchive implements MessageArchive {
  private static final String OWNER =
      "select id, archived_from from account where domain = ? and local = ?";

  private static final IdList IDS = IdList.MANY;

  /// Few, because a row may be as large as the largest message.
  private static final IdList ROWS = new IdList(16);

  private static final String HOLDS =
      "select count(*) from message"
          + " where ((owner_id = ? and archive = 1) or sender_id = ?) and id in "
          + IDS.sql();

  private static final String READ = StoredRow.SELECT + "in " + ROWS.sql() + " order by id";

  /// Minimum number of ids that are read at a time.
  private static final int FEW = 64;

  /// Ids that are counted at a time.
  private static final int COUNTED = 4_096;

  /// Entries that are removed in one transaction.
  private static final int REMOVED = 200;

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

  /// A query on one connection, which sees one state of the database.
  private interface Question<T extends @Nullable Object> {
    /// @param from the owner has no archived entries below this id
    T ask(Connection connection, long owner, long from) throws SQLException;
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
            filter.text() != null,
            (connection, id, from) -> {
              ArchiveQuery query =
                  query(connection, id, since(filter, from), words, portion.backwards());
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
    List<Long> distinct = List.copyOf(new HashSet<>(ids));
    Boolean all =
        this.<@Nullable Boolean>ask(
            owner, false, (connection, ownerId, from) -> holds(connection, ownerId, distinct));
    return all != null && all;
  }

  private static boolean holds(Connection connection, long ownerId, List<Long> ids)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(HOLDS)) {
      for (List<Long> some : IDS.split(ids)) {
        statement.setLong(1, ownerId);
        statement.setLong(2, ownerId);
        IDS.set(statement, 3, some);
        try (ResultSet row = statement.executeQuery()) {
          if (!row.next() || row.getInt(1) != some.size()) {
            return false;
          }
        }
      }
      return true;
    }
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
  ///
  /// @param searches whether it is a search, which may take long
  private <T extends @Nullable Object> @Nullable T ask(
      Jid owner, boolean searches, Question<T> question) {
    QueryExecutor.Query<@Nullable T> query =
        handle -> askInTransaction(handle.getConnection(), owner, question);
    return searches ? queries.search(query) : queries.query(query);
  }

  private <T extends @Nullable Object> @Nullable T askInTransaction(
      Connection connection, Jid owner, Question<T> question) {
    try {
      connection.setAutoCommit(false);
      try {
        return ask(connection, owner, question);
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
  }

  private static <T extends @Nullable Object> @Nullable T ask(
      Connection connection, Jid owner, Question<T> question) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OWNER)) {
      statement.setString(1, owner.domain());
      statement.setString(2, OwnerIds.localOf(owner));
      long id;
      long from;
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        id = row.getLong(1);
        from = row.getLong(2);
      }
      return question.ask(connection, id, from);
    }
  }

  private static Filter since(Filter filter, long from) {
    return from <= filter.from()
        ? filter
        : new Filter(filter.with(), from, filter.to(), filter.ids(), filter.text());
  }

  /// Reads the rows that a query finds.
  private final class Reading {
    private final Connection connection;
    private final Jid owner;
    private final long ownerId;
    private final ArchiveQuery query;
    private long bytes;

    Reading(Connection connection, Jid owner, long ownerId, ArchiveQuery query) {
      this.connection = connection;
      this.owner = owner;
      this.ownerId = ownerId;
      this.query = query;
    }

    Page page(Portion portion) throws SQLException {
      List<Entry> entries = new ArrayList<>();
      boolean more = false;
      try (PreparedStatement statement = connection.prepareStatement(READ)) {
        int wanted = Math.max(portion.max() + 1, FEW);
        List<Long> ids = List.copyOf(query.next(wanted));
        while (!ids.isEmpty() && !more) {
          for (List<Long> some : ROWS.split(ids)) {
            more = more || !add(rows(statement, some, portion.backwards()), portion, entries);
          }
          ids = more ? List.of() : List.copyOf(query.next(wanted));
        }
      }
      if (portion.backwards()) {
        Collections.reverse(entries);
      }
      return new Page(entries, !more);
    }

    /// Adds the entries that match. Returns false if the page is full before the last one.
    private boolean add(List<StoredRow> found, Portion portion, List<Entry> entries) {
      for (StoredRow row : found) {
        Entry entry = row.isArchivedBy(ownerId) ? rows.entry(owner, ownerId, row) : null;
        if (entry == null || !query.isWith(entry.with()) || !query.hasWords(entry)) {
          continue;
        }
        bytes += row.stanza().length;
        if (entries.size() == portion.max() || (bytes > portion.maxBytes() && !entries.isEmpty())) {
          return false;
        }
        entries.add(entry);
      }
      return true;
    }

    private static List<StoredRow> rows(
        PreparedStatement statement, List<Long> ids, boolean backwards) throws SQLException {
      List<StoredRow> found = new ArrayList<>(ids.size());
      ROWS.set(statement, 1, ids);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(StoredRow.of(row));
        }
      }
      return backwards ? found.reversed() : found;
    }
  }

  @Override
  public boolean replace(Jid owner, long id, Message message) {
    return writer.change(new ReplaceMessage(indexer, rows, owner, id, message));
  }

  @Override
  public int purge(Jid owner, long before, int newest, int limit) {
    ArchiveQuery.Known known = known();
    Long bound =
        this.<@Nullable Long>ask(
            owner,
            false,
            (connection, id, from) -> {
              Filter all = since(Filter.ALL, from);
              long below =
                  Math.max(
                      before,
                      bound(query(connection, id, all, Set.of(), true).prepare(known), newest));
              Filter old = new Filter(null, from, below - 1, null, null);
              return from >= below
                      || query(connection, id, old, Set.of(), false)
                          .prepare(known)
                          .next(1)
                          .isEmpty()
                  ? null
                  : below;
            });
    if (bound == null) {
      return 0;
    }
    int removed = 0;
    while (removed < limit) {
      int wanted = Math.min(REMOVED, limit - removed);
      int gone = writer.change(new PurgeArchive(indexer, owner, bound, wanted));
      removed += gone;
      if (gone < wanted) {
        break;
      }
    }
    return removed;
  }

  /// The id below which entries are not among the newest.
  ///
  /// @param query finds all entries, backwards
  private static long bound(ArchiveQuery query, int newest) throws SQLException {
    if (newest == 0) {
      return Long.MAX_VALUE;
    }
    if (newest == Integer.MAX_VALUE) {
      return Long.MIN_VALUE;
    }
    int left = newest;
    while (true) {
      int wanted = Math.min(left, COUNTED);
      NavigableSet<Long> ids = query.next(wanted);
      if (ids.size() < wanted) {
        return Long.MIN_VALUE;
      }
      left -= wanted;
      if (left == 0) {
        return ids.last();
      }
    }
  }
}
