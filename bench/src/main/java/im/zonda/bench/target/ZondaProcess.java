package im.zonda.bench.target;

import im.zonda.bench.load.Plan;
import im.zonda.bench.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// A server or an edge.
///
/// @param product how it was started
/// @param settings its file of settings
/// @param process the process
record ZondaProcess(Product product, Path settings, ChildProcess process) implements AutoCloseable {
  private static final Duration READY = Duration.ofMinutes(2);
  private static final Duration COMMAND = Duration.ofMinutes(2);
  private static final Duration ACCOUNTS = Duration.ofMinutes(30);
  private static final String GENERATOR = "user-generator";

  /// Starts one and waits until it is ready.
  ///
  /// @param name for messages, such as `node 2`
  /// @throws IOException if it does not become ready, with the end of what it has written
  static ZondaProcess start(
      Product product, String name, Path settings, String javaOptions, boolean edge)
      throws IOException {
    ProcessBuilder command =
        product.command(javaOptions, edge ? "edge" : "start", "--config", settings.toString());
    ChildProcess process =
        ChildProcess.start(name, command, settings.resolveSibling(settings.getFileName() + ".out"));
    try {
      process.awaitReady(() -> process.text().contains(" is ready"), READY);
    } catch (IOException e) {
      process.close();
      throw e;
    }
    return new ZondaProcess(product, settings, process);
  }

  /// Creates the accounts of a plan by the plugin for that, which comes with the product: all have
  /// the same password and salt, so that a client derives its keys once.
  void createAccounts(String domain, Plan plan) throws IOException {
    if (plan.accounts() == 0) {
      return;
    }
    String _ = run(COMMAND, "plugin", "add", "--config", settings.toString(), GENERATOR);
    String _ =
        run(
            ACCOUNTS,
            "plugin",
            "run",
            "--config",
            settings.toString(),
            GENERATOR + ".create",
            "host=" + domain,
            "count=" + plan.accounts(),
            "password=secret",
            "prefix=u",
            "numbered=true",
            "contacts=" + plan.contacts(),
            "vcards=" + plan.vcards());
  }

  /// What the server has counted and measured, as Prometheus reads it.
  String metrics() throws IOException {
    return run(COMMAND, "server", "prometheus", "--config", settings.toString());
  }

  private String run(Duration limit, String... words) throws IOException {
    Path output = settings.resolveSibling("command.out");
    return ChildProcess.run("zonda " + words[0], product.command("", words), output, limit);
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.close();
  }
}
