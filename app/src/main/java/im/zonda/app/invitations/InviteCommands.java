package im.zonda.app.invitations;

import im.zonda.app.command.ConfigOptions;
import im.zonda.config.ServerConfig;
import im.zonda.config.annotation.UnitText;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda invite` and its subcommands.
@Command(
    name = "invite",
    description = {
      "Print a link by which someone creates an account (XEP-0401), also while the server is"
          + " running: the address of a page to send, the link for apps, and when both expire.",
      "The host must allow it: services.invitations.accounts."
    },
    footer = {
      "",
      "Examples:",
      "  zonda invite",
      "  zonda invite carol --from alice --circle Family --expires 3d",
      "  zonda invite list"
    })
public final class InviteCommands implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "USER",
      description =
          "Account that is created: user@host, or user if the server has one host."
              + " Only a host: the new user chooses the name.")
  private @Nullable String user;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = "How long the link is valid, such as 3d (default: services.invitations.time).")
  private @Nullable String expires;

  @Option(
      names = "--from",
      paramLabel = "USER",
      description = "Who invites: this account and the new one become each other's contacts.")
  private @Nullable String from;

  @Option(
      names = "--circle",
      paramLabel = "NAME",
      description = "Circle that the new account joins.")
  private @Nullable String circle;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  public InviteCommands() {}

  @Override
  public Integer call() throws Exception {
    ServerConfig config = options.read().config();
    Duration time = expires == null ? null : UnitText.duration(expires);
    if (expires != null && time == null) {
      throw new IllegalArgumentException(
          "--expires is a time such as 12h or 3d, not \"" + expires + "\"");
    }
    InviteCommand.Request request =
        new InviteCommand.Request(
            InviteCommand.address(user, config.hosts()), from, circle, time, json);
    return run(options, config, InviteCommand.MAKE, request.arguments());
  }

  /// `zonda invite list`.
  @Command(
      name = "list",
      description = {
        "List the invitations that have not been used: how `revoke` names each, when it expires,"
            + " who has made it, and what it is for.",
        "The links themselves are not stored."
      })
  int list(
      @Mixin ConfigOptions ofList,
      @Parameters(arity = "0..1", paramLabel = "HOST", description = "Host (default: all).")
          @Nullable String host,
      @Option(names = "--json", description = "Print JSON.") boolean asJson)
      throws Exception {
    ServerConfig config = ofList.read().config();
    List<String> arguments = new ArrayList<>();
    arguments.add(asJson ? InviteCommand.JSON : InviteCommand.TEXT);
    if (host != null) {
      arguments.add(host);
    }
    return run(ofList, config, InviteCommand.LIST, arguments);
  }

  /// `zonda invite revoke`.
  @Command(name = "revoke", description = "Revoke an invitation, so that nobody can use it.")
  int revoke(
      @Mixin ConfigOptions ofRevoke,
      @Parameters(
              paramLabel = "TOKEN",
              description =
                  "Its token, a link with it, or the first word of its line in `invite list`.")
          String token)
      throws Exception {
    return run(ofRevoke, ofRevoke.read().config(), InviteCommand.REVOKE, List.of(token));
  }

  private int run(ConfigOptions target, ServerConfig config, String command, List<String> arguments)
      throws Exception {
    String said =
        target.runAnywhere(
            config,
            command,
            arguments,
            stores ->
                new InviteCommand(stores, () -> config, InstantSource.system(), new SecureRandom())
                    .run(command, arguments));
    PrintWriter out = spec.commandLine().getOut();
    out.print(said);
    out.flush();
    return 0;
  }
}
