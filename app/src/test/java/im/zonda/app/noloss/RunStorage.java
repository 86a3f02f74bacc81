package im.zonda.app.noloss;

import im.zonda.testkit.database.MariadbServer;
import im.zonda.testkit.database.PostgresqlServer;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The kind of database that the server of a run uses.
public enum RunStorage {
  SQLITE,
  POSTGRESQL,
  MARIADB;

  /// The kind with a name as on the command line.
  public static RunStorage of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /// Starts a database server of its own for the run; null if the database is a file.
  public @Nullable FaultyDatabase start() throws IOException {
    return switch (this) {
      case SQLITE -> null;
      case POSTGRESQL -> new FaultyDatabase(PostgresqlServer.create(), LostAnswers.ofPostgresql());
      case MARIADB -> new FaultyDatabase(MariadbServer.create(), LostAnswers.ofMariadb());
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
