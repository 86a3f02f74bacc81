package im.zonda.bench.options;

import im.zonda.testkit.client.Login;
import java.net.InetSocketAddress;
import java.util.HashMap;
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
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "host", "127.0.0.1",
                "port", "5223",
                "domain", "example.org",
                "security", "tls",
                "password", "secret",
                "pairs", "50",
                "rate", "1000",
                "bytes", "200",
                "seconds", "20",
                "pid", "0"));
    values.put("warmup", "5");
    for (int i = 0; i < args.length; i += 2) {
      String name = args[i].startsWith("--") ? args[i].substring(2) : args[i];
      if (!values.containsKey(name) || i + 1 == args.length) {
        throw new IllegalArgumentException(args[i] + " is unknown or has no value\n" + USAGE);
      }
      values.put(name, args[i + 1]);
    }
    return new LoadOptions(
        new InetSocketAddress(values.get("host"), number(values, "port")),
        String.valueOf(values.get("domain")),
        security(String.valueOf(values.get("security"))),
        String.valueOf(values.get("password")),
        number(values, "pairs"),
        number(values, "rate"),
        number(values, "bytes"),
        number(values, "seconds"),
        number(values, "warmup"),
        number(values, "pid"));
  }

  private static int number(Map<String, String> values, String name) {
    try {
      return Integer.parseInt(String.valueOf(values.get(name)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + name + " is not a number\n" + USAGE, e);
    }
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
