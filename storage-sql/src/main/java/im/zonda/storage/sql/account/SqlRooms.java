package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.archive.OwnerErasure;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.Writer;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.text.Normalizer;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/// Rooms, in the tables `room` and `room_affiliation`; each also has a row in `account`, which
/// stays when the room is removed and can be restored ([RemovedRoomRows]).
public record SqlRooms(Writer writer, QueryExecutor queries, OwnerErasure erasure, AccountSql sql)
    implements RoomStore {
  private static final String FIND =
      """
      select local, created, persistent, listed, name, settings, creator, owner_id from room
      where domain = ? and local = ?
      """;

  private static final String AFFILIATIONS =
      """
      select jid, affiliation, nick, reason from room_affiliation where owner_id = ? order by jid
      """;

  private static final String LIST =
      "select local from room where domain = ? and local > ? order by local limit ?";

  private static final String PAGE =
      """
      select local, created, persistent, listed, name, settings, creator from room
      where domain = ? and local > ? order by local limit ?
      """;

  /// The second condition is implied by the others: it is where the index begins.
  private static final String LATEST =
      """
      select local, created, persistent, listed, name, settings, creator from room
      where domain = ? and created <= ? and (created < ? or local < ?)
      order by created desc, local desc limit ?
      """;

  private static final String SELECT =
      """
      select local, created, persistent, listed, name, settings, creator from room
      where domain = :domain and local in (<locals>)
      """;

  private static final String TEMPORARY =
      """
      select local from room where domain = ? and local > ? and persistent = 0
      order by local limit ?
      """;

  private static final String CREATED =
      "select count(*) from room where creator = ? and domain = ?";

  private static final String AFFILIATED =
      """
      select r.domain, r.local from room_affiliation a join room r on r.owner_id = a.owner_id
      where a.jid = ? and a.affiliation <> 'outcast' order by a.owner_id limit ?
      """;

  private static final String NO_AFFILIATION = "none";

  /// Separates local part and name in the searched text. Neither an address nor XML can contain it.
  private static final char BETWEEN = '\uffff';

  private static final int NOT_REMOVED = -1;

  private record Row(Room room, long id) {}

  /// @param created when it was created, in microseconds since 1970
  /// @param room null if it cannot be read
  private record Listed(String local, long created, @Nullable Room room) {}

  /// Whether the owner is a room.
  static boolean isRoom(WriterConnection connection, long id) {
    return connection
        .handle()
        .createQuery("select 1 from room where owner_id = ?")
        .bind(0, id)
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }

  @Override
  public @Nullable Stored find(Jid room) {
    // In one transaction, to read a consistent state.
    return queries.<@Nullable Stored>query(handle ->
        handle.<@Nullable Stored, RuntimeException>inTransaction(same -> find(same, room)));
  }

  private static @Nullable Stored find(Handle handle, Jid jid) {
    Row found =
        handle
            .createQuery(FIND)
            .bind(0, jid.domain())
            .bind(1, OwnerIds.localOf(jid))
            .map((row, context) -> new Row(room(jid, row), row.getLong(8)))
            .findOne()
            .orElse(null);
    if (found == null) {
      return null;
    }
    List<Affiliation> affiliations =
        ReadableRows.of(
            handle.createQuery(AFFILIATIONS).bind(0, found.id), row -> affiliation(jid, row));
    return new Stored(found.room, affiliations);
  }

  /// Reads a room from the columns that follow its local part.
  static Room room(Jid room, ResultSet row) throws SQLException {
    String creator = row.getString(7);
    return new Room(
        room,
        creator == null ? null : ReadableRows.address("room", room, creator),
        MessageLog.timeOf(row.getLong(2)),
        row.getInt(3) != 0,
        row.getInt(4) != 0,
        row.getString(5),
        row.getString(6));
  }

  private static @Nullable Affiliation affiliation(Jid room, ResultSet row) throws SQLException {
    Jid user = ReadableRows.address("room_affiliation", room, row.getString(1));
    return user == null
        ? null
        : new Affiliation(user, row.getString(2), row.getString(3), row.getString(4));
  }

  @Override
  public void save(Room room, Collection<Affiliation> changed) {
    if (room.jid().local() == null || room.jid().isFull()) {
      throw new IllegalArgumentException("not the address of a room: " + room.jid());
    }
    // The last affiliation of each user wins. A copy, because the writer reads it later.
    Map<Jid, Affiliation> last = new LinkedHashMap<>();
    changed.forEach(affiliation -> last.put(affiliation.user(), affiliation));
    boolean saved = writer.change(connection -> save(connection, room, last.values()));
    if (!saved) {
      throw new IllegalStateException("an account has the address of the room " + room.jid());
    }
  }

  private boolean save(WriterConnection connection, Room room, Collection<Affiliation> changed)
      throws SQLException {
    Handle handle = connection.handle();
    long id = connection.ownerIds().idOf(room.jid());
    if (id == OwnerIds.NONE) {
      handle
          .createUpdate(sql.addOwner())
          .bind(0, room.jid().domain())
          .bind(1, room.jid().local())
          .bind(2, IdClock.micros(room.created()))
          .execute();
      id = connection.ownerIds().idOf(room.jid());
    } else if (!isRoom(connection, id)) {
      return false; // the address is an account's
    }
    put(handle, id, room);
    put(handle, id, changed);
    drop(handle, id, changed);
    return true;
  }

  private void put(Handle handle, long id, Room room) {
    Jid creator = room.creator();
    sql.putRoom()
        .execute(
            handle,
            id,
            room.jid().domain(),
            room.jid().local(),
            IdClock.micros(room.created()),
            room.persistent() ? 1 : 0,
            room.listed() ? 1 : 0,
            room.name(),
            room.settings(),
            folded(room.jid().local() + BETWEEN + room.name()),
            creator == null ? null : creator.toString());
  }

  private void put(Handle handle, long id, Collection<Affiliation> changed) {
    for (Affiliation each : changed) {
      if (!each.affiliation().equals(NO_AFFILIATION)) {
        sql.putAffiliation()
            .execute(
                handle, id, each.user().toString(), each.affiliation(), each.nick(), each.reason());
      }
    }
  }

  private static void drop(Handle handle, long id, Collection<Affiliation> changed) {
    try (PreparedBatch batch =
        handle.prepareBatch("delete from room_affiliation where owner_id = ? and jid = ?")) {
      for (Affiliation each : changed) {
        if (each.affiliation().equals(NO_AFFILIATION)) {
          batch.bind(0, id).bind(1, each.user().toString()).add();
        }
      }
      batch.execute();
    }
  }

  @Override
  public boolean remove(Jid room) {
    boolean removed =
        writer.change(connection -> {
          long id = connection.ownerIds().idOf(room);
          if (id == OwnerIds.NONE || !isRoom(connection, id)) {
            return false;
          }
          erasure.begin(connection, room, id);
          return true;
        });
    if (removed) {
      erasure.start();
    }
    return removed;
  }

  @Override
  public boolean removeRestorably(Jid room, Instant now, int most) {
    int erased =
        writer.change(connection -> {
          long id = connection.ownerIds().idOf(room);
          if (id == OwnerIds.NONE || !isRoom(connection, id)) {
            return NOT_REMOVED;
          }
          int surplus = RemovedRoomRows.makePlace(connection, erasure, room, id, most);
          RemovedRoomRows.add(connection, room, id, now);
          return surplus;
        });
    startErasing(erased);
    return erased != NOT_REMOVED;
  }

  private void startErasing(int owners) {
    if (owners > 0) {
      erasure.start();
    }
  }

  @Override
  public List<Removed> removed(String domain, @Nullable String local, int limit) {
    return queries.query(handle -> RemovedRoomRows.list(handle, domain, local, limit));
  }

  @Override
  public Restoration restore(Jid room, long number) {
    return writer.change(connection -> {
      connection.ownerIds().forget(room); // another node may have removed or made it
      if (connection.ownerIds().idOf(room) != OwnerIds.NONE) {
        return Restoration.ADDRESS_TAKEN;
      }
      Room removed = RemovedRoomRows.take(connection, room, number);
      if (removed == null) {
        return Restoration.UNKNOWN;
      }
      put(connection.handle(), number, removed);
      return Restoration.DONE;
    });
  }

  @Override
  public int eraseRemoved(String domain, Instant before, int limit) {
    int erased =
        writer.change(
            connection -> RemovedRoomRows.eraseOld(connection, erasure, domain, before, limit));
    startErasing(erased);
    return erased;
  }

  @Override
  public List<Room> listed(
      String domain, @Nullable String after, @Nullable String text, int limit) {
    return ReadableRows.page(
        limit,
        (last, wanted) -> {
          QueryExecutor.Query<List<Listed>> query =
              handle ->
                  handle
                      .createQuery(sql.listedRooms())
                      .bind(0, domain)
                      .bind(1, place(after, last == null ? null : last.local))
                      .bind(2, text == null ? "" : folded(text))
                      .bind(3, wanted)
                      .map((row, context) -> listed(domain, row))
                      .list();
          return text == null ? queries.query(query) : queries.search(query);
        },
        Listed::room);
  }

  @Override
  public List<Jid> temporary(String domain, @Nullable String after, int limit) {
    return addresses(TEMPORARY, domain, after, limit);
  }

  @Override
  public List<Jid> list(String domain, @Nullable String after, int limit) {
    return addresses(LIST, domain, after, limit);
  }

  @Override
  public List<Room> page(String domain, @Nullable String after, int limit) {
    return ReadableRows.page(
        limit,
        (last, wanted) ->
            queries.query(handle ->
                handle
                    .createQuery(PAGE)
                    .bind(0, domain)
                    .bind(1, place(after, last == null ? null : last.local))
                    .bind(2, wanted)
                    .map((row, context) -> listed(domain, row))
                    .list()),
        Listed::room);
  }

  @Override
  public List<Room> latest(String domain, @Nullable Place after, int limit) {
    return ReadableRows.page(
        limit,
        (last, wanted) -> {
          long created =
              last != null
                  ? last.created
                  : after == null ? Long.MAX_VALUE : IdClock.micros(after.created());
          String local = last != null ? last.local : after == null ? "" : after.local();
          return queries.query(handle ->
              handle
                  .createQuery(LATEST)
                  .bind(0, domain)
                  .bind(1, created)
                  .bind(2, created)
                  .bind(3, local)
                  .bind(4, wanted)
                  .map((row, context) -> listed(domain, row))
                  .list());
        },
        Listed::room);
  }

  @Override
  public List<Room> select(String domain, Collection<String> locals) {
    if (locals.isEmpty()) {
      return List.of();
    }
    return queries.query(handle ->
        ReadableRows.of(
            handle
                .createQuery(SELECT)
                .bind("domain", domain)
                .bindList("locals", List.copyOf(locals)),
            row -> listed(domain, row).room));
  }

  @Override
  public int created(String domain, Jid user) {
    return queries.query(handle ->
        handle
            .createQuery(CREATED)
            .bind(0, user.toString())
            .bind(1, domain)
            .mapTo(Integer.class)
            .one());
  }

  @Override
  public List<Jid> affiliatedRooms(Jid user, int limit) {
    return queries.query(handle ->
        ReadableRows.of(
            handle.createQuery(AFFILIATED).bind(0, user.toString()).bind(1, limit),
            row -> ReadableRows.owner(row.getString(1), row.getString(2))));
  }

  private List<Jid> addresses(String query, String domain, @Nullable String after, int limit) {
    return ReadableRows.<String, Jid>page(
        limit,
        (last, wanted) ->
            queries.query(handle ->
                handle
                    .createQuery(query)
                    .bind(0, domain)
                    .bind(1, place(after, last))
                    .bind(2, wanted)
                    .mapTo(String.class)
                    .list()),
        local -> ReadableRows.owner(domain, local));
  }

  private static String place(@Nullable String after, @Nullable String last) {
    return last != null ? last : after == null ? "" : after;
  }

  private static Listed listed(String domain, ResultSet row) throws SQLException {
    String local = row.getString(1);
    Jid address = ReadableRows.owner(domain, local);
    return new Listed(local, row.getLong(2), address == null ? null : room(address, row));
  }

  /// Folds case character by character, without context, so that a substring of a text remains a
  /// substring of the folded text.
  static String folded(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFC)
        .codePoints()
        .map(point -> Character.toLowerCase(Character.toUpperCase(point)))
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
