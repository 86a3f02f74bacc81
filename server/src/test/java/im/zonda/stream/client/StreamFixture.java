package im.zonda.stream.client;

import im.zonda.account.GuestAddress;
import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.auth.KnownClients;
import im.zonda.auth.Passwords;
import im.zonda.auth.provider.Admission;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.runtime.ServerRuntime;
import im.zonda.runtime.TestRuntime;
import im.zonda.session.ClientNetwork;
import im.zonda.stanza.Iq;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import im.zonda.stream.sasl.Authenticator;
import im.zonda.stream.sasl.ClientTokens;
import im.zonda.stream.sasl.GuestEntrance;
import im.zonda.stream.sasl.SaslCondition;
import im.zonda.stream.sasl.SaslContext;
import im.zonda.stream.sasl.SaslFailure;
import im.zonda.stream.sasl.SaslRealm;
import im.zonda.throttle.FailedLogins;
import im.zonda.throttle.FairTurns;
import im.zonda.throttle.LoginThrottle;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A server for stream tests: the hosts `example.org` and `other.example`, the account
/// `romeo@example.org` with the password `secret`, and no router.
public final class StreamFixture {
  private static final int ITERATIONS = 4_096;
  private static final byte[] SECRET = "not known to anybody".getBytes(StandardCharsets.US_ASCII);

  /// The account that exists.
  public static final Jid ROMEO = Jid.of("romeo", "example.org", null);

  private static final Account ACCOUNT =
      new Account(
          ROMEO,
          Passwords.HASHES.stream()
              .map(hash ->
                  Passwords.derive(
                      "secret",
                      hash,
                      "0123456789abcdef".getBytes(StandardCharsets.US_ASCII),
                      ITERATIONS))
              .toList(),
          Instant.EPOCH);

  /// Where bound sessions go.
  public final FakeGate gate = new FakeGate();

  /// The accounts.
  public final Map<Jid, Account> accounts = new ConcurrentHashMap<>(Map.of(ROMEO, ACCOUNT));

  /// What tokens are; if there are any, OAUTHBEARER is offered.
  public final Map<String, Admission> issued = new ConcurrentHashMap<>();

  /// Whether a certificate is right for an account.
  @FunctionalInterface
  public interface CertificateCheck {
    /// Says it.
    Admission check(@Nullable String local, List<X509Certificate> chain);
  }

  /// Takes the certificates of clients of `example.org`; null if nobody does.
  public volatile @Nullable CertificateCheck certificates;

  /// Accounts to which nobody may log in.
  public final Set<Jid> disabled = ConcurrentHashMap.newKeySet();

  /// Who answers before authentication.
  public final Map<QName, UnauthenticatedHandler> unauthenticated = new ConcurrentHashMap<>();

  /// Features of modules.
  public final List<Element> featuresBefore = new ArrayList<>();

  /// Features of modules.
  public final List<Element> featuresAfter = new ArrayList<>();

  /// What is kept of clients.
  public final FakeValues values = new FakeValues();

  /// The time.
  public volatile Instant now = Instant.parse("2026-11-21T12:00:00Z");

  /// What lookups throw, if set.
  public volatile @Nullable StoreException storeFailure;

  /// Timers that run when the test moves the time.
  public final TestTimers timers = new TestTimers();

  /// How many guests may still enter `other.example`; none may enter `example.org`.
  public int guestsLeft;

  private final FailedLogins failedLogins = new FailedLogins(() -> now, timers);
  private final AtomicInteger ids = new AtomicInteger();
  private @Nullable LoginThrottle throttle;

  /// What streams of this server share.
  public StreamContext context(Limits limits, boolean plaintext, Executor blocking) {
    Map<String, StreamHost> hosts =
        Map.of("example.org", host("example.org"), "other.example", host("other.example"));
    return new StreamContext(
        hosts::get,
        limits,
        plaintext,
        new SaslContext(
            new Authenticator(blocking, SECRET, new FairTurns(2, limits.login().passwordQueue())),
            tokens(),
            throttle(limits),
            failedLogins,
            limits.saslFailures(),
            runtime(blocking)));
  }

  /// What counts failed logins, for all streams of this server.
  private LoginThrottle throttle(Limits limits) {
    LoginThrottle made = throttle;
    if (made == null) {
      made =
          new LoginThrottle(
              limits.login(), limits.negotiationTime(), () -> now, "not known to anybody");
      throttle = made;
    }
    return made;
  }

  private ServerRuntime runtime(Executor workers) {
    return new TestRuntime()
        .clock(() -> now)
        .scheduler(timers)
        .ids(this::id)
        .workers(workers)
        .build();
  }

  private String id() {
    return "id" + ids.incrementAndGet();
  }

  /// Lets time pass: the clock and the timers, not what streams call the time.
  public void pass(Duration time) {
    now = now.plus(time);
    timers.pass(time);
  }

  /// What knows the clients.
  public ClientTokens tokens() {
    return new ClientTokens(SECRET, clients(), runtime(Runnable::run), Duration.ofDays(30));
  }

  /// The clients.
  public KnownClients clients() {
    return new KnownClients(values, 3, Duration.ofDays(30), () -> now);
  }

  private StreamHost host(String domain) {
    return new StreamHost(
        Jid.of(null, domain, null),
        new Accounts(domain),
        gate,
        this::handler,
        () -> List.copyOf(featuresBefore),
        () -> List.copyOf(featuresAfter),
        () -> FakeInlineBind.FEATURES,
        domain.equals("other.example") ? new Entrance() : GuestEntrance.CLOSED);
  }

  private final class Entrance implements GuestEntrance {
    @Override
    public boolean isOpen() {
      return guestsLeft > 0;
    }

    @Override
    public Jid enter(ClientNetwork network) throws SaslFailure {
      if (guestsLeft == 0) {
        throw new SaslFailure(SaslCondition.TEMPORARY_AUTH_FAILURE, "too many guests");
      }
      return GuestAddress.of(Jid.of("other.example"), 0, --guestsLeft);
    }
  }

  private final class Accounts implements SaslRealm.Accounts {
    private final String domain;

    private Accounts(String domain) {
      this.domain = domain;
    }

    @Override
    public Set<Ability> abilities() {
      if (!issued.isEmpty()) {
        return Set.of(Ability.TOKEN);
      }
      Set<Ability> abilities = SaslRealm.Accounts.super.abilities();
      if (certificates != null && domain.equals("example.org")) {
        abilities.add(Ability.CERTIFICATE);
      }
      return abilities;
    }

    @Override
    public Admission checkCertificate(@Nullable String local, List<X509Certificate> chain)
        throws InterruptedException {
      CertificateCheck check = certificates;
      return check == null
          ? SaslRealm.Accounts.super.checkCertificate(local, chain)
          : check.check(local, chain);
    }

    @Override
    public boolean isDisabled(Jid jid) {
      return disabled.contains(jid);
    }

    @Override
    public @Nullable Account find(Jid jid) {
      StoreException failure = storeFailure;
      if (failure != null) {
        throw failure;
      }
      return accounts.get(jid);
    }

    @Override
    public @Nullable URI issuer() {
      return URI.create("https://id.example.org/.well-known/openid-configuration");
    }

    @Override
    public Admission checkToken(String token) {
      return issued.getOrDefault(token, new Admission.Refused("unknown token"));
    }

    @Override
    public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
      Account account = accounts.get(jid);
      List<ScramKeys> keys =
          account == null ? null : ScramKeys.adding(account.keys(), proved, added);
      if (account == null || keys == null) {
        return false;
      }
      accounts.put(jid, new Account(jid, keys, account.created()));
      return true;
    }
  }

  private @Nullable UnauthenticatedHandler handler(Iq.Type type, QName payload) {
    return type == Iq.Type.RESULT ? null : unauthenticated.get(payload);
  }

  /// The keys of the account for a hash.
  public static ScramKeys keys(String hash) {
    return ACCOUNT.keys().stream().filter(k -> k.hash().equals(hash)).findFirst().orElseThrow();
  }
}
