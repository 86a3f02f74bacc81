package im.zonda.storage.sql;

import im.zonda.jid.Jid;
import im.zonda.store.StoreException;
import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/// Erases archived messages of removed owners, a slice of the log at a time, so that nobody else
/// waits long. Nothing can read them any more when it begins.
final class Erasure implements Work {
  private static final int SLICE_ROWS = 4_000;

  private final WriteQueue queue;
  private boolean more;

  Erasure(WriteQueue queue) {
    this.queue = queue;
  }

  /// Removes an owner: from the commit on nobody sees anything of it. What it has in the archive is
  /// left to be erased.
  static void begin(WriterConnection connection, Jid owner, long id) throws SQLException {
    connection.owners().forget(owner);
    Handle handle = connection.handle();
    handle
        .createUpdate(
            """
            delete from archive_text
            where rowid in (select id from message where owner_id = ? and waiting = 1)
            """)
        .bind(0, id)
        .execute();
    handle
        .createUpdate("delete from message where owner_id = ? and waiting = 1")
        .bind(0, id)
        .execute();
    handle
        .createUpdate("insert into removed_owner (owner_id, erased_to) values (?, 0)")
        .bind(0, id)
        .execute();
    // Keys, roster, values, affiliations go with the owner's row (on delete cascade).
    handle.createUpdate("delete from account where id = ?").bind(0, id).execute();
  }

  @Override
  public void apply(WriterConnection writer) throws SQLException {
    writer.messages().flush();
    Handle handle = writer.handle();
    Optional<Long> from =
        handle
            .createQuery("select min(erased_to) from removed_owner having count(*) > 0")
            .mapTo(Long.class)
            .findOne();
    more = from.isPresent();
    if (from.isEmpty()) {
      return;
    }
    if (eraseIndex(handle)) {
      return;
    }
    long start = from.get();
    Long end =
        handle
            .createQuery(
                """
                select max(id) from
                  (select id from message where id > :start order by id limit :rows)
                """)
            .bind("start", start)
            .bind("rows", SLICE_ROWS)
            .mapTo(Long.class)
            .findOne()
            .orElse(null);
    if (end == null) {
      handle
          .createUpdate("delete from removed_owner where erased_to = :start")
          .bind("start", start)
          .execute();
      return;
    }
    handle
        .createUpdate(
            """
            delete from archive_text where rowid in (
              select id from message where id > :start and id <= :end
                and owner_id in (select owner_id from removed_owner))
            """)
        .bind("start", start)
        .bind("end", end)
        .execute();
    handle
        .createUpdate(
            """
            delete from message where id > :start and id <= :end
              and owner_id in (select owner_id from removed_owner)
            """)
        .bind("start", start)
        .bind("end", end)
        .execute();
    handle
        .createUpdate("update removed_owner set erased_to = :end where erased_to < :end")
        .bind("end", end)
        .execute();
  }

  /// A slice of the index tables; false if there is nothing left in them.
  private static boolean eraseIndex(Handle handle) {
    return handle
                .createUpdate(
                    """
                    delete from archive_time where (owner_id, id) in (
                      select owner_id, id from archive_time
                      where owner_id in (select owner_id from removed_owner) limit :rows)
                    """)
                .bind("rows", SLICE_ROWS)
                .execute()
            + handle
                .createUpdate(
                    """
                    delete from archive_peer where (owner_id, peer, id) in (
                      select owner_id, peer, id from archive_peer
                      where owner_id in (select owner_id from removed_owner) limit :rows)
                    """)
                .bind("rows", SLICE_ROWS)
                .execute()
        > 0;
  }

  @Override
  public void committed() {
    if (more) {
      queue.offer(new Erasure(queue));
    }
  }

  @Override
  public void undone() {
    more = false;
  }

  @Override
  public void failed(StoreException cause) {
    // It goes on after the next start, or with the next owner that is removed.
  }

  @Override
  public boolean kept() {
    return false;
  }

  @Override
  public int bytes() {
    return 0;
  }
}
