package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.archive.OwnerErasure;
import im.zonda.storage.sql.database.RowInserts;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.Account;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores.FilledAccount;
import im.zonda.store.Stores.Removal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Creates and removes many accounts as parts of a transaction. Each statement is prepared once,
/// which takes longer than what it does.
///
/// @param connection the transaction
/// @param ids issues versions of rosters
record AccountBatch(WriterConnection connection, AccountSql sql, IdClock ids) {
  private static final List<String> KEYS =
      List.of("account_id", "hash", "salt", "iterations", "stored_key", "server_key");
  private static final List<String> ITEMS =
      List.of(
          "owner_id",
          "jid",
          "name",
          "subscription",
          "ask",
          "approved",
          "listed",
          "groups",
          "request");
  private static final List<String> VERSIONS = List.of("owner_id", "version");
  private static final List<String> VALUES = List.of("owner_id", "store", "\"key\"", "value");

  private static final String REMOVE_NEW = "delete from account where domain = ? and local = ?";

  /// Who has something about a user in a roster.
  private static final String OWNERS =
      """
      select o.domain, o.local from roster_item i join account o on o.id = i.owner_id
      where i.jid = ?
        and (i.subscription <> 'NONE' or i.ask <> 0 or i.approved <> 0 or i.request is not null)
      """;

  /// Whether rooms and nodes have something about a user.
  private static final String TRACES =
      """
      select 1 from room_affiliation where jid = ? and affiliation <> 'outcast'
      union all
      select 1 from pubsub_affiliation where jid = ? and affiliation <> 'outcast'
      union all
      select 1 from pubsub_subscription where jid = ? or (jid > ? and jid < ?)
      limit 1
      """;

  /// Adds accounts; returns the addresses that were taken.
  List<Jid> create(List<FilledAccount> accounts) throws SQLException {
    Connection jdbc = connection.handle().getConnection();
    List<Jid> taken = new ArrayList<>();
    Map<Long, FilledAccount> added = new LinkedHashMap<>();
    try (PreparedStatement owner = jdbc.prepareStatement(sql.addOwner());
        PreparedStatement reserved = RemovedAccountRows.prepareFind(connection);
        PreparedStatement removeNew = jdbc.prepareStatement(REMOVE_NEW)) {
      for (FilledAccount each : accounts) {
        Account account = each.account();
        owner.setString(1, account.jid().domain());
        owner.setString(2, OwnerIds.localOf(account.jid()));
        owner.setLong(3, IdClock.micros(account.created()));
        if (owner.executeUpdate() == 0) {
          taken.add(account.jid());
        } else if (RemovedAccountRows.has(connection, reserved, account.jid())) {
          // Only now: another node that removes the account has been waited for.
          removeNew.setString(1, account.jid().domain());
          removeNew.setString(2, OwnerIds.localOf(account.jid()));
          removeNew.executeUpdate();
          taken.add(account.jid());
        } else {
          added.put(connection.ownerIds().idOf(account.jid()), each);
        }
      }
    }
    fill(jdbc, added);
    return taken;
  }

  /// The rows of one table after those of another: each comes in the order of the ids.
  private void fill(Connection jdbc, Map<Long, FilledAccount> accounts) throws SQLException {
    try (RowInserts keys = new RowInserts(jdbc, "scram_keys", KEYS);
        RowInserts versions = new RowInserts(jdbc, "roster_version", VERSIONS);
        RowInserts items = new RowInserts(jdbc, "roster_item", ITEMS);
        RowInserts values = new RowInserts(jdbc, "key_value", VALUES)) {
      for (Map.Entry<Long, FilledAccount> each : accounts.entrySet()) {
        long id = each.getKey();
        FilledAccount account = each.getValue();
        for (ScramKeys key : account.account().keys()) {
          keys.add(id, key.hash(), key.salt(), key.iterations(), key.storedKey(), key.serverKey());
        }
        if (!account.roster().isEmpty()) {
          versions.add(id, ids.next());
        }
        addItems(items, id, account.roster());
        for (var value : account.values().entrySet()) {
          values.add(id, value.getKey().store(), value.getKey().key(), value.getValue());
        }
      }
      keys.flush();
      versions.flush();
      items.flush();
      values.flush();
    }
  }

  private static void addItems(RowInserts items, long id, List<RosterItem> roster)
      throws SQLException {
    List<RosterItem> sorted = new ArrayList<>(roster);
    sorted.sort(Comparator.comparing(item -> item.jid().toString()));
    for (RosterItem item : sorted) {
      items.add(
          id,
          item.jid().toString(),
          item.name(),
          item.subscription().name(),
          item.ask() ? 1 : 0,
          item.approved() ? 1 : 0,
          item.listed() ? 1 : 0,
          SqlRosters.text(item.groups()),
          SqlRosters.bytes(item.request()));
    }
  }

  /// Removes accounts.
  ///
  /// @param found the accounts with their ids
  /// @param next others that are not remembered as contacts
  /// @param reserve those whose addresses are reserved in any case
  Removal remove(Map<Jid, Long> found, Set<Jid> next, Set<Jid> reserve, OwnerErasure erasure)
      throws SQLException {
    Set<String> leaving = new HashSet<>();
    found.keySet().forEach(each -> leaving.add(each.toString()));
    next.forEach(each -> leaving.add(each.toString()));
    Map<Jid, String> contacts = new LinkedHashMap<>();
    try (PreparedStatement statement = RemovedAccountRows.prepareContacts(connection)) {
      for (Map.Entry<Jid, Long> each : found.entrySet()) {
        contacts.put(
            each.getKey(), RemovedAccountRows.contacts(statement, each.getValue(), leaving));
      }
    }
    for (Jid each : found.keySet()) {
      connection.ownerIds().removeAccount(each);
    }
    erasure.begin(connection, List.copyOf(found.values()));
    List<Jid> reserved = new ArrayList<>();
    Connection jdbc = connection.handle().getConnection();
    try (PreparedStatement owners = jdbc.prepareStatement(OWNERS);
        PreparedStatement traces = jdbc.prepareStatement(TRACES)) {
      for (Map.Entry<Jid, String> each : contacts.entrySet()) {
        Jid account = each.getKey();
        if (!each.getValue().isEmpty()
            || reserve.contains(account)
            || isInRosters(owners, account.toString(), next)
            || hasTraces(traces, account.toString())) {
          RemovedAccountRows.put(connection, sql, account, each.getValue(), ids.next());
          reserved.add(account);
        }
      }
    }
    return new Removal(List.copyOf(found.keySet()), reserved);
  }

  private static boolean isInRosters(PreparedStatement owners, String user, Set<Jid> except)
      throws SQLException {
    owners.setString(1, user);
    try (ResultSet row = owners.executeQuery()) {
      while (row.next()) {
        Jid owner = ReadableRows.owner(row.getString(1), row.getString(2));
        if (owner == null || !except.contains(owner)) {
          return true;
        }
      }
      return false;
    }
  }

  /// The full addresses of a user are between `user/` and `user0`, which is the next character.
  private static boolean hasTraces(PreparedStatement traces, String user) throws SQLException {
    for (int i = 1; i <= 3; i++) {
      traces.setString(i, user);
    }
    traces.setString(4, user + "/");
    traces.setString(5, user + "0");
    try (ResultSet row = traces.executeQuery()) {
      return row.next();
    }
  }
}
