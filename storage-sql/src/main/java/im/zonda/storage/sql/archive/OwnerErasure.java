package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.storage.sql.log.BackgroundTask;
import im.zonda.storage.sql.log.WriterConnection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/// Erases the archived messages of removed owners in slices, so that other operations do not wait
/// long. No query can read these messages any more.
///
/// Indexed messages come first: the index finds them by owner. The others are at the end of the
/// log, after the mark of the index: in the runs that have been read for it, and in the few rows
/// after those. So the cost depends on the owner's messages, not on the size of the log.
public final class OwnerErasure implements BackgroundTask.Body {
  /// Rows at the end of the log that are scanned in one portion.
  private static final int SLICE_ROWS = 4_000;

  /// Approximate number of rows that are erased in one portion.
  private static final int ERASED_ROWS = 1_000;

  /// Value of `erased_to` while the index has messages of the owner.
  private static final long INDEXED = -1;

  private static final String SOME_INDEXED =
      """
      select owner_id, id from archive_time
      where owner_id in (select owner_id from removed_owner)
      order by owner_id, id limit ?
      """;

  private static final String SOME_PEERS =
      """
      delete from archive_peer where (owner_id, peer, id) in (
        select * from (
          select owner_id, peer, id from archive_peer
          where owner_id in (select owner_id from removed_owner) limit ?) slice)
      """;

  private static final String INDEX_ERASED =
      """
      update removed_owner set erased_to = (select indexed_to from archive_mark)
      where erased_to = ?
      """;

  private static final String PROGRESS =
      """
      select min(erased_to), (select indexed_to from archive_mark) from removed_owner
      having count(*) > 0
      """;

  private static final String END =
      "select max(id) from (select id from message where id > ? order by id limit ?) slice";

  private static final String BETWEEN =
      """
      select id from message
      where id > ? and id <= ? and owner_id in (select owner_id from removed_owner)
      """;

  private final ArchiveIndexer indexer;

  private record Indexed(long owner, long id) {}

  /// @param from everything up to this id is erased
  /// @param mark everything up to this id is indexed
  private record Progress(long from, long mark) {}

  public OwnerErasure(ArchiveIndexer indexer) {
    this.indexer = indexer;
  }

  /// Removes an owner; nothing of it is visible after the commit. Its archived messages are left
  /// for the background task.
  public void begin(WriterConnection connection, Jid owner, long id) throws SQLException {
    connection.ownerIds().forget(owner);
    Handle handle = connection.handle();
    handle
        .createUpdate(
            syntax().removeWords("in (select id from message where owner_id = ? and waiting = 1)"))
        .bind(0, id)
        .execute();
    handle
        .createUpdate("delete from message where owner_id = ? and waiting = 1")
        .bind(0, id)
        .execute();
    handle
        .createUpdate("insert into removed_owner (owner_id, erased_to) values (?, ?)")
        .bind(0, id)
        .bind(1, INDEXED)
        .execute();
    // Deletes keys, roster, values and affiliations too (on delete cascade).
    handle.createUpdate("delete from account where id = ?").bind(0, id).execute();
  }

  @Override
  public boolean runPortion(WriterConnection writer) throws SQLException {
    indexer.flush();
    Handle handle = writer.handle();
    if (eraseIndexed(handle) || handle.execute(SOME_PEERS, ERASED_ROWS) > 0) {
      return true;
    }
    handle.execute(INDEX_ERASED, INDEXED);
    Progress progress =
        handle
            .createQuery(PROGRESS)
            .map((row, context) -> new Progress(row.getLong(1), row.getLong(2)))
            .findOne()
            .orElse(null);
    if (progress == null) {
      return false;
    }
    List<ArchiveRun> runs = indexer.index().view().runs();
    // Messages left by a removal in an earlier server version may be before the mark.
    long from =
        progress.from >= progress.mark ? eraseRead(handle, progress.from, runs) : progress.from;
    if (from == progress.from) {
      from = eraseUnread(handle, from);
    }
    handle.execute("update removed_owner set erased_to = ? where erased_to < ?", from, from);
    if (from == progress.from) {
      handle.execute("delete from removed_owner");
    }
    return true;
  }

  private SqlSyntax syntax() {
    return indexer.syntax();
  }

  /// Erases a slice of the indexed messages. Returns false if there are none left.
  private boolean eraseIndexed(Handle handle) {
    List<Indexed> some =
        handle
            .createQuery(SOME_INDEXED)
            .bind(0, ERASED_ROWS)
            .map((row, context) -> new Indexed(row.getLong(1), row.getLong(2)))
            .list();
    erase(handle, some.stream().map(Indexed::id).toList());
    try (PreparedBatch batch =
        handle.prepareBatch("delete from archive_time where owner_id = ? and id = ?")) {
      some.forEach(each -> batch.bind(0, each.owner).bind(1, each.id).add());
      batch.execute();
    }
    return !some.isEmpty();
  }

  /// Erases messages that have been read for the index but are not in it yet. Returns the last id
  /// checked.
  private long eraseRead(Handle handle, long from, List<ArchiveRun> runs) {
    List<Long> owners =
        handle.createQuery("select owner_id from removed_owner").mapTo(Long.class).list();
    ArchiveRange all = new ArchiveRange(Long.MIN_VALUE, Long.MAX_VALUE, null);
    List<Long> ids = new ArrayList<>();
    long to = from;
    for (ArchiveRun run : runs) {
      if (run.last() > to && ids.size() < ERASED_ROWS) {
        owners.forEach(owner -> run.forEach(owner, all, ids::add));
        to = run.last();
      }
    }
    erase(handle, ids);
    return to;
  }

  /// Erases messages in a slice of the log. Returns the last id checked, or `from` at the end.
  private long eraseUnread(Handle handle, long from) {
    Long end =
        handle
            .createQuery(END)
            .bind(0, from)
            .bind(1, SLICE_ROWS)
            .mapTo(Long.class)
            .findOne()
            .orElse(null);
    if (end == null) {
      return from;
    }
    erase(handle, handle.createQuery(BETWEEN).bind(0, from).bind(1, end).mapTo(Long.class).list());
    return end;
  }

  private void erase(Handle handle, List<Long> ids) {
    for (String sql : List.of(syntax().removeWords("= ?"), "delete from message where id = ?")) {
      try (PreparedBatch batch = handle.prepareBatch(sql)) {
        ids.forEach(id -> batch.bind(0, id).add());
        batch.execute();
      }
    }
  }
}
