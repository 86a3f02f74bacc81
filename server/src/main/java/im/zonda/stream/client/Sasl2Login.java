package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.module.Xep;
import im.zonda.session.UserAgent;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.Stream;
import im.zonda.stream.sasl.Authenticator;
import im.zonda.stream.sasl.ClientTokens;
import im.zonda.stream.sasl.LoginAttempts;
import im.zonda.stream.sasl.SaslBase64;
import im.zonda.stream.sasl.SaslCondition;
import im.zonda.stream.sasl.SaslExchange;
import im.zonda.stream.sasl.SaslFailure;
import im.zonda.stream.sasl.SaslMechanism;
import im.zonda.stream.sasl.SaslOffer;
import im.zonda.stream.sasl.TokenMechanism;
import im.zonda.stream.sasl.TokenMessage;
import im.zonda.throttle.LoginThrottle;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The extensible profile of SASL: the same mechanisms as [SaslLogin], no new stream after success,
/// and what else the client wants done in the same round trip. Runs on the stream's thread.
@Xep(number = 388, version = "1.0.4", title = "Extensible SASL Profile")
final class Sasl2Login implements SaslExchange.Profile {
  private static final QName CHALLENGE = new QName(Sasl2Request.NAMESPACE, "challenge");

  private final Negotiation negotiation;
  private final Stream stream;
  private final StreamContext context;
  private final LoginAttempts attempts;
  private final Sasl2Success success;

  private StreamHost host;
  private @Nullable SaslOffer offer;
  private @Nullable Jid from;

  private @Nullable Sasl2Request request;
  private @Nullable SaslExchange exchange;
  private @Nullable UpgradeTasks tasks;
  private @Nullable Jid account;

  Sasl2Login(
      Negotiation negotiation,
      StreamContext context,
      LoginAttempts attempts,
      Sasl2Success success,
      StreamHost host) {
    this.negotiation = negotiation;
    this.stream = negotiation.stream();
    this.context = context;
    this.attempts = attempts;
    this.success = success;
    this.host = host;
  }

  /// A stream header was answered: from now on it is about `newHost` with `newOffer`; null if
  /// nothing is offered before TLS.
  ///
  /// @param newFrom who the client says it is, or null
  void offered(StreamHost newHost, @Nullable SaslOffer newOffer, @Nullable Jid newFrom) {
    host = newHost;
    offer = newOffer;
    from = newFrom;
    forget();
  }

  /// Whether an authentication is under way: nothing else may come then.
  boolean underWay() {
    return request != null;
  }

  /// Takes an element of the profile's namespace.
  void element(Element element) {
    try {
      switch (element.name().name()) {
        case "authenticate" -> authenticate(element);
        case "response" -> response(element);
        case "abort" -> throw new SaslFailure(SaslCondition.ABORTED, "by the client");
        case "next", "task-data" -> task(element);
        default -> stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
      }
    } catch (SaslFailure failure) {
      failed(failure);
    }
  }

  private void authenticate(Element element) throws SaslFailure {
    if (request != null) {
      outOfTurn();
      return;
    }
    Sasl2Request asked = Sasl2Request.parse(element);
    TokenMechanism byToken = TokenMechanism.ofSaslName(asked.mechanism());
    if (byToken != null) {
      token(asked, byToken);
      return;
    }
    SaslMechanism wanted = SaslOffer.require(offer, asked.mechanism());
    request = asked;
    SaslExchange attempt =
        new SaslExchange(attempts, host, Objects.requireNonNull(offer), wanted, this);
    exchange = attempt;
    byte[] initial = asked.initial();
    if (initial == null) {
      challenge(new byte[0]);
    } else {
      attempt.response(initial);
    }
  }

  /// XEP-0484, section 3.4.
  private void token(Sasl2Request asked, TokenMechanism mechanism) throws SaslFailure {
    SaslOffer offered = offer;
    if (offered == null) {
      throw new SaslFailure(SaslCondition.ENCRYPTION_REQUIRED, "before TLS");
    }
    byte[] binding = mechanism.bindingOf(offered);
    if (binding == null) {
      throw new SaslFailure(SaslCondition.INVALID_MECHANISM, "not offered");
    }
    byte[] initial = asked.initial();
    if (asked.fast() == null || initial == null || asked.agent().id() == null) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "no identifier or no proof");
    }
    TokenMessage message = TokenMessage.parse(initial);
    Jid claimed = Authenticator.account(host, message.name());
    request = asked;
    account = claimed;
    LoginThrottle.Attempt attempt = attempts.attempt(host, message.name(), claimed);
    if (attempt.isRefused()) {
      throw SaslFailure.refused();
    }
    ClientTokens.Wishes wishes = offeredOnly(asked.wishes(), offered);
    stream.runBlocking(
        () -> {
          try {
            ClientTokens.Login login =
                context
                    .tokens()
                    .login(
                        host, claimed, asked.agent(), mechanism, message.proof(), binding, wishes);
            return () -> answer(attempt, login);
          } catch (SaslFailure failure) {
            return failure.condition() == SaslCondition.NOT_AUTHORIZED
                ? () -> answer(attempt, failure)
                : () -> failed(failure);
          }
        },
        cause -> failed(LoginAttempts.broken(host, cause)));
  }

  private void answer(LoginThrottle.Attempt attempt, ClientTokens.Login login) {
    Runnable tell =
        () -> {
          success.data(login.data());
          success.token(login.answer());
          proved();
        };
    answer(attempt, true, tell);
  }

  private void answer(LoginThrottle.Attempt attempt, SaslFailure failure) {
    answer(attempt, false, () -> failed(failure));
  }

  private void answer(LoginThrottle.Attempt attempt, boolean right, Runnable tell) {
    try {
      attempts.answer(attempt, right, tell);
    } catch (SaslFailure refused) {
      failed(refused);
    }
  }

  /// A token for a mechanism that was not offered is not made.
  private static ClientTokens.Wishes offeredOnly(ClientTokens.Wishes wishes, SaslOffer offer) {
    TokenMechanism wanted = wishes.wanted();
    return wanted == null || wanted.bindingOf(offer) != null
        ? wishes
        : new ClientTokens.Wishes(null, wishes.invalidate());
  }

  private void response(Element element) throws SaslFailure {
    SaslExchange attempt = exchange;
    if (tasks != null) {
      outOfTurn();
    } else if (attempt == null) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "no attempt is under way");
    } else {
      attempt.response(Sasl2Request.data(element));
    }
  }

  private void task(Element element) throws SaslFailure {
    UpgradeTasks steps = tasks;
    if (steps == null) {
      outOfTurn();
    } else {
      steps.element(element);
    }
  }

  /// Section 2.4: whoever sends something else meanwhile is disconnected.
  void outOfTurn() {
    stream.fail(StreamErrorCondition.POLICY_VIOLATION, "not what comes now in the authentication");
  }

  @Override
  public void challenge(byte[] message) {
    stream.write(
        message.length == 0
            ? Element.of(CHALLENGE)
            : Element.text(CHALLENGE, SaslBase64.encode(message)));
  }

  @Override
  public void checkAuthzid(Jid claimed) throws SaslFailure {
    Jid hint = from;
    if (hint != null && !hint.bare().equals(claimed)) {
      throw new SaslFailure(SaslCondition.INVALID_AUTHZID, "not who the stream is from");
    }
  }

  @Override
  public void succeeded(Jid proved, byte[] additionalData) {
    Sasl2Request asked = Objects.requireNonNull(request);
    account = proved;
    success.data(additionalData);
    if (asked.upgrades().isEmpty()) {
      upgraded();
    } else {
      tasks = new UpgradeTasks(stream, context, host, this, proved);
      tasks.start(asked.upgrades());
    }
  }

  /// Adds the mechanism's data, if they have not been told yet.
  void addData(Element.Builder builder) {
    success.addData(builder);
  }

  /// The password is proved and all tasks are done.
  void upgraded() {
    Sasl2Request asked = Objects.requireNonNull(request);
    Jid proved = Objects.requireNonNull(account);
    UserAgent agent = asked.agent();
    if (agent.id() == null) {
      proved();
      return;
    }
    TokenMechanism wanted = offeredOnly(asked.wishes(), Objects.requireNonNull(offer)).wanted();
    stream.runBlocking(
        () -> {
          Element token = context.tokens().afterPassword(host, proved, agent, wanted);
          return () -> {
            success.token(token);
            proved();
          };
        },
        cause -> failed(LoginAttempts.broken(host, cause)));
  }

  /// Nothing is left to be done before success.
  private void proved() {
    Sasl2Request asked = Objects.requireNonNull(request);
    Jid proved = Objects.requireNonNull(account);
    request = null;
    negotiation.proved(proved, asked.mechanism());
    success.go(host, proved, asked);
  }

  @Override
  public void failed(SaslFailure failure) {
    SaslExchange attempt = exchange;
    Sasl2Request asked = request;
    attempts.log(
        failure,
        host,
        attempt == null ? account : attempt.claimed(),
        asked == null ? null : asked.mechanism());
    boolean afterTasks = tasks != null;
    forget();
    stream.write(
        Element.builder(Sasl2Request.NAMESPACE, "failure")
            .child(Element.of(Namespaces.SASL, failure.condition().elementName()))
            .build());
    if (afterTasks) {
      // Section 6.8: no second authentication after <continue/>.
      stream.finish();
    } else {
      attempts.told(failure);
    }
  }

  private void forget() {
    request = null;
    exchange = null;
    tasks = null;
    account = null;
  }
}
