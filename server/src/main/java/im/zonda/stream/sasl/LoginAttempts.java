package im.zonda.stream.sasl;

import im.zonda.jfr.Login;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.StoreException;
import im.zonda.stream.Stream;
import im.zonda.throttle.LoginThrottle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// The authentication attempts of one stream, by any profile. Delays answers as the [LoginThrottle]
/// says, logs failures, and ends the stream after too many. Confined to the stream's thread.
public final class LoginAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(LoginAttempts.class);

  private final Stream stream;
  private final SaslContext context;
  private int failures;

  /// When the client has asked for the attempt in progress, by [System#nanoTime].
  private long begun;

  /// The mechanism of the attempt in progress.
  private String mechanism = "";

  /// The attempt whose answer waits, and its timer; null if there is none.
  private LoginThrottle.@Nullable Attempt waiting;

  private Scheduler.@Nullable Cancellable timer;

  /// The attempts of one stream.
  public LoginAttempts(Stream stream, SaslContext context) {
    this.stream = stream;
    this.context = context;
  }

  /// The stream.
  Stream stream() {
    return stream;
  }

  /// What authentications share.
  SaslContext context() {
    return context;
  }

  /// The client asks to authenticate.
  ///
  /// @param wanted the name of the mechanism
  public void begin(String wanted) {
    mechanism = wanted;
    begun = System.nanoTime();
  }

  /// An attempt to log in.
  ///
  /// @param name the account's name as the client gives it
  /// @param account its address; null if no account can have that name
  public LoginThrottle.Attempt attempt(SaslRealm host, String name, @Nullable Jid account) {
    String claimed = account == null ? name + '@' + host.domain() : account.toString();
    return context.throttle().attempt(stream.transport().remoteAddress(), claimed);
  }

  /// The proof was checked. Runs `tell` as soon as the client may be answered; until then the
  /// stream reads no input.
  ///
  /// @throws SaslFailure if the attempt is rejected
  public void answerWhenDue(LoginThrottle.Attempt attempt, boolean right, Runnable tell)
      throws SaslFailure {
    Duration delay = attempt.decide(right);
    if (delay == null) {
      throw SaslFailure.refused();
    }
    (right ? context.meters().succeeded() : context.meters().failed()).increment();
    if (delay.isZero()) {
      attempt.answered();
      tell.run();
      measure(right);
      return;
    }
    waiting = attempt;
    stream.suspendInput();
    timer =
        context
            .runtime()
            .scheduler()
            .schedule(
                delay, () -> stream.transport().execute(() -> answerLate(attempt, right, tell)));
  }

  private void measure(boolean right) {
    long took = System.nanoTime() - begun;
    if (right) {
      context.meters().time().record(took);
    }
    Login.record(mechanism, right, took);
  }

  private void answerLate(LoginThrottle.Attempt attempt, boolean right, Runnable tell) {
    if (waiting != attempt) {
      return; // the stream has ended
    }
    waiting = null;
    attempt.answered();
    tell.run();
    measure(right);
    stream.resumeInput();
  }

  /// The stream has ended: an answer that waits is not given.
  public void cancel() {
    LoginThrottle.Attempt attempt = waiting;
    waiting = null;
    if (attempt != null) {
      attempt.abandoned();
    }
    if (timer != null) {
      timer.cancel();
    }
  }

  /// Logs a failed attempt.
  public void log(
      SaslFailure failure, SaslRealm host, @Nullable Jid account, @Nullable String mechanism) {
    if (failure.isLogged()) {
      return;
    }
    boolean first =
        context
            .failedLogins()
            .add(stream.transport().remoteAddress(), account == null ? null : account.toString());
    LoggingEventBuilder event = first ? LOG.atInfo() : LOG.atDebug();
    event
        .addKeyValue("host", host.domain())
        .addKeyValue("account", account)
        .addKeyValue("mechanism", mechanism)
        .addKeyValue("address", stream.transport().remoteAddress().getHostAddress())
        .addKeyValue("condition", failure.condition())
        .addKeyValue("reason", failure.getMessage())
        .log("sasl_failed");
  }

  /// Counts a failure that the client has been answered.
  public void countFailure(SaslFailure failure) {
    if (++failures >= context.maxFailures() || failure.isLast()) {
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, "too many failed authentications");
    }
  }

  /// The failure that the client sees when a store or a part of the server has failed, which is
  /// logged.
  public static SaslFailure internalFailure(SaslRealm host, Exception cause) {
    if (cause instanceof StoreException store && store.retryable()) {
      // Many logins fail while the store does, which is logged as an error of its own.
      LOG.atWarn()
          .addKeyValue("host", host.domain())
          .addKeyValue("store", store.category())
          .addKeyValue("reason", store.getMessage())
          .log("sasl_lookup_failed");
    } else {
      LOG.atError().addKeyValue("host", host.domain()).setCause(cause).log("sasl_lookup_failed");
    }
    return new SaslFailure(SaslCondition.TEMPORARY_AUTH_FAILURE, "lookup");
  }
}
