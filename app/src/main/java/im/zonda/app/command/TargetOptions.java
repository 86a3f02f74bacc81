package im.zonda.app.command;

import im.zonda.app.settings.TargetDatabase;
import im.zonda.config.ServerConfig.DatabaseTls;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that name the target of a copy. The password is never one of them, because every
/// user of the machine can read arguments.
final class TargetOptions {
  private static final String PASSWORD = "ZONDA_TO_PASSWORD";

  @Option(
      names = "--to",
      required = true,
      paramLabel = "URL",
      description =
          "Target, as storage.url: postgresql://HOST/DATABASE, mariadb://HOST/DATABASE, or"
              + " sqlite:FILE in the data folder.")
  private String url;

  @Option(names = "--to-user", paramLabel = "USER", description = "User of the target.")
  private @Nullable String user;

  @Option(
      names = "--to-password-file",
      paramLabel = "FILE",
      description = "File with that user's password (default: the variable " + PASSWORD + ").")
  private @Nullable Path passwordFile;

  @Option(
      names = "--to-tls",
      paramLabel = "off|require|verify",
      description = "TLS to the target (default: verify, and off for a loopback address).")
  private @Nullable DatabaseTls tls;

  @Option(
      names = "--to-tls-ca",
      paramLabel = "FILE",
      description = "PEM file with the certificate authorities of the target.")
  private @Nullable Path authorities;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  TargetOptions() {}

  /// The target.
  ///
  /// @param variables the environment
  /// @throws IllegalArgumentException if the options do not fit each other
  TargetDatabase target(Map<String, String> variables) {
    return new TargetDatabase(
        url,
        user,
        passwordFile,
        passwordFile == null ? variables.get(PASSWORD) : null,
        tls,
        authorities);
  }
}
