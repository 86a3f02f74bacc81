package im.zonda.app.invitations;

import im.zonda.app.control.ControlCommand;
import im.zonda.app.users.AccountList;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.json.JsonText;
import im.zonda.module.circle.Circle;
import im.zonda.module.circle.CircleModule;
import im.zonda.module.circle.CircleModule.Console;
import im.zonda.module.circle.CircleModule.Source;
import im.zonda.store.Stores;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// `zonda circle`: groups of people who are each other's contacts and have a room.
///
/// @param stores the accounts and circles
/// @param config the configuration in force
/// @param clock the time
/// @param random source of keys
/// @param changed tells the running server that circles of a host have changed
public record CircleCommand(
    Stores stores,
    Supplier<ServerConfig> config,
    InstantSource clock,
    RandomGenerator random,
    Consumer<Jid> changed)
    implements ControlCommand {
  /// The name of the command on the control socket.
  public static final String NAME = "circle";

  private static final int ID_BYTES = 16;

  /// A request to the control socket has a limited number of words of limited length.
  private static final int USERS_IN_A_WORD = 20;

  /// What is to be done.
  enum Action {
    CREATE,
    LIST,
    SHOW,
    ADD,
    REMOVE,
    DELETE
  }

  /// @param host the domain of the host
  /// @param json whether JSON is printed
  /// @param name the name of a circle; empty for [Action#LIST]
  /// @param users accounts, each as `user@host` or `user`
  record Request(Action action, String host, boolean json, String name, List<String> users) {
    List<String> arguments() {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  action.name().toLowerCase(Locale.ROOT),
                  host,
                  json ? InviteCommand.JSON : InviteCommand.TEXT,
                  name));
      for (int from = 0; from < users.size(); from += USERS_IN_A_WORD) {
        int to = Math.min(from + USERS_IN_A_WORD, users.size());
        arguments.add(String.join("\n", users.subList(from, to)));
      }
      return arguments;
    }

    static Request of(List<String> arguments) {
      return new Request(
          Action.valueOf(arguments.get(0).toUpperCase(Locale.ROOT)),
          arguments.get(1),
          arguments.get(2).equals(InviteCommand.JSON),
          arguments.get(3),
          arguments.subList(4, arguments.size()).stream().flatMap(String::lines).toList());
    }
  }

  @Override
  public String run(List<String> arguments) {
    Request request = Request.of(arguments);
    ServerConfig current = config.get();
    if (!current.hosts().contains(request.host)) {
      throw new IllegalArgumentException(
          request.host
              + " is not a host of this server; its hosts are "
              + String.join(", ", current.hosts()));
    }
    Jid host = Jid.of(request.host);
    Console circles = new Console(source(stores), current.at(request.host), host, clock, this::id);
    List<Jid> users =
        request.users.stream()
            .map(user -> AccountList.account(user, List.of(request.host)))
            .distinct()
            .toList();
    String said =
        switch (request.action) {
          case LIST -> list(circles, request.json);
          case SHOW -> show(circles, circles.get(request.name), request.json);
          case CREATE -> {
            Circle made = circles.create(request.name, users);
            yield "created "
                + made.name()
                + ", "
                + members(users.size())
                + ", room "
                + circles.room(made)
                + "\n";
          }
          case ADD -> "added " + members(circles.add(request.name, users).size()) + "\n";
          case REMOVE -> {
            circles.removeMembers(request.name, users);
            yield "removed " + members(users.size()) + "\n";
          }
          case DELETE -> {
            Circle gone = circles.get(request.name);
            circles.delete(request.name);
            yield "deleted " + gone.name() + "\n";
          }
        };
    if (request.action != Action.LIST && request.action != Action.SHOW) {
      changed.accept(host);
    }
    return said;
  }

  /// What circles are read from.
  static Source source(Stores stores) {
    return new Source(
        stores.keyValues(CircleModule.STORE),
        account -> stores.accounts().find(account) != null,
        stores.rooms());
  }

  private static String members(int count) {
    return count + (count == 1 ? " member" : " members");
  }

  private static String list(Console circles, boolean json) {
    List<Object> all = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (Circle circle : circles.all()) {
      all.add(described(circles, circle));
      text.append(circle.name()).append("  ");
      text.append(members(circles.members(circle).size())).append("  ");
      text.append(circles.room(circle)).append('\n');
    }
    if (json) {
      return JsonText.of(all) + "\n";
    }
    return text.isEmpty() ? "no circles\n" : text.toString();
  }

  private static Map<String, @Nullable Object> described(Console circles, Circle circle) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("name", circle.name());
    all.put("room", String.valueOf(circles.room(circle)));
    all.put("created", circle.created().toString());
    all.put("members", circles.members(circle).stream().map(Jid::toString).toList());
    return all;
  }

  private static String show(Console circles, Circle circle, boolean json) {
    Set<Jid> unfinished = new HashSet<>(circles.unfinished(circle));
    if (json) {
      Map<String, @Nullable Object> all = described(circles, circle);
      all.put("joining", unfinished.stream().map(Jid::toString).sorted().toList());
      return JsonText.of(all) + "\n";
    }
    StringBuilder text = new StringBuilder();
    text.append(circle.name()).append('\n');
    text.append("room     ").append(circles.room(circle)).append('\n');
    List<Jid> members = circles.members(circle);
    text.append("members  ").append(members.size()).append('\n');
    for (Jid each : members) {
      text.append("  ").append(each).append(unfinished.contains(each) ? "  (joining)\n" : "\n");
    }
    return text.toString();
  }

  private String id() {
    byte[] bits = new byte[ID_BYTES];
    random.nextBytes(bits);
    return HexFormat.of().formatHex(bits);
  }
}
