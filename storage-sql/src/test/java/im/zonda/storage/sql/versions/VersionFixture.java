package im.zonda.storage.sql.versions;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.copy.FilledStores;
import im.zonda.storage.sql.copy.FilledStores.Largest;
import im.zonda.storage.sql.server.SqlClusterRows;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// What a version of this server has written into each kind of database: something of every kind
/// that the stores keep ([FilledStores]), in a folder with the version's name.
///
/// | file | what it is |
/// |---|---|
/// | `sqlite.db.gz` | the file of SQLite |
/// | `postgresql.sql`, `mariadb.sql` | the database as statements ([DatabaseDump]) |
/// | `shown.txt` | what the ports show of it, the same for all |
///
/// @param resources the folder
record VersionFixture(Path resources) {
  private static final Path ALL = Path.of("src/test/resources/im/zonda/storage/sql/versions");
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");
  private static final String SNAPSHOT = "-SNAPSHOT";

  /// A clock that stands still, so that each build writes the same ids.
  private static final InstantSource NOON = InstantSource.fixed(StoresContract.NOON);

  /// Small, so that a fixture is some 100 KiB.
  private static final Largest LARGEST = new Largest(300, 300);

  /// All versions that have a fixture, the oldest first as far as their names tell.
  static List<VersionFixture> all() throws IOException {
    try (Stream<Path> folders = Files.list(ALL)) {
      return folders.sorted().map(VersionFixture::new).toList();
    }
  }

  /// The fixture of the version that is being built, which may not be there yet.
  static VersionFixture ofThisVersion() throws IOException {
    return new VersionFixture(ALL.resolve(version().replace(SNAPSHOT, "")));
  }

  /// Whether the version that is being built is one to be released, and no snapshot.
  static boolean isRelease() throws IOException {
    return !version().endsWith(SNAPSHOT);
  }

  private static String version() throws IOException {
    Matcher matcher = VERSION.matcher(Files.readString(Path.of("../pom.xml")));
    if (!matcher.find()) {
      throw new IOException("pom.xml has no version");
    }
    return matcher.group(1);
  }

  private Path file(TestDatabase database) {
    return resources.resolve(
        switch (database) {
          case SQLITE -> "sqlite.db.gz";
          case POSTGRESQL -> "postgresql.sql";
          case MARIADB -> "mariadb.sql";
        });
  }

  /// What the ports show of the content.
  Path shown() {
    return resources.resolve("shown.txt");
  }

  /// Puts the content into the database of a folder, which is empty.
  void load(TestDatabase database, Path folder) throws IOException, SQLException {
    if (database == TestDatabase.SQLITE) {
      try (InputStream in = new GZIPInputStream(Files.newInputStream(file(database)))) {
        Files.copy(in, folder.resolve("zonda.db"));
      }
    } else {
      DatabaseDump.load(database, folder, Files.readString(file(database)));
    }
  }

  /// Writes what this build makes.
  ///
  /// @param folder an empty folder
  void write(TestDatabase database, Path folder) throws IOException, SQLException {
    if (database != TestDatabase.SQLITE) {
      fillCluster(database, folder);
    }
    FilledStores.fill(database, folder, NOON, LARGEST);
    Files.createDirectories(resources);
    if (database == TestDatabase.SQLITE) {
      compact(database, folder);
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file(database)))) {
        Files.copy(folder.resolve("zonda.db"), out);
      }
    } else {
      Files.writeString(file(database), DatabaseDump.of(database, folder));
    }
    try (SqlStores stores = FilledStores.open(database, folder)) {
      Files.writeString(shown(), FilledStores.show(stores) + "\n");
    }
  }

  private static void compact(TestDatabase database, Path folder) throws SQLException {
    for (String sql :
        List.of(
            "insert into archive_text (archive_text) values ('optimize')",
            "pragma wal_checkpoint(truncate)",
            "vacuum",
            "pragma wal_checkpoint(truncate)")) {
      database.execute(folder, sql);
    }
  }

  /// A node of a cluster has used the database.
  private static void fillCluster(TestDatabase database, Path folder) {
    Storage settings = FilledStores.settings(database, folder);
    SqlStores.openNode(folder, settings, Limits.defaults(), NOON, TestDatabase.process("a"))
        .close();
    Member a = new Member("a", 7);
    try (SqlClusterRows rows = SqlStores.clusterRows(settings, "example")) {
      boolean _ =
          rows.compareAndSet(0, new ClusterRow(1, List.of(a), Map.of("a", 7L), 0, Set.of(a), 2));
      rows.announce("a", "192.0.2.1:7800");
    }
  }

  @Override
  public String toString() {
    return resources.getFileName().toString();
  }
}
