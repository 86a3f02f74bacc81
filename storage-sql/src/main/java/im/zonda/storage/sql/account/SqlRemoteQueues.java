package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.Writer;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.RemoteQueueStore;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Queues for remote domains: rows in `account` whose local part is a slash and the remote domain.
/// Two slashes begin the local part of a removed room.
public record SqlRemoteQueues(
    Writer writer, QueryExecutor queries, AccountSql sql, InstantSource time)
    implements RemoteQueueStore {
  /// Begins the local part of queues, and is before that of any queue.
  private static final String MARK = OwnerIds.DOMAIN;

  private static final String LIST =
      """
      select local from account
      where domain = ? and local > ? and local like '/%' and local not like '//%'
      order by local limit ?
      """;

  private static final String WAITS =
      "select 1 from message where waiting = 1 and owner_id = ? limit 1";

  @Override
  public void create(Jid queue) {
    if (queue.local() != null || !queue.isFull()) {
      throw new IllegalArgumentException("not the address of a queue: " + queue);
    }
    writer.change(connection ->
        connection
            .handle()
            .createUpdate(sql.addOwner())
            .bind(0, queue.domain())
            .bind(1, OwnerIds.localOf(queue))
            .bind(2, IdClock.micros(time.instant()))
            .execute());
  }

  @Override
  public boolean remove(Jid queue) {
    return writer.change(connection -> remove(connection, queue));
  }

  private static boolean remove(WriterConnection connection, Jid queue) throws SQLException {
    long id = connection.ownerIds().idOf(queue);
    if (id == OwnerIds.NONE) {
      return true;
    }
    boolean waits =
        connection
            .handle()
            .createQuery(WAITS)
            .bind(0, id)
            .mapTo(Integer.class)
            .findOne()
            .isPresent();
    if (!waits) {
      connection.ownerIds().forget(queue);
      connection.handle().execute("delete from account where id = ?", id);
    }
    return !waits;
  }

  @Override
  public List<Jid> list(String local, @Nullable String after, int limit) {
    String first = after == null ? MARK : MARK + after;
    return ReadableRows.<String, Jid>page(
        limit,
        (last, wanted) ->
            queries.query(handle ->
                handle
                    .createQuery(LIST)
                    .bind(0, local)
                    .bind(1, last == null ? first : last)
                    .bind(2, wanted)
                    .mapTo(String.class)
                    .list()),
        column -> address(local, column));
  }

  private static @Nullable Jid address(String local, String column) {
    try {
      return RemoteQueueStore.address(local, column.substring(MARK.length()));
    } catch (IllegalArgumentException e) {
      ReadableRows.report("account", local, column, e);
      return null;
    }
  }
}
