package im.zonda.app.transfer.ejabberd;

import im.zonda.storage.sql.foreign.ForeignDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tables of an ejabberd in either schema.
///
/// @param database the database
/// @param host the host of a database of the old schema; null for the new one, which names it
record EjabberdTables(ForeignDatabase database, @Nullable String host) {
  private static final String HOST = "server_host";

  /// The tables of a database.
  ///
  /// @throws IllegalArgumentException if the schema is the old one and no host is given
  static EjabberdTables of(ForeignDatabase database, @Nullable String host) {
    if (database.hasColumn("users", HOST)) {
      return new EjabberdTables(database, null);
    }
    if (host == null) {
      throw new IllegalArgumentException(
          "the database of ejabberd does not name its host; give it with --host");
    }
    return new EjabberdTables(database, host);
  }

  /// The hosts.
  List<String> hosts() throws IOException {
    String only = host;
    if (only != null) {
      return List.of(only);
    }
    return texts("select distinct server_host from users order by server_host");
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
  List<String> users(String ofHost, String after, int limit) throws IOException {
    String from = "select distinct username from users where ";
    String order = "username > ? order by username limit ?";
    return host != null
        ? texts(from + order, after, (long) limit)
        : texts(from + "server_host = ? and " + order, ofHost, after, (long) limit);
  }

  long countUsers(String ofHost) throws IOException {
    String count = "select count(distinct username) from users";
    return host != null
        ? database.number(count)
        : database.number(count + " where server_host = ?", ofHost);
  }

  /// Runs a query for the rows of a user. In it, `%s` stands for the condition.
  void query(String sql, ForeignDatabase.Rows rows, String ofHost, String user) throws IOException {
    if (host != null) {
      database.query(sql.replace("%s", "username = ?"), rows, user);
    } else {
      database.query(sql.replace("%s", "username = ? and server_host = ?"), rows, user, ofHost);
    }
  }
}
