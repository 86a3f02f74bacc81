package im.zonda.app.command;

import im.zonda.app.federation.DomainCheck;
import im.zonda.app.federation.LinkOperations;
import im.zonda.app.federation.LinksText;
import im.zonda.app.hosts.HostChecks;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.config.ServerConfig;
import im.zonda.json.JsonText;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda s2s`.
@Command(
    name = "s2s",
    description = "List the links with other servers: state, trust, queue, last error.",
    footer = {"", "Examples:", "  zonda s2s --domain example.net", "  zonda s2s check example.net"},
    synopsisSubcommandLabel = "[COMMAND]")
final class S2sCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Option(
      names = "--domain",
      paramLabel = "DOMAIN",
      description = "Print only the links with this remote domain.")
  private @Nullable String domain;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  S2sCommand() {}

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    Map<String, @Nullable Object> chosen = new HashMap<>();
    chosen.put("domain", domain == null ? null : HostChecks.domain(domain));
    try (OperationRunner server = options.runningServer(options.read().config())) {
      if (json) {
        out.println(JsonText.of(server.result(LinkOperations.LIST, chosen)));
      } else {
        LinkOperations.Listed listed = server.ask(LinkOperations.LIST, chosen);
        Instant now = InstantSource.system().instant();
        out.print(LinksText.of(listed.links(), listed.total(), now));
      }
    }
    out.flush();
    return 0;
  }

  /// `zonda s2s check`: as the operation `link.check`, but in this process, as it must also work
  /// without a running server and without stores.
  @Command(
      name = "check",
      description =
          "Check whether a remote domain can be reached: DNS, TCP, TLS, certificate, features and"
              + " the proof of our domain. Sends no stanzas. Exit code 0 only if it can be.")
  int check(
      @Mixin ConfigOptions configuration,
      @Parameters(paramLabel = "DOMAIN", description = "Remote domain.") String remote,
      @Option(
              names = "--from",
              paramLabel = "HOST",
              description = "Host of this server (default: the first).")
          @Nullable String from)
      throws Exception {
    ServerConfig config = configuration.read().config();
    String prepared = HostChecks.domain(remote);
    String local = from == null ? config.hosts().getFirst() : HostChecks.domain(from);
    if (!config.hosts().contains(local)) {
      throw new IllegalArgumentException(local + " is no host of this server");
    }
    if (config.hosts().contains(prepared)) {
      throw new IllegalArgumentException(prepared + " is a host of this server");
    }
    DomainCheck.Report report = DomainCheck.run(configuration.openCheck(config), local, prepared);
    PrintWriter out = spec.commandLine().getOut();
    out.print(report.text());
    out.flush();
    return report.works() ? 0 : ExitCode.FAILED;
  }
}
