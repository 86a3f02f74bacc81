package im.zonda.bench.login;

import im.zonda.bench.measure.ProcessCpu;
import im.zonda.bench.options.LoadOptions;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.Wire;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// Logs clients in and out, one after another. Measures the cost of one login.
///
/// The first argument is the kind of login: `old` (SCRAM-SHA-256, new stream, bind, stream
/// management enabled), `inline` (the same by SASL2 and Bind 2), `token` (FAST and Bind 2, header
/// and request sent at once). All others are options of [LoadOptions]; `--pairs` is the number of
/// accounts.
public final class LoginLoad {
  private static final String ENABLE = "<enable xmlns='urn:xmpp:sm:3' resume='true'/>";
  private static final String BIND = "<bind xmlns='urn:xmpp:bind:0'>" + ENABLE + "</bind>";
  private static final String BY_TOKEN = "HT-SHA-256-NONE";

  private final String way;
  private final LoadOptions options;
  private final Map<String, String> tokens = new HashMap<>();

  private LoginLoad(String way, LoadOptions options) {
    this.way = way;
    this.options = options;
  }

  /// The result.
  ///
  /// @param logins the number of measured logins
  /// @param latency microseconds from connected to logged in
  /// @param serverMicros the server's processor time per login, in microseconds; NaN if unknown
  public record Report(String way, long logins, Histogram latency, double serverMicros) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: %d logins, ms p50 %.2f p99 %.2f, server CPU %.0f us/login",
          way,
          logins,
          latency.getValueAtPercentile(50) / 1e3,
          latency.getValueAtPercentile(99) / 1e3,
          serverMicros);
    }
  }

  /// Runs the load that the arguments describe and prints the report.
  public static void main(String[] args) throws IOException {
    System.out.println(run(args));
  }

  /// Runs the load that the arguments describe.
  ///
  /// @throws IOException if the server cannot be reached
  /// @throws IllegalArgumentException if an argument is wrong; the message lists the options
  public static Report run(String... args) throws IOException {
    String way = args.length == 0 ? "" : args[0];
    if (!way.matches("old|inline|token")) {
      throw new IllegalArgumentException("old|inline|token " + LoadOptions.USAGE);
    }
    return new LoginLoad(way, LoadOptions.parse(Arrays.copyOfRange(args, 1, args.length))).run();
  }

  private Report run() throws IOException {
    ProcessCpu cpu = options.pid() == 0 ? null : new ProcessCpu(options.pid());
    Histogram latency = new Histogram(TimeUnit.MINUTES.toMicros(1), 3);
    long from = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.warmup());
    long until = from + TimeUnit.SECONDS.toNanos(options.seconds());
    long cpuBefore = -1;
    long logins = 0;
    for (int next = 0; System.nanoTime() < until || logins == 0; next++) {
      boolean counted = System.nanoTime() >= from;
      if (counted && cpuBefore < 0 && cpu != null) {
        cpuBefore = cpu.micros();
      }
      long micros = login("a" + next % options.pairs());
      if (counted) {
        logins++;
        latency.recordValue(micros);
      }
    }
    double serverMicros = cpu == null ? Double.NaN : (double) (cpu.micros() - cpuBefore) / logins;
    return new Report(way, logins, latency, serverMicros);
  }

  private long login(String user) throws IOException {
    Login login =
        Login.of(user + "@" + options.domain(), options.password())
            .withSecurity(options.security())
            .withMechanism("SCRAM-SHA-256");
    String agent =
        "<user-agent id='" + UUID.nameUUIDFromBytes(user.getBytes(StandardCharsets.UTF_8)) + "'/>";
    String token = tokens.get(user);
    if (way.equals("token") && token == null) {
      ask(login, agent);
      token = Objects.requireNonNull(tokens.get(user));
    }
    try (ScriptedClient client = connect()) {
      long start = System.nanoTime();
      switch (way) {
        case "old" -> {
          client.login(login);
          client.send(ENABLE);
          client.receiveFirst(e -> e.localName().equals("enabled"));
        }
        case "inline" -> {
          client.open(options.domain());
          requireSuccess(client.authenticate2(login, agent + BIND));
        }
        default ->
            requireSuccess(
                client.comeBack(login, BY_TOKEN, Objects.requireNonNull(token), agent + BIND));
      }
      long micros = (System.nanoTime() - start) / 1_000;
      client.disconnect();
      return micros;
    }
  }

  /// Logs in by password and requests a token.
  private void ask(Login login, String agent) throws IOException {
    try (ScriptedClient client = connect()) {
      client.open(options.domain());
      XmlElement success =
          client.authenticate2(
              login,
              agent + "<request-token xmlns='urn:xmpp:fast:0' mechanism='" + BY_TOKEN + "'/>");
      requireSuccess(success);
      XmlElement token = Objects.requireNonNull(success.child("urn:xmpp:fast:0", "token"));
      tokens.put(login.user(), Objects.requireNonNull(token.attribute("token")));
      client.disconnect();
    }
  }

  private static void requireSuccess(XmlElement answer) {
    if (!answer.localName().equals("success")) {
      throw new AssertionError("not let in: " + answer);
    }
  }

  private ScriptedClient connect() throws IOException {
    Wire wire =
        options.security() == Login.Security.DIRECT_TLS
            ? SocketWire.connectTls(options.address(), options.domain())
            : SocketWire.connect(options.address());
    return new ScriptedClient(wire);
  }
}
