package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.module.Xep;
import im.zonda.session.UserAgent;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.ScramKeys;
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

/// The extensible SASL profile: the same mechanisms as [SaslLogin], no new stream after success,
/// and what else the client requests in the same round trip. Confined to the stream's thread.
@Xep(number = 388, version = "1.0.4", title = "Extensible SASL Profile")
final class Sasl2Login implements SaslExchange.Profile, UpgradeTasks.Login {
  private static final QName CHALLENGE = new QName(Sasl2Request.NAMESPACE, "challenge");

  private final Negotiation negotiation;
  private final Stream stream;
  private final NegotiationContext context;
  private final LoginAttempts attempts;
  private final Sasl2Success success;

  private StreamHost host;
  private @Nullable SaslOffer offer;
  private @Nullable Jid from;

  private @Nullable ConfigVersion version;
  private boolean wasOutdated;
  private @Nullable Sasl2Request request;
  private @Nullable SaslExchange exchange;
  private @Nullable UpgradeTasks tasks;
  private @Nullable Jid account;

  Sasl2Login(
      Negotiation negotiation,
      NegotiationContext context,
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

  /// Sets what a stream header was answered with.
  ///
  /// @param newOffer null if nothing is offered before TLS
  /// @param newFrom the bare address in the client's header, or null
  void setOffer(StreamHost newHost, @Nullable SaslOffer newOffer, @Nullable Jid newFrom) {
    host = newHost;
    offer = newOffer;
    from = newFrom;
    forget();
  }

  /// Sets the version of the features that were sent; null if there is none before TLS.
  void setVersion(@Nullable ConfigVersion newVersion) {
    version = newVersion;
  }

  /// Whether an authentication is in progress: no other element may come then.
  boolean isInProgress() {
    return request != null;
  }

  /// Takes an element of the profile's namespace.
  void receive(Element element) {
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
      rejectOutOfOrder();
      return;
    }
    if (ConfigVersion.isOutdated(version, element)) {
      outdated();
      return;
    }
    Sasl2Request asked = Sasl2Request.parse(element);
    TokenMechanism byToken = TokenMechanism.ofSaslName(asked.mechanism());
    if (byToken != null) {
      authenticateByToken(asked, byToken);
      return;
    }
    SaslMechanism wanted = SaslOffer.require(offer, asked.mechanism());
    request = asked;
    SaslExchange attempt =
        new SaslExchange(attempts, host, Objects.requireNonNull(offer), wanted, this);
    exchange = attempt;
    byte[] initial = asked.initial();
    if (initial != null || attempt.mayBeginEmpty()) {
      attempt.handleMessage(initial == null ? new byte[0] : initial);
    } else {
      challenge(new byte[0]);
    }
  }

  /// The client may try again, having seen the features. Once it has, this counts as a failure.
  private void outdated() {
    stream.write(ConfigVersion.mismatch());
    if (wasOutdated) {
      attempts.countFailure(new SaslFailure(SaslCondition.ABORTED, "an old version of features"));
    }
    wasOutdated = true;
  }

  /// XEP-0484, section 3.4.
  private void authenticateByToken(Sasl2Request asked, TokenMechanism mechanism)
      throws SaslFailure {
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
    attempts.begin(mechanism.saslName());
    LoginThrottle.Attempt attempt = attempts.attempt(host, message.name(), claimed);
    if (attempt.isRefused()) {
      throw SaslFailure.refused();
    }
    ClientTokens.TokenRequest wishes = offeredOnly(asked.wishes(), offered);
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
        cause -> failed(LoginAttempts.internalFailure(host, cause)));
  }

  private void answer(LoginThrottle.Attempt attempt, ClientTokens.Login login) {
    Runnable tell =
        () -> {
          success.data(login.data());
          success.token(login.answer());
          complete();
        };
    answer(attempt, true, tell);
  }

  private void answer(LoginThrottle.Attempt attempt, SaslFailure failure) {
    answer(attempt, false, () -> failed(failure));
  }

  private void answer(LoginThrottle.Attempt attempt, boolean right, Runnable tell) {
    try {
      attempts.answerWhenDue(attempt, right, tell);
    } catch (SaslFailure refused) {
      failed(refused);
    }
  }

  /// A token for a mechanism that was not offered is not made.
  private static ClientTokens.TokenRequest offeredOnly(
      ClientTokens.TokenRequest wishes, SaslOffer offer) {
    TokenMechanism wanted = wishes.wanted();
    return wanted == null || wanted.bindingOf(offer) != null
        ? wishes
        : new ClientTokens.TokenRequest(null, wishes.invalidate());
  }

  private void response(Element element) throws SaslFailure {
    SaslExchange attempt = exchange;
    if (tasks != null) {
      rejectOutOfOrder();
    } else if (attempt == null) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "no attempt is under way");
    } else {
      attempt.handleMessage(Sasl2Request.data(element));
    }
  }

  private void task(Element element) throws SaslFailure {
    UpgradeTasks steps = tasks;
    if (steps == null) {
      rejectOutOfOrder();
    } else {
      steps.receive(element);
    }
  }

  /// Section 2.4: a client that sends something else meanwhile is disconnected.
  void rejectOutOfOrder() {
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
    if (isGuest(asked)) {
      complete(); // a guest has no keys and is not remembered
    } else if (asked.upgrades().isEmpty() || isWithoutPassword(asked)) {
      completeUpgrades(); // keys are made of a password only
    } else {
      tasks = new UpgradeTasks(stream, context.ids(), host, this, proved, provedKeys());
      tasks.start(asked.upgrades());
    }
  }

  private @Nullable ScramKeys provedKeys() {
    SaslExchange attempt = exchange;
    return attempt == null ? null : attempt.proved();
  }

  private static boolean isGuest(Sasl2Request asked) {
    return asked.mechanism().equals(SaslMechanism.ANONYMOUS.saslName());
  }

  private static boolean isWithoutPassword(Sasl2Request asked) {
    return asked.mechanism().equals(SaslMechanism.OAUTHBEARER.saslName())
        || asked.mechanism().equals(SaslMechanism.EXTERNAL.saslName());
  }

  @Override
  public void addData(Element.Builder builder) {
    success.addData(builder);
  }

  @Override
  public void completeUpgrades() {
    Sasl2Request asked = Objects.requireNonNull(request);
    Jid proved = Objects.requireNonNull(account);
    UserAgent agent = asked.agent();
    if (agent.id() == null) {
      complete();
      return;
    }
    TokenMechanism wanted = offeredOnly(asked.wishes(), Objects.requireNonNull(offer)).wanted();
    stream.runBlocking(
        () -> {
          Element token = context.tokens().afterPassword(host, proved, agent, wanted);
          return () -> {
            success.token(token);
            complete();
          };
        },
        cause -> failed(LoginAttempts.internalFailure(host, cause)));
  }

  /// Authentication is complete.
  private void complete() {
    Sasl2Request asked = Objects.requireNonNull(request);
    Jid proved = Objects.requireNonNull(account);
    request = null;
    negotiation.acceptIdentity(proved, asked.mechanism());
    success.complete(host, proved, asked);
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
      attempts.countFailure(failure);
    }
  }

  private void forget() {
    request = null;
    exchange = null;
    tasks = null;
    account = null;
  }
}
