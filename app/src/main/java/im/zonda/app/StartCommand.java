package im.zonda.app;

import im.zonda.app.log.LogSetup;
import im.zonda.app.settings.Settings;
import im.zonda.config.ServerConfig;
import im.zonda.net.Listener;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `zonda start`.
@Command(
    name = "start",
    description = "Run the server until it is told to stop (Ctrl-C, SIGTERM).",
    mixinStandardHelpOptions = true)
final class StartCommand implements Callable<Integer> {
  private static final String IPV6_LOOPBACK = "[::1]:";

  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Option(
      names = "--exit-when-ready",
      hidden = true,
      description = "Take one connection and stop; for the start-up cache and for tests.")
  private boolean exitWhenReady;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  StartCommand() {}

  @Override
  public Integer call() throws Exception {
    Settings settings = options.read();
    ServerConfig config = withoutMissingIpv6(settings);
    LogSetup.apply(config.log());
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) ->
            LoggerFactory.getLogger(StartCommand.class)
                .atError()
                .addKeyValue("thread", thread.getName())
                .setCause(failure)
                .log("thread_failed"));
    RunningServer running = Wiring.start(config);
    Thread stop = Thread.ofPlatform().name("zonda-stop").unstarted(() -> stop(running));
    Runtime.getRuntime().addShutdownHook(stop);
    print(config, running.listeners());
    if (exitWhenReady) {
      Rehearsal.connect(running.listeners(), config.hosts().getFirst());
    } else {
      new CountDownLatch(1).await(); // the shutdown hook does the rest
    }
    return 0;
  }

  private static void stop(RunningServer running) {
    running.close();
    LogSetup.stop();
  }

  private void print(ServerConfig config, List<Listener> listeners) {
    PrintWriter out = spec.commandLine().getOut();
    Path file = options.file();
    String option = file == null ? "" : " --config " + file;
    out.printf("zonda %s is ready%s%n", VersionCommand.zonda(), time());
    out.printf("  hosts      %s%n", String.join(", ", config.hosts()));
    out.printf("  clients    %s%n", addresses(listeners, Listener.Kind.STARTTLS, " (STARTTLS)"));
    out.printf("             %s%n", addresses(listeners, Listener.Kind.DIRECT_TLS, " (TLS)"));
    out.printf("  data       %s%n", config.data().toAbsolutePath());
    out.printf("  new user   ./zonda user add%s NAME@%s%n", option, config.hosts().getFirst());
    out.flush();
  }

  private static String addresses(List<Listener> listeners, Listener.Kind kind, String how) {
    String addresses =
        listeners.stream()
            .filter(listener -> listener.kind() == kind)
            .map(Listener::toString)
            .collect(Collectors.joining(", "));
    return addresses.isEmpty() ? "none" + how : addresses + how;
  }

  private static String time() {
    Instant now = InstantSource.system().instant();
    return ProcessHandle.current()
        .info()
        .startInstant()
        .map(start -> Duration.between(start, now).toMillis() / 1_000.0)
        .map(seconds -> String.format(Locale.ROOT, " after %.2f s", seconds))
        .orElse("");
  }

  /// The defaults name the IPv6 loopback address, which not every machine has.
  private static ServerConfig withoutMissingIpv6(Settings settings) throws IOException {
    ServerConfig config = settings.config();
    boolean named =
        settings.places().containsKey("c2s.listen")
            && settings.places().containsKey("c2s.listen-tls");
    if (named || hasIpv6()) {
      return config;
    }
    ServerConfig.C2s c2s = config.c2s();
    return config.withC2s(
        new ServerConfig.C2s(
            settings.places().containsKey("c2s.listen") ? c2s.listen() : withoutIpv6(c2s.listen()),
            settings.places().containsKey("c2s.listen-tls")
                ? c2s.listenTls()
                : withoutIpv6(c2s.listenTls()),
            c2s.plaintext(),
            c2s.eventLoops()));
  }

  private static List<String> withoutIpv6(List<String> addresses) {
    return addresses.stream().filter(address -> !address.startsWith(IPV6_LOOPBACK)).toList();
  }

  private static boolean hasIpv6() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .anyMatch(address -> address instanceof Inet6Address && address.isLoopbackAddress());
  }
}
