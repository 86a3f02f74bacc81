package im.zonda.stream.sasl;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.account.DisabledAccounts;
import im.zonda.account.PasswordLogin.Attempt;
import im.zonda.account.PasswordLogin.Reason;
import im.zonda.account.PasswordLogin.Result;
import im.zonda.auth.Passwords;
import im.zonda.auth.StoredDisabling;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import im.zonda.stream.client.FakeValues;
import im.zonda.stream.client.StreamFixture;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Logins by pages beside those of streams; `romeo@example.org` has the password `secret`.
class PageLoginsTest {
  private static final Jid HOST = Jid.of("example.org");
  private static final Jid ROMEO = StreamFixture.ROMEO;
  private static final String ATTACKER = "192.0.2.66";
  private static final String HOME = "198.51.100.1";

  private final StreamFixture fixture = new StreamFixture();
  private final StoredDisabling disabling =
      new StoredDisabling(new FakeValues(), InstantSource.system());
  private final PageLogins logins =
      new PageLogins(
          fixture.context(Limits.defaults(), false, Runnable::run).sasl(),
          new Accounts(),
          disabling);
  private final List<Result> results = new ArrayList<>();

  private final class Accounts implements SaslRealm.Accounts {
    @Override
    public @Nullable Account find(Jid jid) {
      StoreException failure = fixture.storeFailure;
      if (failure != null) {
        throw failure;
      }
      return fixture.accounts.get(jid);
    }

    @Override
    public boolean isDisabled(Jid jid) {
      return disabling.isDisabled(jid);
    }

    @Override
    public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
      return false;
    }
  }

  private static Attempt attempt(String name, String password, String address) {
    try {
      return new Attempt(HOST, name, password, InetAddress.getByName(address));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(address, e);
    }
  }

  /// What an attempt is answered at once; null if it is not.
  private @Nullable Result login(String name, String password, String address) {
    int before = results.size();
    logins.check(attempt(name, password, address), results::add);
    return results.size() == before ? null : results.getLast();
  }

  private static Result refused(Reason reason) {
    return new Result.Refused(reason);
  }

  private String mark() {
    return String.valueOf(logins.mark(ROMEO));
  }

  @Test
  void thePasswordIsProved() {
    assertThat(login("Romeo", "secret", HOME)).isEqualTo(new Result.Proved(ROMEO, mark()));
    assertThat(login("romeo", "Secret", HOME)).isEqualTo(refused(Reason.WRONG));
    assertThat(login("nobody", "secret", HOME)).isEqualTo(refused(Reason.WRONG));
    assertThat(login("no@one", "secret", HOME)).isEqualTo(refused(Reason.WRONG));
    assertThat(logins.mark(Jid.of("nobody@example.org"))).isNull();
  }

  @Test
  void onlyTheOwnerLearnsThatAnAccountIsDisabled() {
    disabling.disable(ROMEO, new DisabledAccounts.Disabling(null, null, null));
    assertThat(login("romeo", "secret", HOME)).isEqualTo(refused(Reason.DISABLED));
    assertThat(login("romeo", "guess", HOME)).isEqualTo(refused(Reason.WRONG));
  }

  /// What has begun ends with the password, and when the account is disabled or created again.
  @Test
  void aMarkIsCurrentUntilSomethingChanges() {
    String mark = mark();
    assertThat(logins.isCurrent(ROMEO, mark)).isTrue();
    disabling.disable(ROMEO, new DisabledAccounts.Disabling(null, null, null));
    assertThat(logins.isCurrent(ROMEO, mark)).isFalse();
    disabling.enable(ROMEO);
    assertThat(logins.isCurrent(ROMEO, mark)).isFalse();

    String later = mark();
    assertThat(logins.isCurrent(ROMEO, later)).isTrue();
    fixture.accounts.put(
        ROMEO,
        new Account(ROMEO, Passwords.derive("secret", new SplittableRandom(1)), Instant.EPOCH));
    assertThat(logins.isCurrent(ROMEO, later)).isFalse();
    fixture.accounts.remove(ROMEO);
    assertThat(logins.isCurrent(ROMEO, later)).isFalse();
    assertThat(mark).doesNotContain("secret");
  }

  /// A client's new keys for another hash do not sign out its user's browser.
  @Test
  void aMarkStaysWhenKeysAreAdded() {
    String mark = mark();
    Account account = Objects.requireNonNull(fixture.accounts.get(ROMEO));
    List<ScramKeys> keys = new ArrayList<>(account.keys());
    keys.add(0, keys.removeLast());
    fixture.accounts.put(ROMEO, new Account(ROMEO, keys, account.created()));
    assertThat(logins.isCurrent(ROMEO, mark)).isTrue();
  }

  @Test
  void row41_aGuesserIsAnsweredLate() {
    for (int i = 0; i < 3; i++) {
      assertThat(login("romeo", "guess", ATTACKER)).isEqualTo(refused(Reason.WRONG));
    }
    assertThat(login("romeo", "secret", ATTACKER)).isNull();
    fixture.pass(Duration.ofMillis(499));
    assertThat(results).hasSize(3);
    fixture.pass(Duration.ofMillis(1));
    assertThat(results.getLast()).isEqualTo(new Result.Proved(ROMEO, mark()));
  }

  /// A thousand attempts of one address: some wait, the others cost nothing, and someone else signs
  /// in at once.
  @Test
  void row41_aFloodCostsBystandersNothing() {
    for (int i = 0; i < 1_000; i++) {
      logins.check(attempt("user" + i, "guess", ATTACKER), results::add);
    }
    assertThat(results.stream().filter(refused(Reason.TOO_MANY)::equals).count())
        .isGreaterThan(950);
    assertThat(fixture.timers.pending()).isLessThan(20);
    assertThat(login("romeo", "secret", HOME)).isEqualTo(new Result.Proved(ROMEO, mark()));
    fixture.pass(Duration.ofSeconds(60));
    assertThat(results).hasSize(1_001);
  }

  @Test
  void aStoreThatFailsIsSaid() {
    fixture.storeFailure = new StoreException(StoreException.Category.UNAVAILABLE, "away", null);
    assertThat(login("romeo", "secret", HOME)).isEqualTo(refused(Reason.UNAVAILABLE));
  }

  @Test
  void row97_failuresAreLoggedAsThoseOfClientsWithoutThePassword() {
    Logger log = (Logger) LoggerFactory.getLogger(PageLogins.class);
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    log.setLevel(Level.INFO);
    log.addAppender(events);
    try {
      login("romeo", "s3cret", ATTACKER);
    } finally {
      log.detachAppender(events);
      log.setLevel(null);
    }
    assertThat(events.list)
        .singleElement()
        .satisfies(event -> {
          assertThat(event.getMessage()).isEqualTo("sasl_failed");
          assertThat(event.getKeyValuePairs().toString())
              .contains("account=\"romeo@example.org\"", "address=\"" + ATTACKER + "\"")
              .doesNotContain("s3cret");
        });
    assertThat(attempt("romeo", "s3cret", HOME).toString()).doesNotContain("s3cret");
  }
}
