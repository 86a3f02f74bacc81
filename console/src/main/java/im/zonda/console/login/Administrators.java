package im.zonda.console.login;

import im.zonda.account.PasswordLogin;
import im.zonda.account.provider.SignOn;
import im.zonda.jid.Jid;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds what those who have signed in may do at present. Any thread that may block may call.
///
/// @param operations says who administers a host
/// @param passwords says whether a password is still that with which a session began
/// @param hosts the domains of the hosts
/// @param sso the issuer by whose pages they may sign in; null if there is none
public record Administrators(
    Operations operations,
    PasswordLogin passwords,
    Supplier<List<String>> hosts,
    @Nullable Sso sso) {
  /// The issuer by whose pages administrators may sign in.
  ///
  /// @param client asks it
  /// @param grants what those may do who have these values of its claim; null if nothing
  public record Sso(SignOn client, Function<List<String>, @Nullable Grant> grants) {}

  private static final String LIST = "administrator.list";

  /// The server itself, which asks who its administrators are.
  private static final Caller SERVER = new Caller("console", Caller.Via.SCHEDULE, null, Grant.ALL);

  /// What someone may do; null if nothing any longer: the password was changed, the account is
  /// disabled or gone, or it administers no host.
  public @Nullable Grant grant(Identity identity) {
    return switch (identity) {
      case Identity.ByLink(String _, Grant grant) -> grant;
      case Identity.ByPassword(Jid account, String mark) ->
          passwords.isCurrent(account, mark) ? grant(account) : null;
      case Identity.ByPasskey(Jid account, String mark) ->
          passwords.isCurrent(account, mark) ? grant(account) : null;
      case Identity.BySso(String _, List<String> values) ->
          sso == null ? null : sso.grants().apply(values);
    };
  }

  /// What an account may do: it has the hosts whose administrator it is; null if there is none.
  @Nullable Grant grant(Jid account) {
    Set<String> administered = new TreeSet<>();
    for (String host : hosts.get()) {
      if (administrators(host).contains(account.toString())) {
        administered.add(host);
      }
    }
    return administered.isEmpty() ? null : new Grant(Role.HOST_ADMIN, administered, null);
  }

  private List<?> administrators(String host) {
    Outcome<?> outcome = operations.run(SERVER, LIST, Map.of(Operation.HOST, host));
    if (!(outcome instanceof Outcome.Done<?>(Record result))) {
      return List.of(); // without the module, or without the store, no one is known to be one
    }
    for (Operation<?, ?> each : operations.catalogue().operations()) {
      if (each.name().equals(LIST)
          && each.result().data(result).get("administrators") instanceof List<?> found) {
        return found;
      }
    }
    return List.of();
  }
}
