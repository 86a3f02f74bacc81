package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.AccountStore.Removed;
import im.zonda.store.Subscription;
import im.zonda.store.ValueKey;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// The accounts that were removed and whose addresses are reserved: values of their host, by the
/// local part. A value has a line for each contact: the subscription and the address.
final class RemovedAccountRows {
  private static final String STORE = "removed-accounts";

  private static final String CONTACTS =
      """
      select jid, subscription, ask, request is not null from roster_item
      where owner_id = ?
        and (subscription <> 'NONE' or ask <> 0 or request is not null)
      """;

  private static final String FIND =
      "select 1 from key_value where owner_id = ? and store = ? and \"key\" = ?";

  private static final String LIST =
      """
      select "key", value from key_value
      where owner_id = (select id from account where domain = ? and local = '/')
        and store = ? and "key" >= ? and "key" <> ?
      order by "key" limit ?
      """;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(String local, byte[] contacts) {}

  private RemovedAccountRows() {}

  /// Reserves the address of an account that the transaction removes.
  ///
  /// @param id of the account, which still has its roster
  /// @param micros the time, in microseconds since 1970
  static void add(WriterConnection connection, AccountSql sql, Jid account, long id, long micros)
      throws SQLException {
    try (PreparedStatement contacts = prepareContacts(connection)) {
      put(connection, sql, account, contacts(contacts, id, Set.of()), micros);
    }
  }

  /// Prepares the statement for [#contacts].
  static PreparedStatement prepareContacts(WriterConnection connection) throws SQLException {
    return connection.handle().getConnection().prepareStatement(CONTACTS);
  }

  /// What the contacts of an account are reserved with: a line for each.
  ///
  /// @param without the addresses of contacts that are left out
  static String contacts(PreparedStatement statement, long id, Set<String> without)
      throws SQLException {
    StringBuilder contacts = new StringBuilder();
    statement.setLong(1, id);
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        String contact = row.getString(1);
        if (!without.contains(contact)) {
          Subscription own = Subscription.valueOf(row.getString(2));
          boolean from = own.from() || row.getBoolean(4);
          contacts
              .append(Subscription.of(own.to() || row.getInt(3) != 0, from))
              .append(' ')
              .append(contact)
              .append('\n');
        }
      }
    }
    return contacts.toString();
  }

  /// Reserves an address.
  ///
  /// @param contacts those of the account
  /// @param micros the time, in microseconds since 1970
  static void put(
      WriterConnection connection, AccountSql sql, Jid account, String contacts, long micros)
      throws SQLException {
    sql.putValue()
        .execute(
            connection.handle(),
            DomainOwners.idOf(connection, sql, account.domainJid(), micros),
            STORE,
            OwnerIds.localOf(account),
            contacts.getBytes(StandardCharsets.UTF_8));
  }

  /// Whether an address is reserved.
  static boolean has(WriterConnection connection, Jid account) throws SQLException {
    try (PreparedStatement find = prepareFind(connection)) {
      return has(connection, find, account);
    }
  }

  /// Prepares the statement for [#has].
  static PreparedStatement prepareFind(WriterConnection connection) throws SQLException {
    return connection.handle().getConnection().prepareStatement(FIND);
  }

  /// Whether an address is reserved.
  static boolean has(WriterConnection connection, PreparedStatement find, Jid account)
      throws SQLException {
    find.setLong(1, connection.ownerIds().idOf(account.domainJid()));
    find.setString(2, STORE);
    find.setString(3, OwnerIds.localOf(account));
    try (ResultSet row = find.executeQuery()) {
      return row.next();
    }
  }

  static boolean remove(WriterConnection connection, Jid account) throws SQLException {
    ValueKey key = new ValueKey(STORE, account.domainJid(), OwnerIds.localOf(account));
    return SqlKeyValues.remove(connection, key);
  }

  static List<Removed> list(Handle handle, String domain, @Nullable Jid from, int limit) {
    String first = from == null ? "" : OwnerIds.localOf(from);
    return ReadableRows.<Row, Removed>page(
        limit,
        (last, wanted) ->
            handle
                .createQuery(LIST)
                .bind(0, domain)
                .bind(1, STORE)
                .bind(2, last == null ? first : last.local)
                .bind(3, last == null ? "" : last.local)
                .bind(4, wanted)
                .map((row, context) ->
                    new Row(row.getString(1), SqlKeyValues.bytes(row.getBytes(2))))
                .list(),
        row -> {
          Jid account = ReadableRows.owner(domain, row.local);
          return account == null ? null : new Removed(account, contacts(row.contacts));
        });
  }

  /// Reads contacts; a line that cannot be read is left out.
  private static Map<Jid, Subscription> contacts(byte[] value) {
    Map<Jid, Subscription> contacts = new LinkedHashMap<>();
    new String(value, StandardCharsets.UTF_8)
        .lines()
        .forEach(line -> {
          try {
            int space = line.indexOf(' ');
            contacts.put(
                Jid.stored(line.substring(space + 1)),
                Subscription.valueOf(line.substring(0, space)));
          } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return; // its owner has nothing left that could be saved
          }
        });
    return contacts;
  }
}
