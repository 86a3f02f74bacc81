package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.store.AppendedOrigins;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.result.ResultIterator;
import org.jspecify.annotations.Nullable;

/// The message log in the table `message`.
public final class SqlMessageLog implements MessageLog, ClusterLog {
  private static final String WAITING =
      """
      select id, owner_id, peer, stanza, checksum from message
      where owner_id = (select id from account where domain = ? and local = ?)
        and waiting = 1 and id > ? order by id limit ?
      """;

  private static final String COUNT =
      """
      select count(*) from message
      where owner_id = (select id from account where domain = ? and local = ?) and waiting = 1
      """;

  private static final String IDS =
      """
      select id from message
      where owner_id = (select id from account where domain = ? and local = ?) and waiting = 1
      """;

  private static final String LAST =
      """
      select (select max(id) from message),
        (select version from roster_version
          where owner_id = (select id from account where domain = ? and local = ?))
      """;

  static final String NEWEST = "select max(id) from message";

  /// By how much the ids of nodes may differ at the same time.
  private static final Duration CLOCKS = Duration.ofSeconds(30);

  /// Approximate heap size of a queued entry without its message, in bytes.
  private static final int OVERHEAD = 300;

  private final Writer writer;
  private final GroupCommit commits;
  private final QueryExecutor queries;
  private final StoredEntries rows;

  public SqlMessageLog(
      Writer writer, GroupCommit commits, QueryExecutor queries, StoredEntries rows) {
    this.writer = writer;
    this.commits = commits;
    this.queries = queries;
    this.rows = rows;
  }

  @Override
  public long nextId() {
    long id = writer.ids().next();
    if (writer.ids().lowAfter(id) && writer.queue().idle()) {
      // Entries make the writer raise the bound; ids without entries do not.
      writer.queue().offer(new WriteOperation.IdReservation());
    }
    return id;
  }

  /// The last id of all owners, because the log has no index by owner; and the version of the
  /// roster, which is an id too.
  @Override
  public long takeOver(Jid owner, long newest) {
    if (!writer.ids().isShared()) {
      return newest;
    }
    Issued issued =
        queries.query(handle ->
            handle
                .createQuery(LAST)
                .bind(0, owner.domain())
                .bind(1, OwnerIds.localOf(owner))
                .map((row, context) -> new Issued(row.getLong(1), row.getLong(2)))
                .one());
    return takeOver(owner, newest, issued.last, issued.version);
  }

  /// @param last the highest id of an entry
  /// @param version the version of a roster
  private record Issued(long last, long version) {}

  /// The same by the result of a query that began after the former home had flushed its log.
  ///
  /// @param last the highest id of an entry of any owner
  /// @param version the version of the owner's roster; 0 if there is none
  public long takeOver(Jid owner, long newest, long last, long version) {
    if (!writer.ids().isShared()) {
      return newest;
    }
    writer.queue().offer(new WriteOperation.TakeOver(owner));
    long highest = Math.max(newest, last);
    writer.ids().raiseAbove(Math.max(highest, version));
    return highest;
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting) {
    PendingEntry pending =
        new PendingEntry(writer.queue(), entry, null, keep, waiting, size(entry));
    writer.queue().offerEntry(pending);
    return pending;
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
    if (entry.id() != sent.id() || !sent.with().equals(entry.message().to())) {
      throw new IllegalArgumentException("not the entries of one message");
    }
    if (writer.ids().isShared()) {
      writer.ids().raiseAbove(entry.id()); // the sender's node has issued it
    }
    PendingEntry pending =
        new PendingEntry(writer.queue(), entry, sent, keep, waiting, size(entry));
    writer.queue().offerEntry(pending);
    return pending;
  }

  @Override
  public boolean keepsOrigins() {
    return writer.ids().isShared();
  }

  /// Reads the newest rows of all owners: an index of origins would cost each message more.
  @Override
  public Map<Long, Known> findOrigins(Set<Long> origins, Duration age) {
    long back = back(age);
    List<Long> all = List.copyOf(origins);
    Map<Long, Known> found = new HashMap<>();
    for (int i = 0; i < all.size(); i += EntriesOfOrigins.MOST) {
      List<Long> some = all.subList(i, Math.min(all.size(), i + EntriesOfOrigins.MOST));
      found.putAll(queries.query(new EntriesOfOrigins(some, back)));
    }
    return found;
  }

  private static long back(Duration age) {
    return age.plus(CLOCKS).toNanos() / 1_000;
  }

  /// Reads portions, each with a query of its own: the time of a query is limited, and other
  /// queries run in between.
  @Override
  public AppendedOrigins appendedOrigins(Duration age) {
    if (!keepsOrigins()) {
      return AppendedOrigins.NONE;
    }
    AppendedOrigins.Builder found = new AppendedOrigins.Builder();
    long newest =
        queries.query(handle -> handle.createQuery(NEWEST).mapTo(Long.class).findOne().orElse(0L));
    long after = newest - back(age) - 1;
    while (after != NewestOrigins.END) {
      after = queries.query(new NewestOrigins(after, found));
    }
    return found.build();
  }

  /// Approximate heap size of an entry until it is committed, in bytes.
  private static int size(Entry entry) {
    return entry.message().writtenSize() + OVERHEAD;
  }

  @Override
  public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
    Map<Long, @Nullable Entry> uncommitted = uncommitted(owner);
    long after = afterId;
    while (true) {
      Page page = stored(owner, after, limit, bytes);
      List<Entry> entries = uncommitted.isEmpty() ? page.entries : merged(page, after, uncommitted);
      if (!entries.isEmpty() || page.last == Page.END || page.last == after) {
        return entries.size() > limit ? List.copyOf(entries.subList(0, limit)) : entries;
      }
      after = page.last; // the whole page has been delivered
    }
  }

  /// The page's waiting entries, merged with the uncommitted entries in its range of ids.
  private static List<Entry> merged(Page page, long after, Map<Long, @Nullable Entry> uncommitted) {
    TreeMap<Long, Entry> all = new TreeMap<>();
    for (Entry entry : page.entries) {
      all.put(entry.id(), entry);
    }
    uncommitted.forEach((id, entry) -> {
      if (entry == null) {
        all.remove(id);
      } else if (id > after && id <= page.last) {
        all.put(id, entry);
      }
    });
    return List.copyOf(all.values());
  }

  @Override
  public int waitingCount(Jid owner) {
    Map<Long, @Nullable Entry> uncommitted = uncommitted(owner);
    if (!uncommitted.isEmpty()) {
      Set<Long> ids = new HashSet<>(queries.query(handle -> bound(handle, IDS, owner).list()));
      uncommitted.forEach((id, entry) -> {
        if (entry == null) {
          ids.remove(id);
        } else {
          ids.add(id);
        }
      });
      return ids.size();
    }
    return queries.query(handle -> bound(handle, COUNT, owner).one()).intValue();
  }

  private static ResultIterable<Long> bound(Handle handle, String query, Jid owner) {
    return handle
        .createQuery(query)
        .bind(0, owner.domain())
        .bind(1, OwnerIds.localOf(owner))
        .mapTo(Long.class);
  }

  /// Whether the database has all of an owner's entries that were appended before; waits for their
  /// commit, but not for that of others' entries. False if the database cannot store at present and
  /// some are in memory only.
  public boolean isComplete(Jid owner) {
    return uncommitted(owner).isEmpty();
  }

  /// Flushes the queue if something of the owner may be in the queue, so that the database is
  /// complete. If the database cannot store at present, returns the owner's entries in memory.
  private Map<Long, @Nullable Entry> uncommitted(Jid owner) {
    if (writer.queue().idle(owner)) {
      return Map.of();
    }
    try {
      flush();
      return Map.of();
    } catch (StoreException e) {
      if (e.category() == StoreException.Category.CLOSED) {
        throw e;
      }
      return commits.uncommitted(owner);
    }
  }

  /// A contiguous part of the stored entries.
  ///
  /// @param last the last id of the part, or [#END] if nothing follows
  private record Page(List<Entry> entries, long last) {
    private static final long END = Long.MAX_VALUE;
  }

  private Page stored(Jid owner, long afterId, int limit, long bytes) {
    List<Entry> entries = new ArrayList<>();
    long after = afterId;
    long room = bytes;
    List<Long> unreadable = new ArrayList<>();
    // Damaged rows are skipped, so one query may not be enough.
    while (entries.size() < limit && room > 0) {
      Rows wanted = new Rows(owner, after, limit - entries.size(), room);
      List<StoredRow> found = queries.query(wanted);
      for (StoredRow row : found) {
        Entry entry = rows.entry(owner, row.ownerId, row.id, row.peer, row.stanza, row.checksum);
        if (entry == null) {
          unreadable.add(row.id);
        } else {
          entries.add(entry);
          room -= row.stanza.length;
        }
        after = row.id;
      }
      if (wanted.areAll(found)) {
        after = Page.END;
        break;
      }
    }
    if (!unreadable.isEmpty()) {
      writer.queue().offer(new UnreadableEntries(owner, List.copyOf(unreadable)));
    }
    return new Page(List.copyOf(entries), after);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record StoredRow(long id, long ownerId, String peer, byte[] stanza, long checksum) {}

  /// Query for the first waiting rows after an id, at most `limit`, ending with the row that
  /// reaches `bytes`.
  private record Rows(Jid owner, long after, int limit, long bytes)
      implements QueryExecutor.Query<List<StoredRow>> {
    /// Rows that are read from a server at a time.
    private static final int FETCHED = 100;

    /// In a transaction: the drivers of servers read a result in parts only then.
    @Override
    public List<StoredRow> run(Handle handle) {
      return handle.inTransaction(this::read);
    }

    private List<StoredRow> read(Handle handle) {
      List<StoredRow> found = new ArrayList<>();
      long left = bytes;
      try (ResultIterator<StoredRow> rows =
          handle
              .createQuery(WAITING)
              .bind(0, owner.domain())
              .bind(1, OwnerIds.localOf(owner))
              .bind(2, after)
              .bind(3, limit)
              .setFetchSize(FETCHED)
              .map((row, context) ->
                  new StoredRow(
                      row.getLong(1),
                      row.getLong(2),
                      row.getString(3),
                      row.getBytes(4),
                      row.getLong(5)))
              .iterator()) {
        while (left > 0 && rows.hasNext()) {
          StoredRow row = rows.next();
          found.add(row);
          left -= row.stanza.length;
        }
      }
      return found;
    }

    /// Whether `found`, the result of this query, has all remaining rows.
    boolean areAll(List<StoredRow> found) {
      long left = bytes;
      for (StoredRow row : found) {
        left -= row.stanza.length;
      }
      return found.size() < limit && left > 0;
    }
  }

  @Override
  public void delivered(Jid owner, List<Long> ids) {
    if (!ids.isEmpty()) {
      writer.queue().offer(new WriteOperation.Settlement(owner, List.copyOf(ids)));
    }
  }

  @Override
  public boolean nearlyFull() {
    return writer.queue().nearlyFull();
  }

  @Override
  public boolean congested() {
    return writer.queue().congested();
  }

  @Override
  public StoreState state() {
    return rows.metrics().state();
  }

  @Override
  public void onRelief(Runnable action) {
    writer.queue().onRelief(action);
  }

  @Override
  public void flush() {
    writer.change(connection -> true);
  }
}
