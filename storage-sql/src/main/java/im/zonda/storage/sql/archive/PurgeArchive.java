package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.IdList;
import im.zonda.storage.sql.log.BlockingWrite;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.MessageArchive.Filter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Removes the oldest entries of an archive, up to the first that still waits for delivery. The
/// writer finds them itself, so that no entry is added meanwhile that would be among them.
///
/// @param indexer the index; what it has not read yet is left
/// @param owner the owner of the archive
/// @param bound only entries below this id
/// @param limit the maximum number of entries
record PurgeArchive(ArchiveIndexer indexer, Jid owner, long bound, int limit)
    implements BlockingWrite.Body<Integer> {
  private static final IdList IDS = IdList.MANY;
  private static final String PARTS =
      "select id, owner_id, waiting from message"
          + " where ((owner_id = ? and archive = 1) or sender_id = ?) and id in "
          + IDS.sql()
          + " order by id";

  @Override
  public Integer run(WriterConnection writer) throws SQLException {
    long ownerId = writer.ownerIds().idOf(owner);
    if (ownerId == OwnerIds.NONE) {
      return 0;
    }
    indexer.flush();
    Connection connection = writer.handle().getConnection();
    List<Long> ids = find(connection, ownerId);
    if (!ids.isEmpty()) {
      remove(connection, ownerId, ids);
      indexer.index().purged(indexer.rows(), ownerId, ids.getLast() + 1, writer.now());
      indexer.index().removed(indexer.rows(), ids);
    }
    return ids.size();
  }

  private List<Long> find(Connection connection, long ownerId) throws SQLException {
    ArchiveIndex.View view = indexer.index().viewInside();
    long from = indexer.rows().archivedFrom(ownerId);
    long to = bound > view.read() ? view.read() : bound - 1;
    ArchiveQuery query =
        new ArchiveQuery(
                connection,
                indexer.syntax(),
                ownerId,
                new Filter(null, from, to, null, null),
                Set.of(),
                false)
            .prepare(new ArchiveQuery.Known(view, Long.MAX_VALUE));
    List<Long> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(PARTS)) {
      while (true) {
        List<Long> ids = List.copyOf(query.next(limit));
        for (List<Long> some : IDS.split(ids)) {
          if (!addParts(statement, ownerId, some, found)) {
            return found;
          }
        }
        if (ids.isEmpty()) {
          return found;
        }
      }
    }
  }

  /// Adds those of the ids that the owner's archive has. Returns false if no more are to be
  /// removed.
  private boolean addParts(
      PreparedStatement statement, long ownerId, List<Long> ids, List<Long> found)
      throws SQLException {
    statement.setLong(1, ownerId);
    statement.setLong(2, ownerId);
    IDS.set(statement, 3, ids);
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        boolean waits = row.getLong(2) == ownerId && row.getInt(3) != 0;
        if (found.size() == limit || waits) {
          return false;
        }
        found.add(row.getLong(1));
      }
    }
    return true;
  }

  private void remove(Connection connection, long ownerId, List<Long> ids) throws SQLException {
    try (ArchivedParts parts = new ArchivedParts(connection, indexer)) {
      parts.remove(ownerId, ids);
    }
  }
}
