package im.zonda.storage.sql.archive;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.log.BlockingWrite;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.MessageArchive.Filter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
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
  private static final String PART =
      """
      select owner_id, waiting from message
      where id = ? and ((owner_id = ? and archive = 1) or sender_id = ?)
      """;

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
      indexer.index().purged(indexer.rows(), ownerId, ids.getLast() + 1);
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
    try (PreparedStatement statement = connection.prepareStatement(PART)) {
      while (true) {
        Collection<Long> ids = query.next(limit);
        for (Long id : ids) {
          statement.setLong(1, id);
          statement.setLong(2, ownerId);
          statement.setLong(3, ownerId);
          try (ResultSet row = statement.executeQuery()) {
            if (row.next()) {
              boolean waits = row.getLong(1) == ownerId && row.getInt(2) != 0;
              if (found.size() == limit || waits) {
                return found;
              }
              found.add(id);
            }
          }
        }
        if (ids.isEmpty()) {
          return found;
        }
      }
    }
  }

  private void remove(Connection connection, long ownerId, List<Long> ids) throws SQLException {
    try (ArchivedParts parts = new ArchivedParts(connection, indexer.syntax())) {
      for (Long id : ids) {
        parts.remove(ownerId, id);
      }
    }
  }
}
