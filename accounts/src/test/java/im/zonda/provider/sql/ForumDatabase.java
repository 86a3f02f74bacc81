package im.zonda.provider.sql;

import im.zonda.config.accounts.SqlAccounts;
import im.zonda.config.accounts.SqlAccounts.Hash;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.MariadbServer;
import im.zonda.testkit.database.PostgresqlServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;

/// The database of a forum, with the table `member(name, hash, uid, off, mail, real)` and the table
/// `team(id, name, member)`.
enum ForumDatabase {
  POSTGRESQL,
  MARIADB,
  SQLITE;

  private static final AtomicInteger COUNT = new AtomicInteger();

  /// Those that the tests run on: MariaDB only if `zonda.test.mariadb` is set.
  static List<ForumDatabase> tested() {
    return Stream.of(values())
        .filter(each -> each != MARIADB || Boolean.getBoolean("zonda.test.mariadb"))
        .toList();
  }

  /// The server, or null.
  @Nullable DatabaseServer server() {
    return switch (this) {
      case POSTGRESQL -> PostgresqlServer.shared();
      case MARIADB -> MariadbServer.shared();
      case SQLITE -> null;
    };
  }

  /// A new database of that kind.
  Forum create(Path folder) throws SQLException {
    DatabaseServer server = server();
    String name = "forum" + COUNT.incrementAndGet();
    if (server != null) {
      server.createDatabase(name);
    }
    String url = server == null ? "sqlite:" + folder.resolve(name) : server.url(name);
    Forum forum = new Forum(server, name, url);
    forum.execute(
        "create table member (name varchar(200), hash text, uid varchar(2000), off varchar(20),"
            + " mail text, other varchar(200))",
        "create table team (id varchar(600), name varchar(200), member varchar(600))");
    if (this == POSTGRESQL) {
      forum.execute("grant select, insert on member, team to zonda");
    }
    return forum;
  }

  /// @param server the server, or null for a file
  record Forum(@Nullable DatabaseServer server, String name, String url) {
    static final String QUERY =
        "select hash as password, uid as id, off as disabled, other as name, mail as email, 7 as"
            + " posts from member where name = :local";

    Connection connect() throws SQLException {
      return server == null
          ? JDBC.createConnection("jdbc:" + url, new Properties())
          : server.connect(name);
    }

    void execute(String... commands) throws SQLException {
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        for (String sql : commands) {
          statement.execute(sql);
        }
      }
    }

    SqlAccounts settings(String query, Hash hash, @Nullable String groups) {
      return new SqlAccounts(
          url,
          server == null ? null : DatabaseServer.USER,
          server == null ? null : DatabaseServer.PASSWORD,
          null,
          null,
          query,
          hash,
          groups,
          2);
    }
  }
}
