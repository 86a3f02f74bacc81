package im.zonda.app.users;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class AccountImportTest {
  private static final Jid KNOWN = Jid.of("e@a.example");
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private final MemoryStores stores = new MemoryStores(InstantSource.fixed(NOW));
  private final AccountStore accounts = stores.accounts();
  private final AccountImport importer =
      new AccountImport(
          jid -> jid.equals(KNOWN), accounts::create, InstantSource.fixed(NOW), new SecureRandom());

  @Test
  void validAccountsAreCreatedAndTheOthersReported() {
    Jid taken = Jid.of("b@a.example");
    accounts.create(List.of(new Account(taken, List.of(), NOW)));
    List<Integer> progress = new ArrayList<>();
    AccountImport.Outcome outcome =
        importer.create(
            List.of(
                new AccountList.Row(1, Jid.of("a@a.example"), "secret"),
                new AccountList.Row(2, taken, "secret"),
                new AccountList.Row(3, Jid.of("c@a.example"), ""),
                new AccountList.Row(8, KNOWN, "secret"),
                new AccountList.Row(9, Jid.of("d@a.example"), "other")),
            progress::add);
    assertThat(outcome.created()).containsExactly(Jid.of("a@a.example"), Jid.of("d@a.example"));
    assertThat(outcome.problems())
        .extracting(Object::toString)
        .containsExactly(
            "line 3: c@a.example: a password must not be empty",
            "line 8: e@a.example already exists, or an invitation has reserved the name",
            "line 2: b@a.example already exists, or an invitation has reserved the name");
    assertThat(progress).containsExactly(5);
    Account made = Objects.requireNonNull(accounts.find(Jid.of("a@a.example")));
    assertThat(made.created()).isEqualTo(NOW);
    assertThat(Passwords.matches(made, "secret")).isTrue();
    assertThat(Passwords.matches(made, "other")).isFalse();
  }
}
