package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.archive.OwnerErasure;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore.Removed;
import im.zonda.store.RoomStore.Room;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// The rooms that were removed and can be restored, in the table `removed_room`. The row of such a
/// room in `account` has another local part, so that the address is free and nobody finds the owner
/// by it; all that belongs to the owner stays as it is.
final class RemovedRoomRows {
  /// Begins the local part of the row in `account`, before the number.
  private static final String MARK = OwnerIds.DOMAIN + OwnerIds.DOMAIN;

  private static final String ADD =
      """
      insert into removed_room
        (owner_id, domain, local, removed, created, persistent, listed, name, settings, creator)
      select owner_id, domain, local, ?, created, persistent, listed, name, settings, creator
      from room where owner_id = ?
      """;

  private static final String SURPLUS =
      """
      select owner_id from removed_room
      where creator = (select creator from room where owner_id = ?) and domain = ?
      order by removed desc, owner_id desc limit ? offset ?
      """;

  private static final String EXPIRED =
      """
      select owner_id from removed_room where domain = ? and removed < ?
      order by removed, owner_id limit ?
      """;

  private static final String LIST =
      """
      select local, created, persistent, listed, name, settings, creator, owner_id, removed
      from removed_room where domain = ? order by removed desc, owner_id desc limit ? offset ?
      """;

  private static final String LIST_OF_ADDRESS =
      """
      select local, created, persistent, listed, name, settings, creator, owner_id, removed
      from removed_room where domain = ? and local = ?
      order by removed desc, owner_id desc limit ? offset ?
      """;

  private static final String FIND =
      """
      select local, created, persistent, listed, name, settings, creator from removed_room
      where owner_id = ? and domain = ? and local = ?
      """;

  private static final String REMOVE = "delete from removed_room where owner_id = ?";
  private static final String RENAME = "update account set local = ? where id = ?";

  private static final String FORGET_USER =
      """
      delete from room_affiliation
      where jid = ? and affiliation <> 'outcast'
        and owner_id in (select owner_id from removed_room)
      """;

  /// The most rooms that are erased because a creator has too many.
  private static final int MOST_SURPLUS = 100;

  private record Row(@Nullable Removed room) {}

  private RemovedRoomRows() {}

  /// Moves a room to the removed ones.
  ///
  /// @param id of the owner
  static void add(WriterConnection connection, Jid room, long id, Instant now) throws SQLException {
    Handle handle = connection.handle();
    connection.ownerIds().forget(room);
    handle.createUpdate(ADD).bind(0, IdClock.micros(now)).bind(1, id).execute();
    handle.createUpdate("delete from room where owner_id = ?").bind(0, id).execute();
    handle.createUpdate(RENAME).bind(0, MARK + id).bind(1, id).execute();
  }

  /// Erases the oldest removed rooms of a creator, so that one more has a place.
  ///
  /// @param id a room of that creator
  /// @return how many were erased
  static int makePlace(
      WriterConnection connection, OwnerErasure erasure, Jid room, long id, int most)
      throws SQLException {
    List<Long> surplus =
        connection
            .handle()
            .createQuery(SURPLUS)
            .bind(0, id)
            .bind(1, room.domain())
            .bind(2, MOST_SURPLUS)
            .bind(3, most - 1)
            .mapTo(Long.class)
            .list();
    return erase(connection, erasure, surplus);
  }

  /// Erases removed rooms of a domain, the oldest first; returns how many.
  static int eraseOld(
      WriterConnection connection, OwnerErasure erasure, String domain, Instant before, int limit)
      throws SQLException {
    List<Long> old =
        connection
            .handle()
            .createQuery(EXPIRED)
            .bind(0, domain)
            .bind(1, IdClock.micros(before))
            .bind(2, limit)
            .mapTo(Long.class)
            .list();
    return erase(connection, erasure, old);
  }

  private static int erase(WriterConnection connection, OwnerErasure erasure, List<Long> owners)
      throws SQLException {
    int erased = 0;
    for (long owner : owners) {
      // Unless another node has just restored it, or erased it.
      if (connection.handle().createUpdate(REMOVE).bind(0, owner).execute() > 0) {
        erasure.begin(connection, owner);
        erased++;
      }
    }
    return erased;
  }

  /// Takes a room from the removed ones, with its owner under its own address again; null if there
  /// is no such room. The caller adds the row in `room`.
  static @Nullable Room take(WriterConnection connection, Jid room, long id) throws SQLException {
    Handle handle = connection.handle();
    Room found =
        handle
            .createQuery(FIND)
            .bind(0, id)
            .bind(1, room.domain())
            .bind(2, OwnerIds.localOf(room))
            .map((row, context) -> SqlRooms.room(room, row))
            .findOne()
            .orElse(null);
    if (found == null || handle.createUpdate(REMOVE).bind(0, id).execute() == 0) {
      return null;
    }
    handle.createUpdate(RENAME).bind(0, OwnerIds.localOf(room)).bind(1, id).execute();
    connection.ownerIds().forget(room);
    return found;
  }

  /// Takes the affiliations of a user from all removed rooms, except for bans.
  static void forgetUser(WriterConnection connection, Jid user) {
    connection.handle().createUpdate(FORGET_USER).bind(0, user.toString()).execute();
  }

  static List<Removed> list(Handle handle, String domain, @Nullable String local, int limit) {
    int[] read = {0};
    return ReadableRows.<Row, Removed>page(
        limit,
        (last, wanted) -> {
          Query query = handle.createQuery(local == null ? LIST : LIST_OF_ADDRESS).bind(0, domain);
          int next = 1;
          if (local != null) {
            query.bind(next++, local);
          }
          query.bind(next++, wanted).bind(next, read[0]);
          List<Row> rows = query.map((row, context) -> new Row(removed(domain, row))).list();
          read[0] += rows.size();
          return rows;
        },
        Row::room);
  }

  private static @Nullable Removed removed(String domain, ResultSet row) throws SQLException {
    Jid address = ReadableRows.owner(domain, row.getString(1));
    return address == null
        ? null
        : new Removed(
            row.getLong(8), SqlRooms.room(address, row), MessageLog.timeOf(row.getLong(9)));
  }
}
