package im.zonda.app.invitations;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.users.AccountList;
import im.zonda.app.users.Confirmation;
import im.zonda.app.users.PasswordInput;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.json.JsonText;
import im.zonda.module.circle.CircleOperations;
import im.zonda.module.circle.CircleOperations.Shown;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

/// `zonda circle` and its subcommands.
@Command(
    name = "circle",
    description = {
      "Groups of people who are each other's contacts and have a room, also while the server is"
          + " running.",
      "A stopped server carries the changes out when it starts."
    },
    footer = {
      "",
      "Examples:",
      "  zonda circle create Family alice bob",
      "  zonda circle add Family carol",
      "  zonda invite --circle Family"
    },
    synopsisSubcommandLabel = "COMMAND")
public final class CircleCommands implements Runnable {
  private static final String NAME = "Name of the circle.";
  private static final String CIRCLE = "circle";
  private static final int PAGE = 500;
  private static final String USERS = "Accounts: user@host, or user.";

  @Spec private CommandSpec spec;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  public CircleCommands() {}

  /// The options of all subcommands.
  static final class Target {
    @Mixin private ConfigOptions options;

    @Option(
        names = "--host",
        paramLabel = "HOST",
        description = "Host of the circle (default: the only one).")
    private @Nullable String host;

    /// Made by picocli.
    @SuppressWarnings("NullAway.Init") // picocli sets the fields
    Target() {}
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing required command");
  }

  /// `zonda circle create`.
  @Command(name = "create", description = "Create a circle and its room.")
  int create(
      @Mixin Target target,
      @Parameters(index = "0", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "1..*", arity = "0..*", paramLabel = "USER", description = USERS)
          @Nullable List<String> users)
      throws Exception {
    return run(
        target,
        (runner, host) -> {
          Shown made =
              runner.askNamed(
                  CircleOperations.CREATE,
                  accounts(host, name, addresses(host, users == null ? List.of() : users)));
          print(
              "created "
                  + made.name()
                  + ", "
                  + members(made.members().size())
                  + ", room "
                  + made.room()
                  + "\n");
        });
  }

  /// `zonda circle list`.
  @Command(name = "list", description = "List the circles.")
  int list(
      @Mixin Target target, @Option(names = "--json", description = "Print JSON.") boolean json)
      throws Exception {
    return run(
        target,
        (runner, host) -> {
          List<Object> all = new ArrayList<>();
          StringBuilder text = new StringBuilder();
          for (Shown each : all(runner, host)) {
            all.add(described(each));
            text.append(each.name()).append("  ");
            text.append(members(each.members().size())).append("  ");
            text.append(each.room()).append('\n');
          }
          print(json ? JsonText.of(all) + "\n" : text.isEmpty() ? "no circles\n" : text.toString());
        });
  }

  /// `zonda circle show`.
  @Command(name = "show", description = "Print the room and the members of a circle.")
  int show(
      @Mixin Target target,
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws Exception {
    return run(
        target,
        (runner, host) -> {
          Shown circle = show(runner, host, name);
          print(json ? json(circle) : text(circle));
        });
  }

  /// `zonda circle add`.
  @Command(name = "add", description = "Add members to a circle.")
  int add(
      @Mixin Target target,
      @Parameters(index = "0", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "1..*", arity = "1..*", paramLabel = "USER", description = USERS)
          List<String> users)
      throws Exception {
    return run(
        target,
        (runner, host) -> {
          CircleOperations.Added added =
              runner.askNamed(
                  CircleOperations.ADD, accounts(host, inPath(name), addresses(host, users)));
          print("added " + members(added.accounts().size()) + "\n");
        });
  }

  /// `zonda circle remove`.
  @Command(
      name = "remove",
      description = {
        "Remove members from a circle.",
        "They leave its room; the contacts stay, without the circle's group."
      })
  int remove(
      @Mixin Target target,
      @Parameters(index = "0", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "1..*", arity = "1..*", paramLabel = "USER", description = USERS)
          List<String> users)
      throws Exception {
    return run(
        target,
        (runner, host) -> {
          List<String> removed = addresses(host, users);
          runner.askNamed(CircleOperations.REMOVE_MEMBER, accounts(host, inPath(name), removed));
          print("removed " + members(removed.size()) + "\n");
        });
  }

  /// `zonda circle rename`.
  @Command(name = "rename", description = "Rename a circle. Its room keeps its address.")
  int rename(
      @Mixin Target target,
      @Parameters(index = "0", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "1", paramLabel = "NEW", description = "New name.") String other)
      throws Exception {
    return run(
        target,
        (runner, host) -> {
          String before = show(runner, host, name).name();
          Shown renamed =
              runner.askNamed(
                  CircleOperations.RENAME,
                  Map.of("host", host, CIRCLE, inPath(name), "name", other));
          print("renamed " + before + " to " + renamed.name() + "\n");
        });
  }

  /// `zonda circle delete`.
  @Command(
      name = "delete",
      description = {
        "Delete a circle and its room. Asks first.",
        "Its members stay each other's contacts."
      })
  int delete(
      @Mixin Target target,
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Option(names = "--yes", description = "Do not ask.") boolean yes)
      throws Exception {
    Confirmation.ask(
        PasswordInput.terminal(),
        yes,
        "The room of " + name + " will be destroyed. Type the name to go on",
        name);
    return run(
        target,
        (runner, host) -> {
          Shown gone = show(runner, host, name);
          runner.askNamed(CircleOperations.DELETE, chosen(host, name));
          print("deleted " + gone.name() + "\n");
        });
  }

  /// What a subcommand does with the circles of a host.
  @FunctionalInterface
  private interface Task {
    void run(OperationRunner runner, String host) throws IOException;
  }

  private static int run(Target target, Task task) throws Exception {
    ConfigOptions options = target.options;
    ServerConfig config = options.read().config();
    String host = host(target.host, config);
    try (OperationRunner runner = options.openOperations(config)) {
      task.run(runner, host);
    }
    return 0;
  }

  private static String host(@Nullable String written, ServerConfig config) {
    List<String> hosts = config.hosts();
    if (written == null && hosts.size() != 1) {
      throw new IllegalArgumentException(
          "name a host with --host; the hosts are " + String.join(", ", hosts));
    }
    if (written != null && !hosts.contains(written)) {
      throw new IllegalArgumentException(
          written + " is not a host of this server; its hosts are " + String.join(", ", hosts));
    }
    return written == null ? hosts.getFirst() : written;
  }

  private static Map<String, @Nullable Object> chosen(String host, String circle) {
    return Map.of("host", host, CIRCLE, inPath(circle));
  }

  private static Map<String, @Nullable Object> accounts(
      String host, String circle, List<String> accounts) {
    return Map.of("host", host, CIRCLE, circle, "accounts", accounts);
  }

  /// A name as it can be in a path: for the name of a circle, a slash and a blank are the same.
  private static String inPath(String circle) {
    return circle.replace('/', ' ');
  }

  private static List<String> addresses(String host, List<String> users) {
    return users.stream()
        .map(user -> AccountList.account(user, List.of(host)).toString())
        .distinct()
        .toList();
  }

  private static Shown show(OperationRunner runner, String host, String circle) throws IOException {
    return runner.askNamed(CircleOperations.SHOW, chosen(host, circle));
  }

  private static List<Shown> all(OperationRunner runner, String host) throws IOException {
    List<Shown> all = new ArrayList<>();
    String next = null;
    do {
      Map<String, @Nullable Object> wanted = new LinkedHashMap<>();
      wanted.put("host", host);
      wanted.put("after", next);
      wanted.put("limit", PAGE);
      CircleOperations.Lines page = runner.askNamed(CircleOperations.LIST, wanted);
      for (CircleOperations.Line each : page.circles()) {
        all.add(show(runner, host, each.name()));
      }
      next = page.next();
    } while (next != null);
    return all;
  }

  private static String members(int count) {
    return count + (count == 1 ? " member" : " members");
  }

  private static Map<String, @Nullable Object> described(Shown circle) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("name", circle.name());
    all.put("room", String.valueOf(circle.room()));
    all.put("created", circle.created().toString());
    all.put("members", circle.members().stream().map(Jid::toString).toList());
    return all;
  }

  private static String json(Shown circle) {
    Map<String, @Nullable Object> all = described(circle);
    all.put("joining", circle.joining().stream().map(Jid::toString).sorted().toList());
    return JsonText.of(all) + "\n";
  }

  private static String text(Shown circle) {
    StringBuilder text = new StringBuilder();
    text.append(circle.name()).append('\n');
    text.append("room     ").append(circle.room()).append('\n');
    text.append("members  ").append(circle.members().size()).append('\n');
    for (Jid each : circle.members()) {
      text.append("  ").append(each);
      text.append(circle.joining().contains(each) ? "  (joining)\n" : "\n");
    }
    return text.toString();
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }
}
