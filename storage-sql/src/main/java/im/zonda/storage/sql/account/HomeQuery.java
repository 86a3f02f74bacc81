package im.zonda.storage.sql.account;

import im.zonda.jid.Jid;
import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.storage.sql.log.OwnerIds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/// Reads an owner's values of several key-value stores, with the number of messages that wait, in
/// one query.
public final class HomeQuery {
  private static final String VALUES =
      """
      select store, "key", value, 0 from key_value
      where owner_id = (select id from account where domain = ? and local = ?)
        and store in
      """;

  private static final String WAITING =
      """
      union all select null, null, null, count(*) from message
      where owner_id = (select id from account where domain = ? and local = ?) and waiting = 1
      """;

  /// No store has this name.
  private static final List<String> NO_NAMES = List.of("");

  private HomeQuery() {}

  /// What was read.
  ///
  /// @param values by store and key
  /// @param waiting how many messages wait; 0 if they were not counted
  public record Found(Map<String, Map<String, byte[]>> values, int waiting) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(String store, String key, byte[] value, int waiting) {}

  /// Reads values only.
  public static Found readValues(Handle handle, Jid owner, Set<String> names) {
    return read(handle, owner, names, values(names), 1);
  }

  /// Reads values and counts messages.
  public static Found readHome(Handle handle, Jid owner, Set<String> names) {
    return read(handle, owner, names, values(names) + WAITING, 2);
  }

  private static String values(Set<String> names) {
    return VALUES + SqlSyntax.parameters(Math.max(1, names.size())) + "\n";
  }

  private static Found read(Handle handle, Jid owner, Set<String> names, String query, int owners) {
    List<String> wanted = names.isEmpty() ? NO_NAMES : List.copyOf(names);
    Query prepared = handle.createQuery(query);
    int position = bind(prepared, 0, owner);
    for (String name : wanted) {
      prepared.bind(position++, name);
    }
    if (owners == 2) {
      bind(prepared, position, owner);
    }
    Map<String, Map<String, byte[]>> values = new HashMap<>();
    int waiting = 0;
    for (Row row :
        prepared
            .map((found, context) ->
                new Row(
                    found.getString(1),
                    found.getString(2),
                    SqlKeyValues.bytes(found.getBytes(3)),
                    found.getInt(4)))
            .list()) {
      if (row.store == null) {
        waiting = row.waiting;
      } else {
        values.computeIfAbsent(row.store, name -> new HashMap<>()).put(row.key, row.value);
      }
    }
    return new Found(values, waiting);
  }

  private static int bind(Query query, int position, Jid owner) {
    query.bind(position, owner.domain()).bind(position + 1, OwnerIds.localOf(owner));
    return position + 2;
  }
}
