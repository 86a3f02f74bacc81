package im.zonda.app.invitations;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.Answer;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.users.AccountList;
import im.zonda.config.ServerConfig;
import im.zonda.config.annotation.UnitText;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.json.JsonText;
import im.zonda.module.invitations.InvitationOperations;
import im.zonda.module.invitations.InvitationOperations.Described;
import im.zonda.module.invitations.InvitationOperations.Made;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Shape;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
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
  private static final String MODULE = "invitations";

  /// The most invitations that are listed.
  private static final int LISTED = 1_000;

  private static final int PAGE = 500;

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
    if (expires != null && UnitText.duration(expires) == null) {
      throw new IllegalArgumentException(
          "--expires is a time such as 12h or 3d, not \"" + expires + "\"");
    }
    Jid address = address(config);
    Map<String, @Nullable Object> draft = new LinkedHashMap<>();
    draft.put("host", address.domain());
    draft.put("username", address.local());
    draft.put(
        "inviter",
        from == null ? null : AccountList.account(from, List.of(address.domain())).toString());
    draft.put("circle", circle);
    draft.put("time", expires);
    try (OperationRunner runner = options.openOperations(config)) {
      Made made = runner.askNamed(InvitationOperations.CREATE, draft);
      print(json ? json(made) : text(made));
    }
    return 0;
  }

  /// The account that is to be created, or the host.
  private Jid address(ServerConfig config) {
    List<String> hosts = config.hosts();
    if (user == null && hosts.size() != 1) {
      throw new IllegalArgumentException(
          "name a host or an account; the hosts are " + String.join(", ", hosts));
    }
    boolean isWhole =
        user == null || user.contains("@") || hosts.contains(user) || hosts.size() != 1;
    String written = user == null ? hosts.getFirst() : user;
    String wanted = isWhole ? written : written + "@" + hosts.getFirst();
    Jid address;
    try {
      address = Jid.of(wanted);
    } catch (JidFormatException e) {
      throw new IllegalArgumentException(wanted + " is neither an account nor a host", e);
    }
    if (!address.isBare() || !hosts.contains(address.domain())) {
      throw new IllegalArgumentException(
          wanted + " is not of this server; its hosts are " + String.join(", ", hosts));
    }
    return address;
  }

  private static String text(Made made) {
    return (made.page() == null ? "" : made.page() + "\n")
        + made.uri()
        + "\nexpires "
        + made.invitation().expires()
        + "\n";
  }

  private static String json(Made made) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("page", made.page());
    all.put("uri", made.uri());
    all.putAll(described(made.invitation()));
    return JsonText.of(all) + "\n";
  }

  private static Map<String, @Nullable Object> described(Described invitation) {
    return Shape.of(Described.class).data(invitation);
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
    if (host != null && !config.hosts().contains(host)) {
      throw new IllegalArgumentException(
          host
              + " is not a host of this server; its hosts are "
              + String.join(", ", config.hosts()));
    }
    List<Described> found = new ArrayList<>();
    try (OperationRunner runner = ofList.openOperations(config)) {
      for (String each : host == null ? hosts(config) : List.of(host)) {
        forEach(
            runner,
            each,
            invitation -> {
              found.add(invitation);
              return found.size() < LISTED;
            });
      }
    }
    if (asJson) {
      print(JsonText.of(found.stream().map(InviteCommands::described).toList()) + "\n");
    } else {
      StringBuilder text = new StringBuilder();
      found.forEach(each -> text.append(line(each)));
      print(text.isEmpty() ? "no invitations\n" : text.toString());
    }
    return 0;
  }

  private static String line(Described invitation) {
    String username = invitation.username() == null ? "" : " " + invitation.username();
    String joined = invitation.circle() == null ? "" : ", circle " + invitation.circle();
    return invitation.id()
        + "  "
        + invitation.expires()
        + "  "
        + invitation.inviter()
        + (invitation.createsAccount() ? "  account" : "  contact")
        + username
        + joined
        + "\n";
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
    ServerConfig config = ofRevoke.read().config();
    try (OperationRunner runner = ofRevoke.openOperations(config)) {
      for (String host : hosts(config)) {
        String revoked = revoke(runner, host, token);
        if (revoked != null) {
          print("revoked " + revoked + "\n");
          return 0;
        }
      }
    }
    throw new IllegalArgumentException(
        "no such invitation; it has been used, revoked or has expired: " + token);
  }

  /// Revokes an invitation of a host; null if the host has none.
  private static @Nullable String revoke(OperationRunner runner, String host, String token)
      throws IOException {
    Map<String, @Nullable Object> wanted = new LinkedHashMap<>();
    wanted.put("host", host);
    wanted.put("invitation", token);
    String revoked = revoke(runner, wanted);
    if (revoked != null || !token.matches("[0-9a-f]{12}")) {
      return revoked;
    }
    // An identifier says nothing of the account whose invitation it is.
    List<Described> found = new ArrayList<>();
    forEach(
        runner,
        host,
        invitation -> {
          if (invitation.id().equals(token)) {
            found.add(invitation);
          }
          return found.isEmpty();
        });
    if (found.isEmpty()) {
      return null;
    }
    wanted.put("inviter", found.getFirst().inviter().toString());
    return revoke(runner, wanted);
  }

  private static @Nullable String revoke(
      OperationRunner runner, Map<String, @Nullable Object> wanted) throws IOException {
    Answer answer = runner.run(InvitationOperations.REVOKE, wanted, _ -> {});
    if (answer instanceof Answer.Refused(Reason reason, String _) && reason == Reason.NOT_FOUND) {
      return null;
    }
    return runner.read(InvitationOperations.REVOKE, answer).id();
  }

  /// Calls `task` with the valid invitations of a host and its accounts, as long as it returns
  /// true.
  private static void forEach(OperationRunner runner, String host, Predicate<Described> task)
      throws IOException {
    String next = null;
    do {
      Map<String, @Nullable Object> wanted = new LinkedHashMap<>();
      wanted.put("host", host);
      wanted.put("all", true);
      wanted.put("after", next);
      wanted.put("limit", PAGE);
      InvitationOperations.Listed page = runner.askNamed(InvitationOperations.LIST, wanted);
      for (Described each : page.invitations()) {
        if (!task.test(each)) {
          return;
        }
      }
      next = page.next();
    } while (next != null);
  }

  /// The hosts that have invitations.
  private static List<String> hosts(ServerConfig config) {
    return config.hosts().stream()
        .filter(host -> !config.at(host).modulesOff().contains(MODULE))
        .toList();
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }
}
