package im.zonda.stream.sasl;

import im.zonda.account.PasswordLogin;
import im.zonda.auth.KnownClient;
import im.zonda.auth.StoredDisabling;
import im.zonda.auth.provider.Admission;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.throttle.LoginThrottle;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Logins by pages, through what checks and delays those of streams: [Authenticator] and
/// [LoginThrottle]. No thread waits for a delay.
///
/// @param context what all authentications share
/// @param accounts the accounts of all hosts
/// @param disabling which accounts are disabled
public record PageLogins(
    SaslContext context, SaslRealm.Accounts accounts, StoredDisabling disabling)
    implements PasswordLogin {
  private static final Logger LOG = LoggerFactory.getLogger(PageLogins.class);

  /// What the log says instead of a mechanism.
  private static final String PAGE = "page";

  /// A host as the authenticator knows it.
  private record Realm(Jid domain, SaslRealm.Accounts accounts) implements SaslRealm {}

  @Override
  public void check(Attempt given, Consumer<Result> answered) {
    Realm realm = new Realm(given.host(), accounts);
    Jid account = Authenticator.account(realm, given.name());
    String claimed = account == null ? given.name() + '@' + given.host() : account.toString();
    LoginThrottle.Attempt attempt = context.throttle().attempt(given.address(), claimed);
    // A connection by HTTP is not closed for the failures of its address, as one of a client is.
    if (context.throttle().blocks(attempt.network()) || attempt.isRefused()) {
      refuse(given, account, SaslFailure.refused(), answered);
      return;
    }
    context
        .authenticator()
        .run(() -> {
          try {
            prove(given, realm, account, attempt, answered);
          } catch (SaslFailure e) {
            refuse(given, account, e, answered);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answered.accept(new Result.Refused(Reason.UNAVAILABLE));
          } catch (RuntimeException e) {
            LoginAttempts.internalFailure(realm, e);
            answered.accept(new Result.Refused(Reason.UNAVAILABLE));
          }
        });
  }

  private void prove(
      Attempt given,
      Realm realm,
      @Nullable Jid account,
      LoginThrottle.Attempt attempt,
      Consumer<Result> answered)
      throws SaslFailure, InterruptedException {
    // Before the check: if the password is changed meanwhile, the mark is that of the old one.
    String mark = account == null ? null : mark(account);
    Admission admission =
        context.authenticator().checkPassword(realm, given.name(), given.password(), attempt, PAGE);
    boolean right =
        admission instanceof Admission.Admitted || admission instanceof Admission.Disabled;
    boolean disabled =
        admission instanceof Admission.Disabled
            || (right && account != null && accounts.isDisabled(account));
    // An account that is kept elsewhere may not have been here before.
    String proved = mark == null && !disabled && right && account != null ? mark(account) : mark;
    Duration delay = attempt.decide(right);
    if (delay == null) {
      throw SaslFailure.refused();
    }
    Runnable answer =
        () -> {
          attempt.answered();
          if (right && !disabled && account != null && proved != null) {
            answered.accept(new Result.Proved(account, proved));
          } else {
            SaslCondition condition =
                disabled ? SaslCondition.ACCOUNT_DISABLED : SaslCondition.NOT_AUTHORIZED;
            refuse(given, account, new SaslFailure(condition, "password"), answered);
          }
        };
    if (delay.isZero()) {
      answer.run();
    } else {
      context
          .runtime()
          .scheduler()
          .schedule(delay, () -> context.runtime().workers().execute(answer));
    }
  }

  private void refuse(
      Attempt given, @Nullable Jid account, SaslFailure failure, Consumer<Result> answered) {
    boolean first =
        context.failedLogins().add(given.address(), account == null ? null : account.toString());
    LoggingEventBuilder event = first ? LOG.atInfo() : LOG.atDebug();
    event
        .addKeyValue("host", given.host())
        .addKeyValue("account", account)
        .addKeyValue("mechanism", PAGE)
        .addKeyValue("address", given.address().getHostAddress())
        .addKeyValue("condition", failure.condition())
        .addKeyValue("reason", failure.getMessage())
        .log("sasl_failed");
    answered.accept(new Result.Refused(reason(failure.condition())));
  }

  private static Reason reason(SaslCondition condition) {
    return switch (condition) {
      case ACCOUNT_DISABLED -> Reason.DISABLED;
      case NOT_AUTHORIZED -> Reason.WRONG;
      case ABORTED,
          CREDENTIALS_EXPIRED,
          ENCRYPTION_REQUIRED,
          INCORRECT_ENCODING,
          INVALID_AUTHZID,
          INVALID_MECHANISM,
          MALFORMED_REQUEST,
          TEMPORARY_AUTH_FAILURE ->
          Reason.TOO_MANY;
    };
  }

  @Override
  public @Nullable String mark(Jid jid) {
    Account account = find(jid);
    return account == null
        ? null
        : disabling.timesDisabled(jid) + "/" + KnownClient.markOf(account);
  }

  @Override
  public boolean isCurrent(Jid jid, String mark) {
    String times = disabling.timesDisabled(jid) + "/";
    Account account = mark.startsWith(times) ? find(jid) : null;
    return account != null && KnownClient.isMarkOf(account, mark.substring(times.length()));
  }

  private @Nullable Account find(Jid jid) {
    return accounts.isDisabled(jid) ? null : accounts.find(jid);
  }
}
