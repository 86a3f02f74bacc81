package im.zonda.provider.sql;

import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The operator's query for groups: a row for each member, with `id`, `name` and `member`.
final class GroupQuery {
  private static final int FETCHED = 1_000;
  private static final int MOST_ROWS = 1_000_000;
  private static final int MOST_GROUPS = 10_000;

  private final NamedQuery query;

  GroupQuery(NamedQuery query) {
    this.query = query;
  }

  List<ProvidedGroup> run(Connection connection, TableConnections connections, String domain)
      throws SQLException, ProviderException {
    if (connections.streams()) {
      connection.setAutoCommit(false); // or the driver reads all rows at once
    }
    try (PreparedStatement statement = connection.prepareStatement(query.sql())) {
      statement.setFetchSize(FETCHED);
      statement.setMaxRows(MOST_ROWS + 1);
      statement.setQueryTimeout(connections.querySeconds());
      SqlProvider.bind(statement, query, domain, "");
      try (ResultSet result = statement.executeQuery()) {
        return read(result, domain);
      }
    } finally {
      if (connections.streams()) {
        connection.rollback();
      }
    }
  }

  private static List<ProvidedGroup> read(ResultSet result, String domain)
      throws SQLException, ProviderException {
    int id = column(result, "id");
    int name = column(result, "name");
    int member = column(result, "member");
    Map<String, String> names = new LinkedHashMap<>();
    Map<String, Set<String>> members = new HashMap<>();
    for (int rows = 1; result.next(); rows++) {
      String group = result.getString(id);
      if (group == null || group.isEmpty()) {
        continue;
      }
      if (group.length() > ProvidedAccount.MOST_CHARS) {
        throw new ProviderException("the id of a group is too long");
      }
      String known = result.getString(name);
      names.putIfAbsent(group, cut(known == null || known.isBlank() ? group : known));
      if (rows > MOST_ROWS || names.size() > MOST_GROUPS) {
        throw new ProviderException(
            "there are more than "
                + (rows > MOST_ROWS ? MOST_ROWS + " members" : MOST_GROUPS + " groups"));
      }
      String local = local(result.getString(member), domain);
      Set<String> all = members.computeIfAbsent(group, each -> new HashSet<>());
      if (local != null) {
        all.add(local);
      }
    }
    List<ProvidedGroup> groups = new ArrayList<>(names.size());
    names.forEach((group, text) ->
        groups.add(new ProvidedGroup(group, text, members.getOrDefault(group, Set.of()))));
    return groups;
  }

  private static String cut(String name) {
    return name.substring(0, Math.min(name.length(), ProvidedAccount.MOST_CHARS));
  }

  private static int column(ResultSet result, String name) throws SQLException, ProviderException {
    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
      if (result.getMetaData().getColumnLabel(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    throw new ProviderException("the result of the query for groups has no column named " + name);
  }

  /// The local part of a member, prepared; null if it can be none of the host.
  private static @Nullable String local(@Nullable String member, String domain) {
    if (member == null || member.isEmpty()) {
      return null;
    }
    try {
      if (member.indexOf('@') >= 0) {
        Jid jid = Jid.of(member);
        return jid.domain().equals(domain) ? jid.local() : null;
      }
      return Jid.of(member, domain, null).local();
    } catch (JidFormatException e) {
      return null;
    }
  }
}
