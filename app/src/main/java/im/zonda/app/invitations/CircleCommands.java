package im.zonda.app.invitations;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.invitations.CircleCommand.Action;
import im.zonda.app.invitations.CircleCommand.Request;
import im.zonda.app.users.Confirmation;
import im.zonda.app.users.PasswordInput;
import im.zonda.config.ServerConfig;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
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
    return run(target, Action.CREATE, name, users == null ? List.of() : users, false);
  }

  /// `zonda circle list`.
  @Command(name = "list", description = "List the circles.")
  int list(
      @Mixin Target target, @Option(names = "--json", description = "Print JSON.") boolean json)
      throws Exception {
    return run(target, Action.LIST, "", List.of(), json);
  }

  /// `zonda circle show`.
  @Command(name = "show", description = "Print the room and the members of a circle.")
  int show(
      @Mixin Target target,
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws Exception {
    return run(target, Action.SHOW, name, List.of(), json);
  }

  /// `zonda circle add`.
  @Command(name = "add", description = "Add members to a circle.")
  int add(
      @Mixin Target target,
      @Parameters(index = "0", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "1..*", arity = "1..*", paramLabel = "USER", description = USERS)
          List<String> users)
      throws Exception {
    return run(target, Action.ADD, name, users, false);
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
    return run(target, Action.REMOVE, name, users, false);
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
    return run(target, Action.DELETE, name, List.of(), false);
  }

  private int run(Target target, Action action, String name, List<String> users, boolean json)
      throws Exception {
    ConfigOptions options = target.options;
    ServerConfig config = options.read().config();
    Request request = new Request(action, host(target.host, config), json, name, users);
    String said =
        options.runAnywhere(
            config,
            CircleCommand.NAME,
            request.arguments(),
            stores ->
                new CircleCommand(
                        stores,
                        () -> config,
                        InstantSource.system(),
                        new SecureRandom(),
                        changed -> {})
                    .run(request.arguments()));
    PrintWriter out = spec.commandLine().getOut();
    out.print(said);
    out.flush();
    return 0;
  }

  private static String host(@Nullable String written, ServerConfig config) {
    if (written != null) {
      return written;
    }
    if (config.hosts().size() != 1) {
      throw new IllegalArgumentException(
          "name a host with --host; the hosts are " + String.join(", ", config.hosts()));
    }
    return config.hosts().getFirst();
  }
}
