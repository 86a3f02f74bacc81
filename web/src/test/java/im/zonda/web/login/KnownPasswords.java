package im.zonda.web.login;

import im.zonda.account.PasswordLogin;
import im.zonda.jid.Jid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Accounts with their passwords in memory; answers at once.
public final class KnownPasswords implements PasswordLogin {
  /// The passwords by account.
  public final Map<Jid, String> passwords = new HashMap<>();

  /// The accounts that are disabled.
  public final Set<Jid> disabled = new HashSet<>();

  /// What every attempt is rejected for; null if none is.
  public @Nullable Reason refusal;

  /// How many attempts there were.
  public int attempts;

  @Override
  public void check(Attempt attempt, Consumer<Result> answered) {
    attempts++;
    Jid account =
        attempt.name().isEmpty()
            ? attempt.host()
            : Jid.of(attempt.name(), attempt.host().domain(), null);
    Reason reason = refusal;
    String mark = mark(account);
    if (reason != null) {
      answered.accept(new Result.Refused(reason));
    } else if (!attempt.password().equals(passwords.get(account))) {
      answered.accept(new Result.Refused(Reason.WRONG));
    } else if (mark == null) {
      answered.accept(new Result.Refused(Reason.DISABLED));
    } else {
      answered.accept(new Result.Proved(account, mark));
    }
  }

  @Override
  public @Nullable String mark(Jid account) {
    String password = passwords.get(account);
    return password == null || disabled.contains(account) ? null : "mark " + password.hashCode();
  }

  @Override
  public boolean isCurrent(Jid account, String mark) {
    return mark.equals(mark(account));
  }
}
