package im.zonda.app.settings;

import im.zonda.app.settings.toml.TomlString;
import im.zonda.app.settings.toml.Utf8File;
import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A database to which another one is copied, from the command line.
///
/// @param url as the key `storage.url`
/// @param user the user, or null for SQLite
/// @param passwordFile the file with the password, or null
/// @param password the password without a file, or null
/// @param tls as the key `storage.tls`, or null
/// @param authorities as the key `storage.tls-ca`, or null
public record TargetDatabase(
    String url,
    @Nullable String user,
    @Nullable Path passwordFile,
    @Nullable String password,
    @Nullable DatabaseTls tls,
    @Nullable Path authorities) {
  private static final int MAX_FILE_BYTES = 65_536;

  /// Checks that the options fit each other.
  ///
  /// @throws IllegalArgumentException if not
  public TargetDatabase {
    if (!Scalars.isDatabase(url)) {
      throw new IllegalArgumentException(
          "--to must be \"sqlite:zonda.db\", \"postgresql://localhost/zonda\" or"
              + " \"mariadb://localhost/zonda\", without user and password");
    }
    boolean server = !isFile(url);
    if (server && user == null) {
      throw new IllegalArgumentException("--to-user must be given for a database server");
    }
    if (!server && (user != null || passwordFile != null || tls != null || authorities != null)) {
      throw new IllegalArgumentException(
          "--to-user, --to-password-file, --to-tls and --to-tls-ca are for database servers; --to is"
              + " an SQLite file");
    }
    if (authorities != null && !Files.isReadable(authorities)) {
      throw new IllegalArgumentException("--to-tls-ca: " + authorities + " cannot be read");
    }
  }

  private static boolean isFile(String url) {
    return url.startsWith("sqlite:");
  }

  /// The settings with this database in place of theirs.
  ///
  /// @throws IOException if the file with the password cannot be read
  public Storage in(Storage settings) throws IOException {
    return new Storage(
        settings.archive(),
        settings.durable(),
        settings.commitDelayMillis(),
        settings.commitEntries(),
        settings.fullText(),
        url,
        user,
        isFile(url) ? null : readPassword(),
        tls,
        authorities == null ? null : authorities.toAbsolutePath(),
        settings.connections(),
        settings.files());
  }

  /// The content of the file as in the configuration.
  private @Nullable String readPassword() throws IOException {
    if (passwordFile == null) {
      return password;
    }
    if (!Files.isReadable(passwordFile)) {
      throw new IllegalArgumentException("--to-password-file: " + passwordFile + " cannot be read");
    }
    if (Files.size(passwordFile) > MAX_FILE_BYTES) {
      throw new IllegalArgumentException(passwordFile + " is too large for a password");
    }
    try {
      return Utf8File.read(passwordFile).stripTrailing();
    } catch (Utf8File.NotUtf8Exception e) {
      throw new IllegalArgumentException(passwordFile + " is " + e.getMessage(), e);
    }
  }

  /// The section `[storage]` of a server that uses this database; other keys are not named.
  public String toToml() {
    StringBuilder toml = new StringBuilder("[storage]\n");
    toml.append("url = ").append(TomlString.quoted(url)).append('\n');
    if (user != null) {
      toml.append("user = ").append(TomlString.quoted(user)).append('\n');
    }
    if (passwordFile != null) {
      String file = "${file:" + passwordFile.toAbsolutePath().normalize() + "}";
      toml.append("password = ").append(TomlString.quoted(file)).append('\n');
    } else if (password != null && !isFile(url)) {
      toml.append("password = \"${file:…}\"  # a file with the password\n");
    }
    if (tls != null) {
      toml.append("tls = \"").append(Scalars.word(tls)).append("\"\n");
    }
    if (authorities != null) {
      String file = authorities.toAbsolutePath().normalize().toString();
      toml.append("tls-ca = ").append(TomlString.quoted(file)).append('\n');
    }
    return toml.toString();
  }

  /// The URL only, without the password.
  @Override
  public String toString() {
    return url;
  }
}
