package im.zonda.app.load.options;

import static java.util.Map.entry;

import im.zonda.app.load.measure.ProcessCpu;
import im.zonda.testkit.client.Login;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options of all loads.
///
/// @param address the address of the server
/// @param domain the virtual host
/// @param transport how clients connect
/// @param security TLS mode of the connections
/// @param password the password of all accounts
/// @param pairs pairs of clients; the accounts are `a0`, `b0`, `a1`…
/// @param rate messages per second, of all pairs together
/// @param bytes size of a message body
/// @param seconds the measured time, after the warm-up
/// @param warmup seconds before the measured time
/// @param pid the server's process, or 0
/// @param receivers where the accounts `b0`, `b1`… are, if they are on another server; null if not
/// @param component the component that sends each message back, in place of the accounts `b0`,
///   `b1`…; null if there is none
public record LoadOptions(
    InetSocketAddress address,
    String domain,
    Transport transport,
    Login.Security security,
    String password,
    int pairs,
    int rate,
    int bytes,
    int seconds,
    int warmup,
    long pid,
    @Nullable LoadOptions receivers,
    @Nullable ComponentOptions component) {

  public static final String USAGE =
      """
      options: --host 127.0.0.1 --port 5223 --domain example.org --security tls|starttls|none
               --transport tcp|websocket|bosh (the last two by HTTP, with --security tls or none)
               --password secret --pairs 50 --rate 1000 --bytes 200 --seconds 20 --warmup 5 --pid N
               --to-domain example.net --to-host 127.0.0.1 --to-port 5223 --to-pid N (chat and plain:
               b0 b1 … are on that server, which exchanges stanzas with the first)
               --component gateway.example.org --component-port 5347 --component-secret secret
               (plain: a component that the load connects sends each message back to its sender)
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
                entry("transport", "tcp"),
                entry("security", "tls"),
                entry("password", "secret"),
                entry("pairs", "50"),
                entry("rate", "1000"),
                entry("bytes", "200"),
                entry("seconds", "20"),
                entry("warmup", "5"),
                entry("pid", "0"),
                entry("to-host", "127.0.0.1"),
                entry("to-port", "5223"),
                entry("to-domain", ""),
                entry("to-pid", "0"),
                entry("component", ""),
                entry("component-port", "5347"),
                entry("component-secret", "secret")));
    if (!options.others().isEmpty()) {
      throw new IllegalArgumentException(
          options.others().getFirst() + " is unknown or has no value\n" + USAGE);
    }
    LoadOptions receivers = options.text("to-domain").isEmpty() ? null : of(options, "to-", null);
    return of(options, "", receivers);
  }

  private static LoadOptions of(OptionPairs options, String to, @Nullable LoadOptions receivers) {
    return new LoadOptions(
        new InetSocketAddress(options.text(to + "host"), options.number(to + "port")),
        options.text(to + "domain"),
        transport(options.text("transport")),
        security(options.text("security")),
        options.text("password"),
        options.number("pairs"),
        options.number("rate"),
        options.number("bytes"),
        options.number("seconds"),
        options.number("warmup"),
        options.number(to + "pid"),
        receivers,
        component(options));
  }

  private static @Nullable ComponentOptions component(OptionPairs options) {
    String domain = options.text("component");
    return domain.isEmpty()
        ? null
        : new ComponentOptions(
            new InetSocketAddress(options.text("host"), options.number("component-port")),
            domain,
            options.text("component-secret"));
  }

  /// The same options for a server at another address, whose process is not looked at.
  public LoadOptions at(InetSocketAddress other) {
    return new LoadOptions(
        other, domain, transport, security, password, pairs, rate, bytes, seconds, warmup, 0,
        receivers, component);
  }

  /// The options for the clients that receive.
  public LoadOptions ofReceivers() {
    return receivers == null ? this : receivers;
  }

  /// The processor time of the server, or of both; null if no process is given.
  public @Nullable ProcessCpu cpu() {
    if (pid == 0) {
      return null;
    }
    return receivers == null ? new ProcessCpu(pid) : new ProcessCpu(pid, receivers.pid);
  }

  private static Transport transport(String word) {
    return switch (word) {
      case "tcp" -> Transport.TCP;
      case "websocket" -> Transport.WEBSOCKET;
      case "bosh" -> Transport.BOSH;
      default -> throw new IllegalArgumentException("--transport " + word + "\n" + USAGE);
    };
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
