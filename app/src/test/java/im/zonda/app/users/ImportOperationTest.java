package im.zonda.app.users;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.users.ImportOperation.Wrong;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.operation.AuditTrail;
import im.zonda.operation.Caller;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Job;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Secret;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ImportOperationTest {
  private static final String HOST = "a.example";
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-28T12:00:00Z"));

  private final AccountStore accounts = new MemoryStores(CLOCK).accounts();
  private final Offer<?, ?> offer =
      new ImportOperation(
              accounts,
              new AccountImport(
                  jid -> accounts.find(jid) != null, accounts::create, CLOCK, new SecureRandom()))
          .offer();
  private final List<AuditTrail.Entry> audit = new ArrayList<>();
  private final Jobs jobs = new Jobs(CLOCK, () -> "job", Runnable::run);
  private final OperationExecutor operations =
      new OperationExecutor(
          new OperationExecutor.Parts(
              new Catalogue() {
                @Override
                public List<Operation<?, ?>> operations() {
                  return List.of(ImportOperation.IMPORT);
                }

                @Override
                public Offer<?, ?> find(String name, @Nullable String host) {
                  return offer;
                }

                @Override
                public @Nullable String hostOf(String domain) {
                  return domain.equals(HOST) ? HOST : null;
                }
              },
              audit::add,
              Object::toString,
              CLOCK,
              Runnable::run,
              jobs));

  private Outcome<ImportOperation.Checked> run(boolean dryRun, String... lines) {
    return operations.run(
        Caller.owner("root"),
        ImportOperation.IMPORT,
        new ImportOperation.Wanted(HOST, Arrays.stream(lines).map(Secret::new).toList(), dryRun));
  }

  @Test
  void aListIsCheckedFirst() {
    Jid taken = Jid.of("b@a.example");
    accounts.create(List.of(new Account(taken, List.of(), CLOCK.instant())));
    assertThat(run(true, "a,secret1", "b,secret2", "c", "d@b.example,secret4"))
        .isEqualTo(
            Outcome.done(
                new ImportOperation.Checked(
                    1,
                    List.of(
                        new Wrong(3, "c@a.example has no password; expected user,password"),
                        new Wrong(
                            4, "b.example is not a host of this server; its hosts are a.example"),
                        new Wrong(2, "b@a.example already exists")))));
    assertThat(accounts.count(HOST)).isEqualTo(1);
  }

  @Test
  void aListWithMistakesAddsNobody() {
    assertThat(run(false, "a,secret1", "c")).isInstanceOf(Outcome.Refused.class);
    assertThat(accounts.count(HOST)).isZero();
  }

  @Test
  void aShortListIsDoneAtOnceAndSaysWhatBecameOfEachLine() {
    Jid taken = Jid.of("b@a.example");
    accounts.create(List.of(new Account(taken, List.of(), CLOCK.instant())));
    assertThat(run(false, "a,secret1", "b,secret2"))
        .isEqualTo(
            Outcome.done(
                new ImportOperation.Checked(
                    1,
                    List.of(
                        new Wrong(
                            2,
                            "b@a.example already exists, or an invitation has reserved the"
                                + " name")))));
    assertThat(jobs.list()).isEmpty();
    assertThat(audit)
        .singleElement()
        .extracting(AuditTrail.Entry::detail)
        .asString()
        .contains("what=account, before=null, after=a@a.example")
        .doesNotContain("after=b@");
  }

  @Test
  void aPasswordIsAsLongAsItMayBe() {
    String longest = "x".repeat(Passwords.MAX_BYTES);
    assertThat(run(false, "a," + longest)).isInstanceOf(Outcome.Done.class);
    Account made = Objects.requireNonNull(accounts.find(Jid.of("a@a.example")));
    assertThat(Passwords.matches(made, longest)).isTrue();
    assertThat(run(false, "b," + longest + "x"))
        .isEqualTo(
            Outcome.invalid(
                "accounts",
                "Nothing was created. line 1: a password may have at most 1024 bytes of UTF-8"));
  }

  @Test
  void accountsAreCreatedAsAJobAndPasswordsAreNotWritten() {
    List<String> lines = new ArrayList<>(List.of("a,secret1", "b@a.example,\"sec,ret2\""));
    for (int i = lines.size(); i <= ImportOperation.AT_ONCE; i++) {
      lines.add("user" + i + ",secret1");
    }
    assertThat(run(false, lines.toArray(String[]::new))).isInstanceOf(Outcome.Started.class);
    Job job = Objects.requireNonNull(jobs.find("job"));
    assertThat(job.text()).isEqualTo("21 accounts were created.");
    assertThat(job.done()).isEqualTo(21);
    Account made = Objects.requireNonNull(accounts.find(Jid.of("b@a.example")));
    assertThat(Passwords.matches(made, "sec,ret2")).isTrue();
    assertThat(audit).as("its begin and its end").hasSize(2);
    assertThat(audit.toString()).doesNotContain("secret1").doesNotContain("ret2");
  }
}
