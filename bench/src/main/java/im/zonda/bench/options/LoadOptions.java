package im.zonda.bench.options;

import static java.util.Map.entry;

import im.zonda.testkit.client.Login;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/// Options of all loads.
///
/// @param address the address of the server
/// @param domain the virtual host
/// @param security TLS mode of the connections
/// @param password the password of all accounts
/// @param pairs pairs of clients; the accounts are `a0`, `b0`, `a1`…
/// @param rate messages per second, of all pairs together
/// @param bytes size of a message body
/// @param seconds the measured time, after the warm-up
/// @param warmup seconds before the measured time
/// @param pid the server's process, or 0
public record LoadOptions(
    InetSocketAddress address,
    String domain,
    Login.Security security,
    String password,
    int pairs,
    int rate,
    int bytes,
    int seconds,
    int warmup,
    long pid) {

  public static final String USAGE =
      """
      options: --host 127.0.0.1 --port 5223 --domain example.org --security tls|starttls|none
               --password secret --pairs 50 --rate 1000 --bytes 200 --seconds 20 --warmup 5 --pid N
      the accounts a0 b0 a1 b1 … of the domain must exist and have the password
      """;

  /// Reads `--name value` pairs.
  ///
  /// @throws IllegalArgumentException if one is unknown or not a number
  public static LoadOptions parse(String[] args) {
    return parse(List.of(args));
  }

  /// As [#parse(String[])].
  public static LoadOptions parse(List<String> args) {
    OptionPairs options =
        new OptionPairs(
            args,
            Map.ofEntries(
                entry("host", "127.0.0.1"),
                entry("port", "5223"),
                entry("domain", "example.org"),
                entry("security", "tls"),
                entry("password", "secret"),
                entry("pairs", "50"),
                entry("rate", "1000"),
                entry("bytes", "200"),
                entry("seconds", "20"),
                entry("warmup", "5"),
                entry("pid", "0")));
    if (!options.others().isEmpty()) {
      throw new IllegalArgumentException(
          options.others().getFirst() + " is unknown or has no value\n" + USAGE);
    }
    return new LoadOptions(
        new InetSocketAddress(options.text("host"), options.number("port")),
        options.text("domain"),
        security(options.text("security")),
        options.text("password"),
        options.number("pairs"),
        options.number("rate"),
        options.number("bytes"),
        options.number("seconds"),
        options.number("warmup"),
        options.number("pid"));
  }

  private static Login.Security security(String word) {
    return switch (word) {
      case "tls" -> Login.Security.DIRECT_TLS;
      case "starttls" -> Login.Security.STARTTLS;
      case "none" -> Login.Security.NONE;
      default -> throw new IllegalArgumentException("--security " + word + "\n" + USAGE);
    };
  }
}
