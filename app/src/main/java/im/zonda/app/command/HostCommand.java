package im.zonda.app.command;

import im.zonda.app.hosts.ConfigOperations;
import im.zonda.app.hosts.HostChecks;
import im.zonda.app.hosts.HostOperations;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.NewHost;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.users.Confirmation;
import im.zonda.app.users.PasswordInput;
import im.zonda.config.ServerConfig;
import im.zonda.json.JsonText;
import im.zonda.operation.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda host`. The commands change the folder `hosts.d` ([HostFiles]), and the running server if
/// there is one. Without one, `add` and `remove` change the files by themselves: they must work
/// before there are stores, and with a configuration that has no host yet.
@Command(
    name = "host",
    description = "Add, list or remove virtual hosts, also while the server runs.",
    footer = {
      "",
      "Examples:",
      "  zonda host add example.net --certificate chain.pem --key key.pem",
      "  zonda host list",
      "  zonda host remove example.net --erase"
    },
    synopsisSubcommandLabel = "COMMAND")
final class HostCommand implements Runnable {
  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  HostCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }

  /// `zonda host add`.
  @Command(
      name = "add",
      description = "Add a virtual host: writes hosts.d/DOMAIN.toml and reloads the configuration.",
      footer = {
        "",
        "Example:",
        "  zonda host add example.net --contact mailto:admin@example.net --no-registration"
      })
  int add(
      @Mixin ConfigOptions options,
      @Parameters(paramLabel = "DOMAIN", description = "Domain of the host.") String domain,
      @Option(
              names = "--certificate",
              paramLabel = "FILE",
              description = "PEM file with the chain.")
          @Nullable Path certificate,
      @Option(names = "--key", paramLabel = "FILE", description = "PEM file with the private key.")
          @Nullable Path key,
      @Option(
              names = "--contact",
              paramLabel = "URI",
              description = "Contact address, such as mailto:admin@example.net.")
          @Nullable List<String> contact,
      @Option(
              names = "--modules-off",
              paramLabel = "NAME",
              split = ",",
              description = "Modules that are switched off, such as ping.")
          @Nullable List<String> modulesOff,
      @Option(
              names = "--registration",
              negatable = true,
              description = "Whether anyone may create an account.")
          @Nullable Boolean registration,
      @Option(names = "--room-admin", paramLabel = "JID", description = "Administrator of rooms.")
          @Nullable List<String> roomAdmins)
      throws Exception {
    String prepared = HostChecks.domain(domain);
    String content =
        new NewHost(
                orEmpty(contact),
                orEmpty(modulesOff),
                registration,
                orEmpty(roomAdmins),
                certificate,
                key)
            .toToml();
    ServerConfig config = options.read().config();
    if (options.isServerRunning(config)) {
      Map<String, @Nullable Object> given = Map.of("domain", prepared, "settings", content);
      print(changed(options, config, HostOperations.ADD, given));
    } else {
      HostFiles files = options.hostFiles();
      HostChecks.addable(prepared, config, files);
      change(options, prepared, null, content);
      print("added " + prepared + "; the server is not running\n");
    }
    return 0;
  }

  /// `zonda host list`.
  @Command(
      name = "list",
      description = "List the virtual hosts, their accounts and where they are configured.")
  int list(
      @Mixin ConfigOptions options,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws Exception {
    ServerConfig config = options.read().config();
    try (OperationRunner runner =
        options.openOrCreateOperations(config, spec.commandLine().getErr())) {
      print(
          json
              ? JsonText.of(runner.result(HostOperations.LIST, Map.of())) + "\n"
              : HostOperations.text(runner.ask(HostOperations.LIST, Map.of())));
    }
    return 0;
  }

  /// `zonda host remove`.
  @Command(
      name = "remove",
      description =
          "Remove a virtual host: removes hosts.d/DOMAIN.toml and reloads the configuration. Its"
              + " data stay, unless --erase is given.")
  int remove(
      @Mixin ConfigOptions options,
      @Parameters(paramLabel = "DOMAIN", description = "Domain of the host.") String domain,
      @Option(
              names = "--erase",
              description = "Erase its accounts and rooms with all their data. Asks first.")
          boolean erase,
      @Option(names = "--yes", description = "Do not ask.") boolean yes)
      throws Exception {
    String prepared = HostChecks.domain(domain);
    ServerConfig config = options.read().config();
    if (erase) {
      Confirmation.ask(
          PasswordInput.terminal(),
          yes,
          "All accounts and rooms of " + prepared + " will be erased. Type the domain to go on",
          prepared);
    }
    List<String> services = config.serviceDomains(prepared);
    boolean gone = !config.hosts().contains(prepared) && options.hostFiles().read(prepared) == null;
    if (!gone || !erase) {
      if (options.isServerRunning(config)) {
        print(changed(options, config, HostOperations.REMOVE, Map.of("domain", prepared)));
      } else {
        String content = HostChecks.removable(prepared, config, options.hostFiles());
        change(options, prepared, content, null);
        print("removed " + prepared + "; the server is not running\n");
      }
    }
    if (erase) {
      eraseData(options, prepared, services);
    }
    return 0;
  }

  /// Changes the file of a host while no server runs; undone if the configuration is wrong then.
  private static void change(
      ConfigOptions options, String domain, @Nullable String before, @Nullable String after)
      throws IOException, SettingsException {
    HostFiles files = options.hostFiles();
    files.write(domain, after);
    try {
      options.read();
    } catch (SettingsException | RuntimeException e) {
      files.write(domain, before);
      throw e;
    }
  }

  private static String changed(
      ConfigOptions options,
      ServerConfig config,
      Operation<?, ConfigOperations.Changed> operation,
      Map<String, @Nullable Object> given)
      throws IOException {
    try (OperationRunner server = options.runningServer(config)) {
      return server.ask(operation, given).text();
    }
  }

  private void eraseData(ConfigOptions options, String domain, List<String> services)
      throws IOException, SettingsException {
    PrintWriter terminal = PasswordInput.terminal() == null ? null : spec.commandLine().getErr();
    ServerConfig without = options.read().config();
    try (OperationRunner runner =
        options.openOrCreateOperations(without, spec.commandLine().getErr())) {
      Map<String, @Nullable Object> given = Map.of("domain", domain, "services", services);
      print(runner.finish(HostOperations.ERASE, given, terminal) + "\n");
    }
  }

  private static List<String> orEmpty(@Nullable List<String> values) {
    return values == null ? List.of() : values;
  }

  private void print(String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }
}
