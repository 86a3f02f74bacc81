package im.zonda.stream.sasl;

import im.zonda.auth.provider.Admission;
import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.json.JsonText;
import im.zonda.module.Xep;
import im.zonda.throttle.LoginThrottle;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One attempt to authenticate with a token of an issuer (OAUTHBEARER, RFC 7628). A client without
/// one is told where it gets one. Confined to the stream's thread.
@Xep(
    number = 493,
    version = "0.1.1",
    title = "OAuth Client Login",
    note = "With an issuer elsewhere. Scopes limit nothing.")
final class BearerExchange {
  /// The scope that every issuer of OpenID Connect has.
  private static final String SCOPE = "openid";

  private static final byte[] NOTHING = new byte[0];

  /// What answers a client that was told what is wrong.
  private static final byte ACKNOWLEDGEMENT = 1;

  private final LoginAttempts attempts;
  private final SaslRealm host;
  private final SaslExchange.Profile profile;
  private @Nullable Jid claimed;
  private @Nullable SaslFailure told;

  BearerExchange(LoginAttempts attempts, SaslRealm host, SaslExchange.Profile profile) {
    this.attempts = attempts;
    this.host = host;
    this.profile = profile;
  }

  /// The account; null if it is not known.
  @Nullable Jid claimed() {
    return claimed;
  }

  /// Takes a message from the client.
  ///
  /// @throws SaslFailure if the attempt is over
  void handleMessage(byte[] message) throws SaslFailure {
    SaslFailure failure = told;
    if (failure != null) {
      throw message.length == 1 && message[0] == ACKNOWLEDGEMENT
          ? failure
          : SaslFailure.logged(SaslCondition.MALFORMED_REQUEST, "no acknowledgement");
    }
    BearerMessage asked = BearerMessage.parse(message);
    Jid wanted = account(asked.authzid());
    claimed = wanted;
    if (asked.token().isEmpty()) {
      // Not a failed login: the client had nothing to log in with.
      challenge(SaslFailure.logged(SaslCondition.NOT_AUTHORIZED, "no token yet"));
      return;
    }
    LoginThrottle.Attempt attempt = attempt(asked, wanted);
    if (attempt.isRefused()) {
      throw SaslFailure.refused();
    }
    attempts.stream()
        .runBlocking(
            () -> {
              Admission admission = host.accounts().checkToken(asked.token());
              boolean disabled =
                  switch (admission) {
                    case Admission.Admitted(Jid account, var _) ->
                        host.accounts().isDisabled(account);
                    case Admission.Disabled _ -> true;
                    case Admission.Refused _, Admission.Unavailable _ -> false;
                  };
              return () -> checked(attempt, wanted, admission, disabled);
            },
            cause -> profile.failed(LoginAttempts.internalFailure(host, cause)));
  }

  /// The account that the client names, or null if it leaves that to the token.
  private @Nullable Jid account(String authzid) throws SaslFailure {
    if (authzid.isEmpty()) {
      return null;
    }
    try {
      Jid account = Jid.of(authzid);
      if (account.local() != null && account.isBare() && isAtHost(account)) {
        profile.checkAuthzid(account);
        return account;
      }
      throw new SaslFailure(SaslCondition.INVALID_AUTHZID, "not an account of the host");
    } catch (JidFormatException e) {
      throw new SaslFailure(SaslCondition.INVALID_AUTHZID, "not an address");
    }
  }

  private boolean isAtHost(Jid account) {
    return account.domain().equals(host.domain().domain());
  }

  /// A wrong token of nobody in particular counts against its address alone.
  private LoginThrottle.Attempt attempt(BearerMessage asked, @Nullable Jid wanted) {
    String name = wanted == null ? "token " + HashFunction.SHA_256.hex(asked.token()) : "";
    return attempts.attempt(host, name, wanted);
  }

  private void checked(
      LoginThrottle.Attempt attempt, @Nullable Jid wanted, Admission admission, boolean disabled) {
    try {
      switch (admission) {
        case Admission.Admitted(Jid account, var _) -> right(wanted, account, disabled);
        case Admission.Disabled(Jid account) -> right(wanted, account, disabled);
        case Admission.Refused(String reason) -> wrong(attempt, reason);
        case Admission.Unavailable(String reason) -> throw Authenticator.unavailable(reason);
      }
    } catch (SaslFailure failure) {
      profile.failed(failure);
    }
  }

  private void right(@Nullable Jid wanted, Jid account, boolean disabled) throws SaslFailure {
    if (wanted != null && !wanted.equals(account)) {
      throw new SaslFailure(SaslCondition.INVALID_AUTHZID, "the token of another account");
    }
    claimed = account;
    attempts.answerWhenDue(
        attempts.attempt(host, "", account), true, () -> accept(account, disabled));
  }

  private void wrong(LoginThrottle.Attempt attempt, String reason) throws SaslFailure {
    SaslFailure failure = new SaslFailure(SaslCondition.NOT_AUTHORIZED, reason);
    attempts.answerWhenDue(
        attempt,
        false,
        () -> {
          // Now: a client that leaves without an answer has failed too.
          attempts.log(failure, host, claimed, SaslMechanism.OAUTHBEARER.saslName());
          challenge(SaslFailure.logged(SaslCondition.NOT_AUTHORIZED, reason));
        });
  }

  private void accept(Jid account, boolean disabled) {
    if (disabled) {
      profile.failed(new SaslFailure(SaslCondition.ACCOUNT_DISABLED, "disabled"));
    } else {
      profile.succeeded(account, NOTHING);
    }
  }

  /// Tells the client what is wrong, and where it gets a token (RFC 7628, section 3.2.2).
  ///
  /// @param failure what follows when it has answered
  private void challenge(SaslFailure failure) {
    told = failure;
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("status", "invalid_token");
    URI issuer = host.accounts().issuer();
    if (issuer != null) {
      answer.put("scope", SCOPE);
      answer.put("openid-configuration", issuer.toString());
    }
    profile.challenge(JsonText.of(answer).getBytes(StandardCharsets.UTF_8));
  }
}
