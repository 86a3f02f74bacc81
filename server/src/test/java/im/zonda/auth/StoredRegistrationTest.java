package im.zonda.auth;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.AccountRegistration.Result;
import im.zonda.account.PasswordProblem;
import im.zonda.auth.provider.TestChains;
import im.zonda.jid.Jid;
import im.zonda.runtime.TestRuntime;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredRegistrationTest {
  private static final Jid BILL = Jid.of("bill@example.org");
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final InstantSource clock = InstantSource.fixed(NOW);
  private final AccountStore accounts = new MemoryStores(clock).accounts();
  private final StoredRegistration registration =
      new StoredRegistration(
          accounts,
          new TestRuntime().clock(clock).build(),
          _ -> false,
          _ -> new PasswordRules(8),
          TestChains.own(accounts, clock),
          accounts::remove);

  private Account bill() {
    return Objects.requireNonNull(accounts.find(BILL));
  }

  @Test
  void anAccountIsCreatedWithTheKeysOfItsPassword() {
    assertThat(registration.create(BILL, "Calliope")).isEqualTo(new Result.Done());
    assertThat(Passwords.matches(bill(), "Calliope")).isTrue();
    assertThat(Passwords.matches(bill(), "calliope")).isFalse();
    assertThat(bill().created()).isEqualTo(NOW);
  }

  @Test
  void anAddressThatIsTakenKeepsItsPassword() {
    registration.create(BILL, "Calliope");
    assertThat(registration.create(BILL, "other")).isEqualTo(new Result.AddressTaken());
    assertThat(Passwords.matches(bill(), "Calliope")).isTrue();
  }

  @Test
  void thePasswordIsChanged() {
    registration.create(BILL, "Calliope");
    assertThat(registration.changePassword(BILL, "Melpomene")).isEqualTo(new Result.Done());
    assertThat(Passwords.matches(bill(), "Melpomene")).isTrue();
    assertThat(Passwords.matches(bill(), "Calliope")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s3cret\n"})
  void anInvalidPasswordChangesNothingAndIsNotRepeated(String password) {
    assertThat(registration.create(BILL, password))
        .isInstanceOfSatisfying(
            Result.InvalidPassword.class,
            invalid -> assertThat(invalid.reason()).doesNotContain("s3cret"));
    assertThat(accounts.find(BILL)).isNull();
    registration.create(BILL, "Calliope");
    assertThat(registration.changePassword(BILL, password))
        .isInstanceOf(Result.InvalidPassword.class);
    assertThat(Passwords.matches(bill(), "Calliope")).isTrue();
  }

  /// The rules are for those who choose a password for themselves.
  @Test
  void anAdministratorGivesAnyPassword() {
    assertThat(registration.create(BILL, "secret"))
        .isInstanceOfSatisfying(
            Result.InvalidPassword.class,
            invalid -> assertThat(invalid.problem()).isEqualTo(PasswordProblem.TOO_SHORT));
    assertThat(registration.add(BILL, "secret")).isEqualTo(new Result.Done());
    assertThat(registration.changePassword(BILL, "password1"))
        .isInstanceOfSatisfying(
            Result.InvalidPassword.class,
            invalid -> assertThat(invalid.problem()).isEqualTo(PasswordProblem.COMMON));
    assertThat(registration.setPassword(BILL, "password1")).isEqualTo(new Result.Done());
    assertThat(Passwords.matches(bill(), "password1")).isTrue();
    assertThat(registration.setPassword(BILL, "")).isInstanceOf(Result.InvalidPassword.class);
  }

  @Test
  void anAccountIsRemovedOnce() {
    registration.create(BILL, "Calliope");
    assertThat(registration.remove(BILL)).isEqualTo(new Result.Done());
    assertThat(registration.remove(BILL)).isEqualTo(new Result.NoAccount());
    assertThat(registration.changePassword(BILL, "Melpomene")).isEqualTo(new Result.NoAccount());
  }
}
