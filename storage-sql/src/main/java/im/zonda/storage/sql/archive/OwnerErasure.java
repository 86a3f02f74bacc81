package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.storage.sql.log.BackgroundTask;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.MessageArchive.Filter;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/// Erases the archived messages of removed owners in slices, so that other operations do not wait
/// long. Queries can no longer read these messages.
///
/// The index finds them, so the cost depends on the owner's messages, not on the size of the log.
/// While the index has not read the whole log, erasing waits.
public final class OwnerErasure implements BackgroundTask.Body {
  /// Messages that are erased in one portion.
  private static final int ERASED_ROWS = 500;

  private static final String PROGRESS =
      "select owner_id, erased_to from removed_owner order by owner_id limit 1";

  private static final String REMOVE_WORDS =
      """
      in (
        select id from message
        where owner_id = ? and waiting = 1 and sender_id is null)
      """;

  private static final String REMOVE_WAITING =
      "delete from message where owner_id = ? and waiting = 1 and sender_id is null";

  /// The others stay in the archives of their senders.
  private static final String HIDE_WAITING =
      "update message set waiting = 0, archive = 0 where owner_id = ? and waiting = 1";

  private static final String ADD_REMOVED =
      "insert into removed_owner (owner_id, erased_to) values (?, -1)";

  /// Deletes keys, roster, values and affiliations too (on delete cascade).
  private static final String REMOVE_OWNER = "delete from account where id = ?";

  private final ArchiveIndexer indexer;

  /// @param owner a removed owner
  /// @param to its messages up to this id are erased
  private record Progress(long owner, long to) {}

  public OwnerErasure(ArchiveIndexer indexer) {
    this.indexer = indexer;
  }

  /// Removes an owner; nothing of it is visible after the commit. Its archived messages are left
  /// for the background task.
  public void begin(WriterConnection connection, Jid owner, long id) throws SQLException {
    connection.ownerIds().forget(owner);
    begin(connection, id);
  }

  /// Removes an owner that no longer has an address.
  public void begin(WriterConnection connection, long id) throws SQLException {
    begin(connection, List.of(id));
  }

  /// Removes owners that no longer have addresses.
  public void begin(WriterConnection connection, List<Long> ids) throws SQLException {
    for (String each :
        List.of(
            syntax().removeWords(REMOVE_WORDS),
            REMOVE_WAITING,
            HIDE_WAITING,
            ADD_REMOVED,
            REMOVE_OWNER)) {
      try (PreparedStatement statement =
          connection.handle().getConnection().prepareStatement(each)) {
        for (long id : ids) {
          statement.setLong(1, id);
          statement.executeUpdate();
        }
      }
    }
  }

  /// Starts erasing.
  public void start() {
    indexer.whenRead(this);
  }

  @Override
  public boolean runPortion(WriterConnection writer) throws SQLException {
    indexer.flush();
    Handle handle = writer.handle();
    Progress progress =
        handle
            .createQuery(PROGRESS)
            .map((row, context) -> new Progress(row.getLong(1), row.getLong(2)))
            .findOne()
            .orElse(null);
    if (progress == null) {
      return false;
    }
    List<Long> ids = find(handle, progress);
    if (ids.isEmpty()) {
      indexer.rows().slices().deleteLate(progress.owner, Long.MAX_VALUE);
      handle.execute("delete from removed_owner where owner_id = ?", progress.owner);
      return true;
    }
    erase(handle, progress.owner, ids);
    indexer.index().removed(indexer.rows(), ids);
    handle.execute(
        "update removed_owner set erased_to = ? where owner_id = ?", ids.getLast(), progress.owner);
    return true;
  }

  private SqlSyntax syntax() {
    return indexer.syntax();
  }

  private List<Long> find(Handle handle, Progress progress) throws SQLException {
    ArchiveQuery query =
        new ArchiveQuery(
                handle.getConnection(),
                syntax(),
                progress.owner,
                new Filter(null, progress.to + 1, Long.MAX_VALUE, null, null),
                Set.of(),
                false)
            .prepare(new ArchiveQuery.Known(indexer.index().viewInside(), Long.MAX_VALUE));
    return List.copyOf(query.next(ERASED_ROWS));
  }

  private void erase(Handle handle, long owner, List<Long> ids) throws SQLException {
    try (ArchivedParts parts = new ArchivedParts(handle.getConnection(), indexer)) {
      parts.remove(owner, ids);
    }
  }
}
