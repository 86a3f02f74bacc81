package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.Writer;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.KeyValueStore;
import im.zonda.store.Stores;
import im.zonda.store.ValueKey;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// A key-value store in the table `key_value`.
///
/// @param name the name of the store
public record SqlKeyValues(Writer writer, QueryExecutor queries, AccountSql sql, String name)
    implements KeyValueStore {
  private static final String GET =
      """
      select value from key_value
      where owner_id = (select id from account where domain = ? and local = ?)
        and store = ? and "key" = ?
      """;

  private static final String ALL =
      """
      select "key", value from key_value
      where owner_id = (select id from account where domain = ? and local = ?) and store = ?
      """;

  private static final String ALL_OF_SEVERAL =
      """
      select local, "key", value from account join key_value on owner_id = id
      where domain = :domain and local in (<locals>) and store = :store
      """;

  private static final String REMOVE =
      "delete from key_value where owner_id = ? and store = ? and \"key\" = ?";

  /// The store in which few accounts have values.
  private static final String DISABLED = "disabled";

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Value(String local, byte[] value) {}

  @Override
  public byte @Nullable [] get(Jid owner, String key) {
    return queries.<byte @Nullable []>query(handle ->
        handle
            .createQuery(GET)
            .bind(0, owner.domain())
            .bind(1, OwnerIds.localOf(owner))
            .bind(2, name)
            .bind(3, key)
            .map((row, context) -> bytes(row.getBytes(1)))
            .findOne()
            .orElse(null));
  }

  @Override
  public Map<String, byte[]> all(Jid owner) {
    Map<String, byte[]> values = new HashMap<>();
    return queries.query(handle -> {
      handle
          .createQuery(ALL)
          .bind(0, owner.domain())
          .bind(1, OwnerIds.localOf(owner))
          .bind(2, name)
          .map((row, context) -> values.put(row.getString(1), bytes(row.getBytes(2))))
          .list();
      return values;
    });
  }

  @Override
  public Map<Jid, Map<String, byte[]>> all(String domain, Collection<Jid> owners) {
    Map<String, Jid> locals = new HashMap<>();
    owners.forEach(each -> locals.put(OwnerIds.localOf(each), each));
    if (locals.isEmpty()) {
      return Map.of();
    }
    Map<Jid, Map<String, byte[]>> values = new HashMap<>();
    return queries.query(handle -> {
      handle
          .createQuery(ALL_OF_SEVERAL)
          .bind("domain", domain)
          .bindList("locals", List.copyOf(locals.keySet()))
          .bind("store", name)
          .map((row, context) ->
              values
                  .computeIfAbsent(
                      Objects.requireNonNull(locals.get(row.getString(1))),
                      owner -> new HashMap<>())
                  .put(row.getString(2), bytes(row.getBytes(3))))
          .list();
      return values;
    });
  }

  @Override
  public SequencedMap<Jid, byte[]> find(
      String domain, String key, byte[] text, @Nullable Jid after, int limit) {
    SequencedMap<Jid, byte[]> found = new LinkedHashMap<>();
    String first = after == null ? "" : OwnerIds.localOf(after);
    List<Jid> _ =
        ReadableRows.<Value, Jid>page(
            limit,
            (last, wanted) ->
                queries.search(handle ->
                    handle
                        .createQuery(name.equals(DISABLED) ? sql.findDisabled() : sql.findValues())
                        .bind(0, domain)
                        .bind(1, last == null ? first : last.local)
                        .bind(2, name)
                        .bind(3, key)
                        .bind(4, text)
                        .bind(5, wanted)
                        .map((row, context) -> new Value(row.getString(1), bytes(row.getBytes(2))))
                        .list()),
            row -> {
              Jid owner = ReadableRows.owner(domain, row.local);
              if (owner != null) {
                found.put(owner, row.value);
              }
              return owner;
            });
    return found;
  }

  @Override
  public void put(Jid owner, String key, byte[] value) {
    byte[] copy = value.clone();
    boolean put =
        writer.change(connection -> {
          long id = DomainOwners.idOf(connection, sql, owner, writer.ids().next());
          if (id == OwnerIds.NONE) {
            return false;
          }
          sql.putValue().execute(connection.handle(), id, name, key, copy);
          return true;
        });
    if (!put) {
      throw new Stores.MissingOwnerException(owner);
    }
  }

  @Override
  public boolean remove(Jid owner, String key) {
    return writer.change(connection -> remove(connection, new ValueKey(name, owner, key)));
  }

  /// Removes a value as a part of a transaction; false if there was none.
  static boolean remove(WriterConnection connection, ValueKey value) throws SQLException {
    return connection
            .handle()
            .createUpdate(REMOVE)
            .bind(0, connection.ownerIds().idOf(value.owner()))
            .bind(1, value.store())
            .bind(2, value.key())
            .execute()
        > 0;
  }

  /// Converts the null that the driver returns for an empty value.
  static byte[] bytes(byte @Nullable [] column) {
    return column == null ? new byte[0] : column;
  }
}
