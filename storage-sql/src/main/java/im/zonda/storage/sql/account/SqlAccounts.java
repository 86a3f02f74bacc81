package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.archive.OwnerErasure;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.IdClock;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.Writer;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.MessageLog;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores.FilledAccount;
import im.zonda.store.Stores.Removal;
import im.zonda.store.ValueKey;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/// Accounts, in the tables `account` and `scram_keys`. Rooms and queues for remote domains have a
/// row in `account` too but are not accounts: no method of this class finds, lists, changes or
/// removes them.
public final class SqlAccounts implements AccountStore {
  private static final String FIND =
      """
      select created, hash, salt, iterations, stored_key, server_key
      from account left join scram_keys on account_id = id
      where domain = ? and local = ?
        and local not like '/%'
        and not exists (select 1 from room where owner_id = account.id)
      order by hash
      """;

  private static final String CREATED =
      """
      select local, created from account
      where domain = :domain and local in (<locals>)
        and local not like '/%'
        and not exists (select 1 from room where owner_id = account.id)
      """;

  private static final String LIST =
      """
      select local from account
      where domain = ? and local > ?
        and local not like '/%'
        and not exists (select 1 from room where owner_id = account.id)
      order by local limit ?
      """;

  private static final String COUNT =
      """
      select count(*) from account
      where domain = ? and local not like '/%'
        and not exists (select 1 from room where owner_id = account.id)
      """;

  private static final String ADD_KEYS =
      """
      insert into scram_keys (account_id, hash, salt, iterations, stored_key, server_key)
      values (?, ?, ?, ?, ?, ?)
      """;

  /// Removes an account that was added in the same transaction: nothing refers to it yet.
  private static final String REMOVE_NEW = "delete from account where domain = ? and local = ?";

  private final Writer writer;
  private final QueryExecutor queries;
  private final OwnerErasure erasure;
  private final AccountSql sql;

  public SqlAccounts(Writer writer, QueryExecutor queries, OwnerErasure erasure, AccountSql sql) {
    this.writer = writer;
    this.queries = queries;
    this.erasure = erasure;
    this.sql = sql;
  }

  private record Row(long created, @Nullable ScramKeys keys) {}

  @Override
  public @Nullable Account find(Jid jid) {
    return queries.query(handle -> find(handle, jid));
  }

  static @Nullable Account find(Handle handle, Jid jid) {
    List<Row> rows =
        handle
            .createQuery(FIND)
            .bind(0, jid.domain())
            .bind(1, OwnerIds.localOf(jid))
            .map((row, context) ->
                new Row(
                    row.getLong(1),
                    row.getString(2) == null
                        ? null
                        : new ScramKeys(
                            row.getString(2),
                            row.getBytes(3),
                            row.getInt(4),
                            row.getBytes(5),
                            row.getBytes(6))))
            .list();
    if (rows.isEmpty()) {
      return null;
    }
    List<ScramKeys> keys = new ArrayList<>(rows.size());
    for (Row row : rows) {
      if (row.keys != null) {
        keys.add(row.keys);
      }
    }
    return new Account(jid, List.copyOf(keys), MessageLog.timeOf(rows.getFirst().created));
  }

  @Override
  public Map<Jid, Instant> created(String domain, Set<Jid> accounts) {
    Map<String, Jid> locals = new HashMap<>();
    accounts.forEach(each -> locals.put(OwnerIds.localOf(each), each));
    if (locals.isEmpty()) {
      return Map.of();
    }
    Map<Jid, Instant> created = new HashMap<>();
    return queries.query(handle -> {
      handle
          .createQuery(CREATED)
          .bind("domain", domain)
          .bindList("locals", List.copyOf(locals.keySet()))
          .map((row, context) -> {
            Jid account = Objects.requireNonNull(locals.get(row.getString(1)));
            return created.put(account, MessageLog.timeOf(row.getLong(2)));
          })
          .list();
      return created;
    });
  }

  @Override
  public List<Jid> create(List<Account> accounts) {
    return writer.change(connection -> {
      List<Jid> existing = new ArrayList<>();
      for (Account account : accounts) {
        Handle handle = connection.handle();
        if (!add(connection, account)) {
          existing.add(account.jid());
        } else {
          addKeys(handle, connection.ownerIds().idOf(account.jid()), account.keys());
        }
      }
      return existing;
    });
  }

  /// Adds accounts with their rosters and values ([im.zonda.store.Stores#createAccounts]).
  public List<Jid> createFilled(List<FilledAccount> accounts) {
    return writer.change(
        connection -> new AccountBatch(connection, sql, writer.ids()).create(accounts));
  }

  @Override
  public Creation create(Account account, ValueKey permission) {
    return writer.change(connection -> {
      Handle handle = connection.handle();
      if (!add(connection, account)) {
        return Creation.ADDRESS_TAKEN;
      }
      // Another node that removes the same row waits here for the end of its transaction.
      if (!SqlKeyValues.remove(connection, permission)) {
        removeNew(handle, account.jid());
        return Creation.NO_PERMISSION;
      }
      addKeys(handle, connection.ownerIds().idOf(account.jid()), account.keys());
      return Creation.DONE;
    });
  }

  /// Adds the row of an account; false if the address is taken.
  private boolean add(WriterConnection connection, Account account) throws SQLException {
    Handle handle = connection.handle();
    boolean added =
        handle
                .createUpdate(sql.addOwner())
                .bind(0, account.jid().domain())
                .bind(1, OwnerIds.localOf(account.jid()))
                .bind(2, IdClock.micros(account.created()))
                .execute()
            > 0;
    // Only now: another node that removes the account has been waited for.
    if (added && RemovedAccountRows.has(connection, account.jid())) {
      removeNew(handle, account.jid());
      return false;
    }
    return added;
  }

  private static void removeNew(Handle handle, Jid account) {
    handle
        .createUpdate(REMOVE_NEW)
        .bind(0, account.domain())
        .bind(1, OwnerIds.localOf(account))
        .execute();
  }

  @Override
  public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
    return writer.change(connection -> {
      long id = idOf(connection, jid);
      if (id == OwnerIds.NONE) {
        return false;
      }
      replaceKeys(connection.handle(), id, keys);
      return true;
    });
  }

  @Override
  public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
    return writer.change(connection -> {
      Account account = find(connection.handle(), jid);
      List<ScramKeys> keys =
          account == null ? null : ScramKeys.adding(account.keys(), proved, added);
      if (keys == null) {
        return false;
      }
      replaceKeys(connection.handle(), idOf(connection, jid), keys);
      return true;
    });
  }

  private static void replaceKeys(Handle handle, long id, List<ScramKeys> keys) {
    handle.createUpdate("delete from scram_keys where account_id = ?").bind(0, id).execute();
    addKeys(handle, id, keys);
  }

  private static void addKeys(Handle handle, long id, List<ScramKeys> keys) {
    if (keys.isEmpty()) {
      return;
    }
    try (PreparedBatch batch = handle.prepareBatch(ADD_KEYS)) {
      for (ScramKeys key : keys) {
        batch
            .bind(0, id)
            .bind(1, key.hash())
            .bind(2, key.salt())
            .bind(3, key.iterations())
            .bind(4, key.storedKey())
            .bind(5, key.serverKey())
            .add();
      }
      batch.execute();
    }
  }

  @Override
  public boolean remove(Jid jid) {
    boolean removed = writer.change(connection -> remove(connection, jid));
    if (removed) {
      erasure.start();
    }
    return removed;
  }

  /// Removes accounts ([im.zonda.store.Stores#removeAccounts]).
  public Removal removeAll(Set<Jid> accounts, Set<Jid> next, Set<Jid> reserve) {
    Removal removal =
        writer.change(connection -> {
          Map<Jid, Long> found = new LinkedHashMap<>();
          for (Jid each : accounts) {
            long id = idOf(connection, each);
            if (id != OwnerIds.NONE) {
              found.put(each, id);
            }
          }
          return new AccountBatch(connection, sql, writer.ids())
              .remove(found, next, reserve, erasure);
        });
    if (!removal.removed().isEmpty()) {
      erasure.start();
    }
    return removal;
  }

  private boolean remove(WriterConnection connection, Jid jid) throws SQLException {
    long id = idOf(connection, jid);
    if (id == OwnerIds.NONE) {
      return false;
    }
    RemovedAccountRows.add(connection, sql, jid, id, writer.ids().next());
    connection.ownerIds().removeAccount(jid);
    erasure.begin(connection, jid, id);
    return true;
  }

  /// The id of the account, or [OwnerIds#NONE] if there is none or the address is that of a room or
  /// queue.
  private static long idOf(WriterConnection connection, Jid jid) throws SQLException {
    if (OwnerIds.localOf(jid).startsWith(OwnerIds.DOMAIN)) {
      return OwnerIds.NONE;
    }
    long id = connection.ownerIds().idOf(jid);
    return SqlRooms.isRoom(connection, id) ? OwnerIds.NONE : id;
  }

  @Override
  public List<Removed> removed(String domain, @Nullable Jid from, int limit) {
    return queries.query(handle -> RemovedAccountRows.list(handle, domain, from, limit));
  }

  @Override
  public boolean release(Jid jid) {
    return writer.change(connection -> {
      RemovedRoomRows.forgetUser(connection, jid);
      return RemovedAccountRows.remove(connection, jid);
    });
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    String first = after == null ? "" : OwnerIds.localOf(after);
    return ReadableRows.<String, Jid>page(
        limit,
        (last, wanted) ->
            queries.query(handle ->
                handle
                    .createQuery(LIST)
                    .bind(0, domain)
                    .bind(1, last == null ? first : last)
                    .bind(2, wanted)
                    .mapTo(String.class)
                    .list()),
        local -> ReadableRows.owner(domain, local));
  }

  @Override
  public List<Jid> search(String domain, String part, @Nullable Jid after, int limit) {
    String first = after == null ? "" : OwnerIds.localOf(after);
    return ReadableRows.<String, Jid>page(
        limit,
        (last, wanted) ->
            queries.search(handle ->
                handle
                    .createQuery(sql.searchAccounts())
                    .bind(0, domain)
                    .bind(1, last == null ? first : last)
                    .bind(2, part)
                    .bind(3, wanted)
                    .mapTo(String.class)
                    .list()),
        local -> ReadableRows.owner(domain, local));
  }

  @Override
  public long count(String domain) {
    return queries.query(
        handle -> handle.createQuery(COUNT).bind(0, domain).mapTo(Long.class).one());
  }
}
