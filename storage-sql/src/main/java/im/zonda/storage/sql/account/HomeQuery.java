package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore.Roster;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// Reads an owner's values of several key-value stores in one query, which for an account also
/// reads all else that its home needs.
///
/// The rows of all tables have the same columns, so nothing large is repeated. The contacts come
/// first, because a database derives the types of the columns from them. Addresses are binary on
/// MariaDB, and share no column with other texts.
public final class HomeQuery {
  private static final String CONTACTS =
      """
      select jid, name, subscription, ask, approved, listed, groups, request
      from roster_item
      where owner_id = (select id from account where domain = ? and local = ?)
      union all
      """;

  private static final String VALUES =
      """
      select null, "key", store, 0, 0, 0, null, value
      from key_value
      where owner_id = (select id from account where domain = ? and local = ?) and store in
      """;

  /// One row, or none if there is no such account: a room is no account.
  private static final String NUMBERS =
      """

      union all
      select null, null, null,
        (select count(*) from message where owner_id = account.id and waiting = 1),
        (select version from roster_version where owner_id = account.id),
        (select max(id) from message),
        null, null
      from account
      where domain = ? and local = ? and local not like '/%'
        and not exists (select 1 from room where owner_id = account.id)
      """;

  /// No store has this name.
  private static final Set<String> NO_NAMES = Set.of("");

  /// The result for an account.
  ///
  /// @param values by store and key
  /// @param last the highest id in the log, of all owners
  /// @param waiting the number of messages that wait
  public record Found(
      Roster roster, Map<String, Map<String, byte[]>> values, long last, int waiting) {}

  /// @param version the version of the roster; 0 if there is none
  private record Numbers(int waiting, long version, long last) {}

  private final Jid owner;
  private final List<String> parameters = new ArrayList<>();
  private final List<RosterItem> contacts = new ArrayList<>();
  private final Map<String, Map<String, byte[]>> values = new HashMap<>();
  private @Nullable Numbers numbers;

  private HomeQuery(Jid owner) {
    this.owner = owner;
  }

  /// Reads values only, by store and key.
  public static Map<String, Map<String, byte[]>> readValues(
      Handle handle, Jid owner, Set<String> names) {
    HomeQuery query = new HomeQuery(owner);
    query.run(handle, query.values(names));
    return query.values;
  }

  /// Reads what the home of an account needs; null if there is no such account.
  public static @Nullable Found readHome(Handle handle, Jid account, Set<String> names) {
    HomeQuery query = new HomeQuery(account);
    String sql = query.ofOwner(CONTACTS) + query.values(names) + query.ofOwner(NUMBERS);
    query.run(handle, sql);
    Numbers numbers = query.numbers;
    return numbers == null
        ? null
        : new Found(
            new Roster(numbers.version, query.contacts),
            query.values,
            numbers.last,
            numbers.waiting);
  }

  private String values(Set<String> names) {
    Set<String> wanted = names.isEmpty() ? NO_NAMES : names;
    String sql = ofOwner(VALUES) + SqlSyntax.parameters(wanted.size());
    parameters.addAll(wanted);
    return sql;
  }

  /// A part of the query that finds rows by the owner's address.
  private String ofOwner(String sql) {
    parameters.add(owner.domain());
    parameters.add(OwnerIds.localOf(owner));
    return sql;
  }

  private void run(Handle handle, String sql) {
    Query query = handle.createQuery(sql);
    for (int i = 0; i < parameters.size(); i++) {
      query.bind(i, parameters.get(i));
    }
    query.map((row, context) -> add(row)).list();
  }

  private boolean add(ResultSet row) throws SQLException {
    if (row.getString(1) != null) {
      RosterItem contact = SqlRosters.item(owner, row);
      return contact != null && contacts.add(contact);
    }
    String store = row.getString(3);
    if (store == null) {
      numbers = new Numbers(row.getInt(4), row.getLong(5), row.getLong(6));
      return true;
    }
    values
        .computeIfAbsent(store, name -> new HashMap<>())
        .put(row.getString(2), SqlKeyValues.bytes(row.getBytes(8)));
    return true;
  }
}
