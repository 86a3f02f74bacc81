package im.zonda.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The whole configuration of a server.
///
/// @param hosts the virtual hosts' domains, at least one
/// @param data the folder of all that lasts
/// @param c2s client connections
/// @param tls certificates
/// @param limits every bound
/// @param storage the message log and the database
/// @param registration in-band registration (XEP-0077)
/// @param contact addresses for XEP-0157, each an URI such as `mailto:admin@example.org`
/// @param modulesOff names of modules that are not loaded
/// @param log what is logged and how
public record ServerConfig(
    List<String> hosts,
    Path data,
    C2s c2s,
    Tls tls,
    Limits limits,
    Storage storage,
    Registration registration,
    List<String> contact,
    Set<String> modulesOff,
    Log log) {

  /// Whether SASL is offered without TLS.
  public enum Plaintext {
    NEVER,
    LOOPBACK
  }

  /// How log lines are written.
  public enum LogFormat {
    TEXT,
    JSON
  }

  /// Client connections.
  ///
  /// @param listen `address:port` with STARTTLS
  /// @param listenTls `address:port` with direct TLS (XEP-0368)
  /// @param plaintext whether SASL is offered without TLS, and to whom
  /// @param eventLoops threads that move bytes; 0 chooses by the number of cores
  public record C2s(
      List<String> listen, List<String> listenTls, Plaintext plaintext, int eventLoops) {}

  /// Certificates.
  ///
  /// @param certificate PEM chain file; null for the self-signed one in the data folder
  /// @param key PEM key file; null for the self-signed one
  public record Tls(@Nullable Path certificate, @Nullable Path key) {}

  /// The message log and the database.
  ///
  /// @param archive whether messages stay in the log after delivery
  /// @param durable whether messages to online users go through the log at all
  /// @param commitDelayMillis how long a commit waits for company, in ms
  /// @param commitEntries the most entries of one commit
  public record Storage(
      boolean archive, boolean durable, int commitDelayMillis, int commitEntries) {}

  /// In-band registration.
  ///
  /// @param enabled whether anyone may create an account
  /// @param perAddressPerHour accounts that one address may create in an hour; 0 is no limit
  public record Registration(boolean enabled, int perAddressPerHour) {}

  /// What is logged and how.
  public record Log(String level, LogFormat format) {}

  /// A server for `hosts` that keeps its data in `data`, everything else by default.
  public static ServerConfig defaults(List<String> hosts, Path data) {
    return new ServerConfig(
        List.copyOf(hosts),
        data,
        new C2s(
            List.of("127.0.0.1:5222", "[::1]:5222"),
            List.of("127.0.0.1:5223", "[::1]:5223"),
            Plaintext.NEVER,
            0),
        new Tls(null, null),
        Limits.defaults(),
        new Storage(true, true, 2, 512),
        new Registration(false, 5),
        List.of(),
        Set.of(),
        new Log("info", LogFormat.TEXT));
  }
}
