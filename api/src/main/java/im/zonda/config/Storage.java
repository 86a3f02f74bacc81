package im.zonda.config;

import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The message log and the database.
public record Storage(
    @Setting("whether messages stay in the log after they are delivered, as the" + " archive")
        boolean archive,
    @Setting(
            "whether messages to online users are written to the log; without it"
                + " there is no archive, and a crash may lose messages")
        boolean durable,
    @Setting(
            value =
                "minimum time between two commits; three times as long while messages" + " arrive",
            key = "commit-delay",
            form = Form.MILLIS,
            max = 1_000)
        int commitDelayMillis,
    @Setting(value = "maximum number of entries in one commit", min = 1, max = 100_000)
        int commitEntries,
    @Setting("whether the archive offers full-text search (XEP-0431)") boolean fullText,
    @Setting(
            value =
                "database: `sqlite:` and a file, relative to the data folder, or"
                    + " `postgresql://host:port/database` or `mariadb://host:port/database`",
            form = Form.DATABASE)
        String url,
    @Setting("user of the database; not for SQLite") @Nullable String user,
    @Setting(
            value = "password of that user, such as `${file:/etc/zonda/database-password}`",
            form = Form.SECRET)
        @Nullable String password,
    @Setting(
            "TLS to the database server: `off`, `require` without checking the certificate, or"
                + " `verify` certificate and host name; without it `verify`, and `off` for a"
                + " server at a loopback address")
        @Nullable DatabaseTls tls,
    @Setting(
            "PEM file with the certificate authorities that `verify` accepts; without it those"
                + " of the Java runtime")
        @Nullable Path tlsCa,
    @Setting(
            value = "connections to a database server for queries; one more writes",
            min = 1,
            max = 100)
        int connections,
    @Setting(
            "folder of the files that accounts upload (XEP-0363); without it `uploads` in the data"
                + " folder. In a cluster all nodes must share it")
        @Nullable Path files) {
  /// The database in the data folder.
  public static final String DEFAULT_URL = "sqlite:zonda.db";

  /// Settings for SQLite without full-text search.
  public Storage(boolean archive, boolean durable, int commitDelayMillis, int commitEntries) {
    this(archive, durable, commitDelayMillis, commitEntries, false);
  }

  /// Settings for SQLite.
  public Storage(
      boolean archive,
      boolean durable,
      int commitDelayMillis,
      int commitEntries,
      boolean fullText) {
    this(
        archive,
        durable,
        commitDelayMillis,
        commitEntries,
        fullText,
        DEFAULT_URL,
        null,
        null,
        null,
        null,
        8,
        null);
  }

  /// The same settings with another database.
  public Storage withDatabase(
      String newUrl,
      @Nullable String newUser,
      @Nullable String newPassword,
      @Nullable DatabaseTls newTls) {
    return new Storage(
        archive,
        durable,
        commitDelayMillis,
        commitEntries,
        fullText,
        newUrl,
        newUser,
        newPassword,
        newTls,
        tlsCa,
        connections,
        files);
  }

  /// The database only, without user and password.
  @Override
  public String toString() {
    return url;
  }
}
