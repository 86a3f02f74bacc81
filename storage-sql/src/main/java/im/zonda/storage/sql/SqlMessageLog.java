package im.zonda.storage.sql;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// The message log in the table `message`.
final class SqlMessageLog implements MessageLog {
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

  /// Bytes of an entry beside its message's, about: what the heap holds of it while the database is
  /// away.
  private static final int OVERHEAD = 300;

  private final Writer writer;
  private final GroupCommit commits;
  private final Readers readers;
  private final StoredEntries rows;

  SqlMessageLog(Writer writer, GroupCommit commits, Readers readers, StoredEntries rows) {
    this.writer = writer;
    this.commits = commits;
    this.readers = readers;
    this.rows = rows;
  }

  @Override
  public long nextId() {
    long id = writer.ids().next();
    if (writer.ids().lowAfter(id) && writer.queue().idle()) {
      // Entries bring the writer to it by themselves; ids alone do not.
      writer.queue().offer(new Work.IdReservation());
    }
    return id;
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting) {
    PendingEntry pending = new PendingEntry(writer.queue(), entry, keep, waiting, size(entry));
    writer.queue().offerEntry(pending);
    return pending;
  }

  /// Bytes of memory that an entry holds until it is committed, about.
  private static int size(Entry entry) {
    return entry.message().writtenSize() + OVERHEAD;
  }

  @Override
  public List<Entry> waiting(Jid owner, long afterId, int limit) {
    Map<Long, @Nullable Entry> uncommitted = uncommitted(owner);
    if (uncommitted.isEmpty()) {
      return stored(owner, afterId, limit);
    }
    // What is delivered already takes room in the answer of the database.
    TreeMap<Long, Entry> all = new TreeMap<>();
    for (Entry entry : stored(owner, afterId, limit + uncommitted.size())) {
      all.put(entry.id(), entry);
    }
    uncommitted.forEach((id, entry) -> {
      if (entry == null) {
        all.remove(id);
      } else if (id > afterId) {
        all.put(id, entry);
      }
    });
    return all.values().stream().limit(limit).toList();
  }

  @Override
  public int waitingCount(Jid owner) {
    Map<Long, @Nullable Entry> uncommitted = uncommitted(owner);
    if (!uncommitted.isEmpty()) {
      return waiting(owner, Long.MIN_VALUE, Integer.MAX_VALUE - uncommitted.size()).size();
    }
    return readers.query(handle ->
        handle
            .createQuery(COUNT)
            .bind(0, owner.domain())
            .bind(1, Owners.localOf(owner))
            .mapTo(Integer.class)
            .one());
  }

  /// Lets the writer finish what is queued, so that the database knows it all; if it cannot store
  /// at present, returns what the owner has in memory.
  private Map<Long, @Nullable Entry> uncommitted(Jid owner) {
    if (writer.queue().idle()) {
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

  private List<Entry> stored(Jid owner, long afterId, int limit) {
    List<Entry> entries = new ArrayList<>();
    long after = afterId;
    // Damaged rows are left out, so one question may not be enough.
    while (entries.size() < limit) {
      int wanted = limit - entries.size();
      long from = after;
      List<StoredRow> page = readers.query(handle -> rows(handle, owner, from, wanted));
      for (StoredRow row : page) {
        Entry entry = rows.entry(owner, row.ownerId, row.id, row.peer, row.stanza, row.checksum);
        if (entry != null) {
          entries.add(entry);
        }
        after = row.id;
      }
      if (page.size() < wanted) {
        break;
      }
    }
    return List.copyOf(entries);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record StoredRow(long id, long ownerId, String peer, byte[] stanza, long checksum) {}

  private static List<StoredRow> rows(Handle handle, Jid owner, long after, int limit) {
    return handle
        .createQuery(WAITING)
        .bind(0, owner.domain())
        .bind(1, Owners.localOf(owner))
        .bind(2, after)
        .bind(3, limit)
        .map((row, context) ->
            new StoredRow(
                row.getLong(1), row.getLong(2), row.getString(3), row.getBytes(4), row.getLong(5)))
        .list();
  }

  @Override
  public void delivered(Jid owner, List<Long> ids) {
    if (!ids.isEmpty()) {
      writer.queue().offer(new Work.Settlement(owner, List.copyOf(ids)));
    }
  }

  @Override
  public boolean congested() {
    return writer.queue().congested();
  }

  @Override
  public StoreState state() {
    return rows.meter().state();
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
