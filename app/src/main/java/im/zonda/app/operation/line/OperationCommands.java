package im.zonda.app.operation.line;

import im.zonda.app.command.ConfigOptions;
import im.zonda.operation.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// Adds a command for each operation to the command line: `account.disable` is `account disable`.
/// Commands that there are already stay as they are.
public final class OperationCommands {
  /// What the operations of a subject are about.
  private static final Map<String, String> SUBJECTS =
      Map.ofEntries(
          Map.entry("access-list", "Addresses and domains with which a host exchanges nothing."),
          Map.entry("administrator", "The administrators of a host."),
          Map.entry("invitation", "Invitations to create an account."),
          Map.entry("motd", "The message of the day of a host."),
          Map.entry("welcome", "The message to new accounts of a host."),
          Map.entry("account", "Accounts: list, create, disable, remove."),
          Map.entry("admin", "The admin console: links, sessions, second factors."),
          Map.entry("alarm", "Alarms of the running server."),
          Map.entry("dns", "Records that hosts need in DNS."),
          Map.entry("login", "Logins that have failed."),
          Map.entry("archive", "The archived messages of accounts."),
          Map.entry("audit", "What administrators have done."),
          Map.entry("ban", "Networks from which no one may connect."),
          Map.entry("cache", "The caches of the running server."),
          Map.entry("certificate", "The certificates of the running server."),
          Map.entry("component", "External components that are connected."),
          Map.entry("compliance", "The XMPP Compliance Suites."),
          Map.entry("device", "The devices of accounts."),
          Map.entry("group", "Groups whose members are in each other's contact lists."),
          Map.entry("file", "Files that were uploaded."),
          Map.entry("job", "Work that takes long."),
          Map.entry("journal", "Stanzas that were not delivered as usual."),
          Map.entry("link", "Links with other servers."),
          Map.entry("log", "The log of the running server."),
          Map.entry("message", "Why a message did not arrive, and whether one would."),
          Map.entry("node", "Publish-subscribe nodes."),
          Map.entry("notice", "Messages to all users."),
          Map.entry("plugin", "Plugins: list, add, remove, write a new one."),
          Map.entry("provider", "Who keeps accounts elsewhere: list, try a login."),
          Map.entry("report", "Reports of abuse."),
          Map.entry("room", "Rooms: list, configure, destroy."),
          Map.entry("roster", "The contacts of accounts."),
          Map.entry("server", "The server as a whole: status, version, stop."),
          Map.entry("session", "Sessions of clients: list, end."),
          Map.entry("store", "What is stored: how much each host has."),
          Map.entry("token", "Tokens by which programs administer the server."),
          Map.entry("trace", "Each step of the messages of chosen accounts, for a while."));

  /// The words that people know for a subject, beside its own.
  private static final Map<String, String> ALSO = Map.of("account", "user");

  private final CommandLine root;

  private OperationCommands(CommandLine root) {
    this.root = root;
  }

  /// Adds the commands of some operations.
  ///
  /// @param root its factory makes [ConfigOptions]
  public static void addTo(CommandLine root, List<Operation<?, ?>> operations) {
    OperationCommands commands = new OperationCommands(root);
    for (Operation<?, ?> each : operations) {
      List<String> words = List.of(each.name().split("\\."));
      commands.add(each, words);
      String also = ALSO.get(words.getFirst());
      if (also != null) {
        List<String> other = new ArrayList<>(words);
        other.set(0, also);
        commands.add(each, other);
      }
    }
  }

  private void add(Operation<?, ?> operation, List<String> words) {
    CommandLine parent = root;
    for (String word : words.subList(0, words.size() - 1)) {
      CommandLine child = parent.getSubcommands().get(word);
      parent = child == null ? group(parent, word) : child;
    }
    String last = words.getLast();
    if (!parent.getSubcommands().containsKey(last)) {
      String whole = root.getCommandName() + " " + String.join(" ", words);
      parent.addSubcommand(OperationCommand.of(operation, last, whole, options()));
    }
  }

  private static CommandLine group(CommandLine parent, String word) {
    Missing missing = new Missing();
    CommandSpec spec = CommandSpec.wrapWithoutInspection(missing);
    missing.spec = spec;
    spec.name(word);
    spec.usageMessage()
        .description(SUBJECTS.getOrDefault(word, "Operations on a " + word + "."))
        .synopsisSubcommandLabel("COMMAND");
    CommandLine made = new CommandLine(spec, parent.getFactory());
    parent.addSubcommand(word, made);
    return made;
  }

  /// A group without a command.
  private static final class Missing implements Runnable {
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(), "Missing required command");
    }
  }

  private ConfigOptions options() {
    try {
      return root.getFactory().create(ConfigOptions.class);
    } catch (Exception e) {
      throw new IllegalStateException("cannot make the options", e);
    }
  }
}
