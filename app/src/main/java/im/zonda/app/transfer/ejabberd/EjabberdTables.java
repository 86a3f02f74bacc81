package im.zonda.app.transfer.ejabberd;

import im.zonda.storage.sql.foreign.ForeignDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tables of an ejabberd in either schema, or of a server that has begun with them.
///
/// @param database the database
/// @param host the host of a database of the old schema; null for the new one, which names it
/// @param hostColumn the column with the host
public record EjabberdTables(ForeignDatabase database, @Nullable String host, String hostColumn) {
  private static final String HOST = "server_host";

  /// The tables of a database.
  ///
  /// @throws IllegalArgumentException if the schema is the old one and no host is given
  static EjabberdTables of(ForeignDatabase database, @Nullable String host) {
    if (database.hasColumn("users", HOST)) {
      return new EjabberdTables(database, null, HOST);
    }
    if (host == null) {
      throw new IllegalArgumentException(
          "the database of ejabberd does not name its host; give it with --host");
    }
    return new EjabberdTables(database, host, HOST);
  }

  /// The hosts.
  public List<String> hosts() throws IOException {
    String only = host;
    if (only != null) {
      return List.of(only);
    }
    return texts("select distinct " + hostColumn + " from users order by " + hostColumn);
  }

  private List<String> texts(String sql, Object... parameters) throws IOException {
    List<String> texts = new ArrayList<>();
    database.query(
        sql,
        row -> {
          String text = row.text(1);
          if (text != null) {
            texts.add(text);
          }
          return true;
        },
        parameters);
    return texts;
  }

  /// Users of a host in order, after that one.
  public List<String> users(String ofHost, String after, int limit) throws IOException {
    String from = "select distinct username from users where ";
    String order = "username > ? order by username limit ?";
    return host != null
        ? texts(from + order, after, (long) limit)
        : texts(from + hostColumn + " = ? and " + order, ofHost, after, (long) limit);
  }

  /// The number of users of a host.
  public long countUsers(String ofHost) throws IOException {
    String count = "select count(distinct username) from users";
    return host != null
        ? database.number(count)
        : database.number(count + " where " + hostColumn + " = ?", ofHost);
  }

  /// Runs a query for the rows of a user. In it, `%s` stands for the condition.
  public void query(String sql, ForeignDatabase.Rows rows, String ofHost, String user)
      throws IOException {
    if (host != null) {
      database.query(sql.replace("%s", "username = ?"), rows, user);
    } else {
      database.query(
          sql.replace("%s", "username = ? and " + hostColumn + " = ?"), rows, user, ofHost);
    }
  }
}
