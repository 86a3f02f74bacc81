package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.StoredMessage;
import im.zonda.storage.sql.log.Writer;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.Subscription;
import im.zonda.xml.ByteArraySink;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// Rosters, in the tables `roster_version` and `roster_item`.
///
/// Versions are ids of the message log, so that an account that is created again does not repeat
/// the versions of the removed one, which clients may have cached.
public record SqlRosters(Writer writer, QueryExecutor queries, AccountSql sql)
    implements RosterStore {
  /// One row for each item; one without an item if the roster is empty.
  private static final String LOAD =
      """
      select i.jid, i.name, i.subscription, i.ask, i.approved, i.listed, i.groups, i.request,
        v.version
      from roster_version v left join roster_item i on i.owner_id = v.owner_id
      where v.owner_id = (select id from account where domain = ? and local = ?)
      """;

  private static final String TABLE = "roster_item";
  private static final String OWNERS =
      """
      select a.domain, a.local from roster_item i join account a on a.id = i.owner_id
      where i.jid = ?
        and (i.subscription <> 'NONE' or i.ask <> 0 or i.approved <> 0 or i.request is not null)
      order by i.owner_id limit ?
      """;

  private record Row(long version, @Nullable RosterItem item) {}

  @Override
  public Roster load(Jid owner) {
    return queries.query(handle -> load(handle, owner));
  }

  private static Roster load(Handle handle, Jid owner) {
    List<Row> rows =
        handle
            .createQuery(LOAD)
            .bind(0, owner.domain())
            .bind(1, OwnerIds.localOf(owner))
            .map((row, context) ->
                new Row(row.getLong(9), row.getString(1) == null ? null : item(owner, row)))
            .list();
    if (rows.isEmpty()) {
      return new Roster(0, List.of());
    }
    List<RosterItem> items = new ArrayList<>(rows.size());
    for (Row row : rows) {
      if (row.item != null) {
        items.add(row.item);
      }
    }
    return new Roster(rows.getFirst().version, items);
  }

  /// Reads a contact, of the columns of [#LOAD]; null if it cannot be read.
  static @Nullable RosterItem item(Jid owner, ResultSet row) throws SQLException {
    String contact = row.getString(1);
    try {
      return new RosterItem(
          Jid.stored(contact),
          row.getString(2),
          Subscription.valueOf(row.getString(3)),
          row.getInt(4) != 0,
          row.getInt(5) != 0,
          groups(row.getString(7)),
          request(owner, contact, row.getBytes(8)),
          row.getInt(6) != 0);
    } catch (IllegalArgumentException e) {
      ReadableRows.report(TABLE, owner, contact, e);
      return null;
    }
  }

  /// A subscription request; null if there is none, or it cannot be read: the contact remains.
  private static @Nullable Presence request(Jid owner, String contact, byte @Nullable [] column) {
    try {
      return column == null ? null : StoredMessage.presence(column);
    } catch (StoredMessage.DamagedRow e) {
      ReadableRows.report(TABLE, owner, contact, e);
      return null;
    }
  }

  @Override
  public long put(Jid owner, RosterItem item) {
    return writer.changeOf(
        owner,
        (connection, id) -> {
          sql.putRosterItem()
              .execute(
                  connection.handle(),
                  id,
                  item.jid().toString(),
                  item.name(),
                  item.subscription().name(),
                  item.ask() ? 1 : 0,
                  item.approved() ? 1 : 0,
                  item.listed() ? 1 : 0,
                  text(item.groups()),
                  bytes(item.request()));
          return newVersion(connection.handle(), id);
        });
  }

  @Override
  public long remove(Jid owner, Jid contact) {
    return writer.changeOf(
        owner,
        (connection, id) -> {
          Handle handle = connection.handle();
          int removed =
              handle
                  .createUpdate("delete from roster_item where owner_id = ? and jid = ?")
                  .bind(0, id)
                  .bind(1, contact.toString())
                  .execute();
          return removed > 0
              ? newVersion(handle, id)
              : handle
                  .createQuery("select version from roster_version where owner_id = ?")
                  .bind(0, id)
                  .mapTo(Long.class)
                  .findOne()
                  .orElse(0L);
        });
  }

  @Override
  public List<Jid> subscribedOwners(Jid contact, int limit) {
    return queries.query(handle ->
        ReadableRows.of(
            handle.createQuery(OWNERS).bind(0, contact.toString()).bind(1, limit),
            row -> ReadableRows.owner(row.getString(1), row.getString(2))));
  }

  private long newVersion(Handle handle, long ownerId) {
    long version = writer.ids().next();
    sql.putRosterVersion().execute(handle, ownerId, version);
    return version;
  }

  static byte @Nullable [] bytes(@Nullable Presence request) {
    if (request == null) {
      return null;
    }
    ByteArraySink sink = new ByteArraySink(256);
    request.writeTo(sink);
    return sink.toByteArray();
  }

  /// Encodes groups as one column: each ends with a line feed; a line feed in a name is written
  /// `\n`.
  static String text(List<String> groups) {
    StringBuilder text = new StringBuilder();
    for (String group : groups) {
      text.append(group.replace("\\", "\\\\").replace("\n", "\\n")).append('\n');
    }
    return text.toString();
  }

  /// Decodes the groups from their column.
  static List<String> groups(String text) {
    List<String> groups = new ArrayList<>();
    StringBuilder group = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        groups.add(group.toString());
        group.setLength(0);
      } else if (c == '\\' && i + 1 < text.length()) {
        i++;
        group.append(text.charAt(i) == 'n' ? '\n' : text.charAt(i));
      } else {
        group.append(c);
      }
    }
    return List.copyOf(groups);
  }
}
