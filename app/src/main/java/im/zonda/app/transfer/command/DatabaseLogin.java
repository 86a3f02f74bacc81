package im.zonda.app.transfer.command;

import im.zonda.app.settings.toml.Utf8File;
import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options by which the database of another server is opened. The password is never one of
/// them, because every user of the machine can read arguments.
final class DatabaseLogin {
  private static final String PASSWORD = "ZONDA_IMPORT_PASSWORD";
  private static final int MAX_FILE_BYTES = 65_536;

  @Option(names = "--user", paramLabel = "USER", description = "User of the source's database.")
  private @Nullable String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "File with that user's password (default: the variable " + PASSWORD + ").")
  private @Nullable Path passwordFile;

  @Option(
      names = "--tls",
      paramLabel = "off|require|verify",
      description =
          "TLS to the source's database (default: verify, and off for a loopback address).")
  private @Nullable DatabaseTls tls;

  /// Made by picocli.
  DatabaseLogin() {}

  /// The settings of a database on a server.
  ///
  /// @throws IOException if the file with the password cannot be read
  Storage storage(String url) throws IOException {
    if (user == null) {
      throw new IllegalArgumentException("--user must be given for a database server");
    }
    return new Storage(
        true, true, 0, 1, false, url, user, password(System.getenv()), tls, null, 1, null);
  }

  private @Nullable String password(Map<String, String> variables) throws IOException {
    if (passwordFile == null) {
      return variables.get(PASSWORD);
    }
    if (Files.size(passwordFile) > MAX_FILE_BYTES) {
      throw new IllegalArgumentException(passwordFile + " is too large for a password");
    }
    return Utf8File.read(passwordFile).stripTrailing();
  }
}
