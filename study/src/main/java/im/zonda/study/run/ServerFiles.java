package im.zonda.study.run;

import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import im.zonda.storage.sql.SqlStores;
import im.zonda.study.load.JmeterLoad;
import im.zonda.study.page.Contents;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.database.PostgresqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/// The configuration of the servers of the study, all of which use one database in turn.
///
/// @param folder of all files
/// @param port for HTTP, on the loopback address
/// @param xmpp port for clients
/// @param web the folder of the chat, which the start page offers
record ServerFiles(Path folder, int port, int xmpp, Path web) {
  /// The virtual host.
  static final String DOMAIN = "localhost";

  private static final String SERVICE = "rooms." + DOMAIN;
  private static final String DATABASE = "study";

  /// Fills a database and writes the files.
  static ServerFiles make(Path folder, Path web, PostgresqlServer server) throws IOException {
    ServerFiles files = new ServerFiles(folder, FreePorts.next(), FreePorts.next(), web);
    Files.createDirectories(files.data());
    server.createDatabase(DATABASE);
    files.write(server.url(DATABASE));
    ServerConfig defaults = ServerConfig.defaults(List.of(DOMAIN), files.data());
    Storage storage =
        defaults
            .storage()
            .withDatabase(
                server.url(DATABASE),
                DatabaseServer.USER,
                DatabaseServer.PASSWORD,
                DatabaseTls.OFF);
    InstantSource clock = InstantSource.system();
    try (SqlStores stores = SqlStores.open(files.data(), storage, defaults.limits(), clock)) {
      Contents.OF_STUDY.fill(stores, DOMAIN, SERVICE, clock.instant());
    }
    return files;
  }

  private void write(String url) throws IOException {
    Files.writeString(
        config(),
        String.format(
            Locale.ROOT,
            """
            hosts = ["%s"]
            data = "%s"

            [storage]
            url = "%s"
            user = "%s"
            password = %s
            tls = "off"
            connections = %d

            [c2s]
            listen = ["127.0.0.1:%d"]
            listen-tls = []
            plaintext = "loopback"

            [http]
            listen = ["127.0.0.1:%d"]
            listen-tls = []

            [rooms]
            prefix = "rooms"
            """,
            DOMAIN,
            data(),
            url,
            DatabaseServer.USER,
            "\"" + DatabaseServer.PASSWORD.replace("\\", "\\\\").replace("\"", "\\\"") + "\"",
            JmeterLoad.THREADS,
            xmpp,
            port));
    // The pool shows its state by JMX.
    Files.writeString(pool(), "registerMbeans=true\n");
  }

  /// The configuration file.
  Path config() {
    return folder.resolve("zonda.toml");
  }

  /// The data folder.
  Path data() {
    return folder.resolve("data");
  }

  private Path pool() {
    return folder.resolve("pool.properties");
  }

  /// The log of the server that runs.
  Path log() {
    return folder.resolve("server.log");
  }

  /// System properties of servers.
  List<String> properties() {
    return List.of("-Dhikaricp.configurationFile=" + pool(), "-Dzonda.web=" + web);
  }
}
