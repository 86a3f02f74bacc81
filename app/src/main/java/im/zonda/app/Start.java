package im.zonda.app;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.log.LogSetup;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.app.settings.check.CertificateChecks;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.config.Http;
import im.zonda.config.ServerConfig;
import im.zonda.module.XmppModule;
import im.zonda.net.local.NotifySocket;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Runs a server until the process ends.
final class Start {
  private static final String IPV6_LOOPBACK = "[::1]:";

  private Start() {}

  /// Runs a server; returns only when `exitWhenReady`.
  ///
  /// @param modules creates the modules of one host
  static int run(
      Supplier<List<XmppModule>> modules,
      ConfigOptions options,
      boolean exitWhenReady,
      PrintWriter out)
      throws Exception {
    ConfigSource source = new Options(options);
    ServerConfig config = source.read().config();
    LogSetup.apply(config.log());
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) ->
        LoggerFactory.getLogger(Start.class)
            .atError()
            .addKeyValue("thread", thread.getName())
            .setCause(failure)
            .log("thread_failed"));
    ServerProcess process = new ServerProcess(source, System::exit, modules);
    RunningServer running = process.start(config);
    NotifySocket manager = NotifySocket.of(System.getenv());
    Thread stop = Thread.ofPlatform().name("zonda-stop").unstarted(() -> stop(process, manager));
    Runtime.getRuntime().addShutdownHook(stop);
    Signals.exitCleanlyWhenTerminated();
    out.print(
        new ReadyMessage(
                config,
                options.file(),
                running.listeners(),
                running.newConsoleLink(),
                warnings(config))
            .text(age()));
    out.flush();
    manager.send(NotifySocket.State.READY);
    if (exitWhenReady) {
      StartupConnection.connect(running.listeners(), config.hosts().getFirst());
    } else {
      new CountDownLatch(1).await(); // the shutdown hook does the rest
    }
    return 0;
  }

  /// What is wrong with the certificates with which the server has started.
  private static List<String> warnings(ServerConfig config) {
    return new CertificateChecks(config, InstantSource.system().instant())
        .run().stream().map(CertificateChecks.Finding::text).toList();
  }

  /// The configuration that the options of the command line name.
  private record Options(ConfigOptions options) implements ConfigSource {
    @Override
    public Settings read() throws SettingsException, IOException {
      return usable(options.read());
    }

    @Override
    public Settings readWith(Path file, String content) throws SettingsException, IOException {
      return usable(options.readWith(file, content));
    }

    private static Settings usable(Settings settings) throws IOException {
      return new Settings(withoutMissingIpv6(settings), settings.places(), settings.plugins());
    }

    @Override
    public @Nullable Path file() {
      return options.file();
    }

    @Override
    public HostFiles hostFiles() {
      return options.hostFiles();
    }
  }

  private static void stop(ServerProcess process, NotifySocket manager) {
    manager.send(NotifySocket.State.STOPPING);
    process.close();
    LogSetup.stop();
  }

  /// Seconds since the start of the process.
  private static double age() {
    // ProcessHandle knows the start only to the second on Linux.
    long start = ManagementFactory.getRuntimeMXBean().getStartTime();
    return (InstantSource.system().millis() - start) / 1_000.0;
  }

  /// Removes the IPv6 loopback address from the defaults on machines without IPv6.
  private static ServerConfig withoutMissingIpv6(Settings settings) throws IOException {
    ServerConfig config = settings.config();
    if (hasIpv6()) {
      return config;
    }
    ServerConfig.C2s c2s = config.c2s();
    Http http = config.http();
    return config
        .withC2s(
            new ServerConfig.C2s(
                usable(settings, "c2s.listen", c2s.listen()),
                usable(settings, "c2s.listen-tls", c2s.listenTls()),
                c2s.plaintext(),
                c2s.eventLoops()))
        .withHttp(
            http.at(
                usable(settings, "http.listen", http.listen()),
                usable(settings, "http.listen-tls", http.listenTls())));
  }

  /// The addresses of a key; without those of IPv6 if they are defaults.
  private static List<String> usable(Settings settings, String key, List<String> addresses) {
    return settings.places().containsKey(key) ? addresses : withoutIpv6(addresses);
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
