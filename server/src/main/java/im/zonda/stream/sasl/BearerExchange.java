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
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One attempt to authenticate with a token of an issuer (OAUTHBEARER, RFC 7628). A client without
/// one gets the name of the issuer. Confined to the stream's thread.
@Xep(
    number = 493,
    version = "0.1.1",
    title = "OAuth Client Login",
    note = "With an issuer elsewhere. Scopes limit nothing.")
final class BearerExchange {
  /// The scope that every issuer of OpenID Connect has.
  private static final String SCOPE = "openid";

  private static final byte[] NOTHING = new byte[0];

  /// The answer of a client to an explanation.
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
    Message asked = Message.parse(message);
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
  private LoginThrottle.Attempt attempt(Message asked, @Nullable Jid wanted) {
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

  /// Explains to the client what is wrong, and where it gets a token (RFC 7628, section 3.2.2).
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

  /// The one message of the mechanism OAUTHBEARER (RFC 7628, section 3.1).
  ///
  /// @param authzid the authorization identity; empty for the user's own
  /// @param token the token; empty if the client asks where it gets one (XEP-0493, section 3.2.1)
  private record Message(String authzid, String token) {
    private static final char SEPARATOR = '\u0001';
    private static final String END = "\u0001\u0001";
    private static final String SCHEME = "bearer";

    /// The most characters of a token.
    private static final int MOST_CHARS = 8_192;

    /// RFC 6750, section 2.1.
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]*=*");

    /// Reads a header of GS2 (RFC 5801, section 4) and pairs of names and values. The address that
    /// the client has connected to is in some; it is not needed.
    ///
    /// @throws SaslFailure `malformed-request` if it is not that
    static Message parse(byte[] bytes) throws SaslFailure {
      String text = SaslText.decode(bytes, 0, bytes.length);
      int separator = text.indexOf(SEPARATOR);
      String header = separator < 0 ? text : text.substring(0, separator);
      if (separator < 0
          || text.indexOf(END, separator + 1) != text.length() - END.length()
          || !(header.startsWith("n,") || header.startsWith("y,"))
          || header.indexOf(',', 2) != header.length() - 1) {
        throw malformed("no header and pairs");
      }
      String authzid = header.substring(2, header.length() - 1);
      if (!authzid.isEmpty()) {
        if (!authzid.startsWith("a=")) {
          throw malformed("authzid");
        }
        authzid = ScramServer.saslName(authzid.substring(2));
      }
      String authorization = null;
      for (String pair : text.substring(separator + 1, text.length() - 2).split("\u0001", -1)) {
        int equals = pair.indexOf('=');
        if (equals < 1) {
          throw malformed("a pair without a name");
        }
        if (pair.startsWith("auth=")) {
          if (authorization != null) {
            throw malformed("auth twice");
          }
          authorization = pair.substring(equals + 1);
        }
      }
      if (authorization == null) {
        throw malformed("no auth");
      }
      return new Message(authzid, token(authorization));
    }

    private static String token(String authorization) throws SaslFailure {
      String text = authorization.strip();
      int blank = text.indexOf(' ');
      String scheme = (blank < 0 ? text : text.substring(0, blank)).toLowerCase(Locale.ROOT);
      if (text.isEmpty() || (blank < 0 && scheme.equals(SCHEME))) {
        return "";
      }
      String token = text.substring(blank + 1).strip();
      if (!scheme.equals(SCHEME)
          || token.length() > MOST_CHARS
          || !TOKEN.matcher(token).matches()) {
        throw malformed("no bearer token");
      }
      return token;
    }

    private static SaslFailure malformed(String reason) {
      return new SaslFailure(SaslCondition.MALFORMED_REQUEST, reason);
    }

    @Override
    public String toString() {
      return "OAUTHBEARER message";
    }
  }
}
