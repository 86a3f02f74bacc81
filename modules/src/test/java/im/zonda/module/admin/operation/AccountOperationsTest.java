package im.zonda.module.admin.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.DisabledAccounts.Disabling;
import im.zonda.jid.Jid;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.admin.operation.AccountLists.State;
import im.zonda.module.admin.operation.AccountOperations.Chosen;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestRegistration;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccountOperationsTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid NOBODY = Jid.of("nobody@example.org");

  private final TestContext context = new TestContext();
  private final TestOperations operations = context.operations();
  private final TestSession romeo;

  AccountOperationsTest() {
    DiscoModule disco = new DiscoModule();
    context.install(disco, new AdminModule(disco)).answerRequests();
    romeo = context.bind("romeo@example.org/orchard");
  }

  private AccountOperations.Shown show() {
    return operations.done(AccountOperations.SHOW, new Chosen(ROMEO));
  }

  private static AccountOperations.New account(Jid address, String password) {
    return new AccountOperations.New(address, new Secret(password), null, null, null);
  }

  @Test
  void anAccountIsShown() {
    AccountOperations.Shown shown = show();
    assertThat(shown.account()).isEqualTo(ROMEO);
    assertThat(shown.disabled()).isFalse();
    assertThat(shown.lastLogin()).isEqualTo(context.clock().instant());
    assertThat(shown.resources()).containsExactly("orchard");
    assertThat(operations.refused(AccountOperations.SHOW, new Chosen(NOBODY)))
        .isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void anAccountIsCreatedOnce() {
    operations.done(AccountOperations.CREATE, account(NOBODY, "s3cret"));
    assertThat(context.stores().registration().password(NOBODY)).isEqualTo("s3cret");
    assertThat(operations.changes()).containsExactly("account: null -> " + NOBODY);
    assertThat(operations.refused(AccountOperations.CREATE, account(NOBODY, "other")))
        .isEqualTo(Reason.CONFLICT);
    for (String wrong : List.of("example.org", "a@example.org/x", "a@rooms.example.org")) {
      assertThat(operations.refused(AccountOperations.CREATE, account(Jid.of(wrong), "s3cret")))
          .as(wrong)
          .isEqualTo(Reason.INVALID);
    }
    String tooLong = "x".repeat(TestRegistration.MAX_LENGTH + 1);
    assertThat(operations.refused(AccountOperations.CREATE, account(Jid.of("a@b"), tooLong)))
        .isEqualTo(Reason.INVALID);
  }

  @Test
  void whatCannotBeStoredOfThePersonIsSaid() {
    AccountOperations.New named =
        new AccountOperations.New(NOBODY, new Secret("s3cret"), "a@b.example", null, null);
    // No module of this host keeps vCards.
    assertThat(operations.run(TestOperations.OWNER, AccountOperations.CREATE, named))
        .isInstanceOf(Outcome.Partly.class);
  }

  @Test
  void aPasswordIsSetAndNeverNoted() {
    operations.done(
        AccountOperations.PASSWORD,
        new AccountOperations.NewPassword(ROMEO, new Secret("n3w-one")));
    assertThat(context.stores().registration().password(ROMEO)).isEqualTo("n3w-one");
    assertThat(operations.changes().toString()).doesNotContain("n3w-one");
    assertThat(
            operations.refused(
                AccountOperations.PASSWORD,
                new AccountOperations.NewPassword(NOBODY, new Secret("n3w-one"))))
        .isEqualTo(Reason.NOT_FOUND);
  }

  private static AccountOperations.Disabled disabled(@Nullable Instant until) {
    return new AccountOperations.Disabled(ROMEO, "Spam", until);
  }

  @Test
  void aDisabledAccountHasAReasonAndAnEnd() {
    Instant now = context.clock().instant();
    Instant until = now.plus(Duration.ofHours(1));
    operations.done(AccountOperations.DISABLE, disabled(until));
    assertThat(context.home(ROMEO).sessions()).isEmpty();
    assertThat(context.stores().administration().reasons)
        .containsEntry(ROMEO, new Disabling(now, until, "Spam"));
    AccountOperations.Shown shown = show();
    assertThat(shown.disabled()).isTrue();
    assertThat(shown.disabledSince()).isEqualTo(now);
    assertThat(shown.disabledUntil()).isEqualTo(until);
    assertThat(shown.disabledReason()).isEqualTo("Spam");
    operations.done(AccountOperations.ENABLE, new Chosen(ROMEO));
    assertThat(show().disabled()).isFalse();
    assertThat(operations.changes())
        .containsExactly("disabled: false -> true", "disabled: true -> false");
  }

  @Test
  void nobodyIsDisabledUntilATimeThatIsOver() {
    Instant now = context.clock().instant();
    assertThat(operations.refused(AccountOperations.DISABLE, disabled(now)))
        .isEqualTo(Reason.INVALID);
    assertThat(context.stores().administration().disabled).isEmpty();
  }

  @Test
  void anAdministratorDoesNotLockOutThemselves() {
    Caller self = new Caller(ROMEO.toString(), Caller.Via.ADHOC, null, Grant.ALL);
    assertThat(operations.run(self, AccountOperations.DISABLE, disabled(null)))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(operations.run(self, AccountOperations.REMOVE, new Chosen(ROMEO)))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(show().disabled()).isFalse();
  }

  @Test
  void aRemovedAccountIsForgotten() {
    operations.done(AccountOperations.REMOVE, new Chosen(romeo.jid()));
    assertThat(context.stores().accounts().find(ROMEO)).isNull();
    assertThat(context.forgotten()).contains(ROMEO);
    assertThat(operations.refused(AccountOperations.REMOVE, new Chosen(ROMEO)))
        .isEqualTo(Reason.NOT_FOUND);
  }

  // ---- lists

  private AccountLists.Found list(
      @Nullable String name, State state, @Nullable Jid after, int limit) {
    return operations.done(
        AccountLists.LIST, new AccountLists.Wanted("example.org", name, state, after, limit));
  }

  private List<Jid> all(@Nullable String name, State state, int limit) {
    List<Jid> all = new ArrayList<>();
    AccountLists.Found page = list(name, state, null, limit);
    all.addAll(page.accounts());
    while (page.next() != null) {
      page = list(name, state, page.next(), limit);
      assertThat(page.accounts()).hasSizeLessThanOrEqualTo(limit);
      all.addAll(page.accounts());
    }
    return all;
  }

  @Test
  void listsComeInPages() {
    List<Jid> names = new ArrayList<>();
    for (int i = 100; i < 130; i++) {
      Jid account = context.account("a" + i + "@example.org").jid();
      names.add(account);
      context.stores().administration().online.add(account);
      context.stores().administration().disabled.add(account);
    }
    assertThat(all(null, State.ONLINE, 7)).isEqualTo(names);
    assertThat(all(null, State.DISABLED, 10)).isEqualTo(names);
    assertThat(all(null, State.ANY, 30)).hasSize(31).startsWith(names.getFirst());
    assertThat(all("A12", State.ANY, 3)).isEqualTo(names.subList(20, 30));
    assertThat(all("29", State.ONLINE, 3)).isEqualTo(names.subList(29, 30));
    assertThat(all("nobody", State.ANY, 3)).isEmpty();
    assertThat(list(null, State.ANY, null, 31).next()).isNull();
    assertThat(list(null, State.ANY, null, 30).next()).isEqualTo(names.getLast());
  }

  @Test
  void accountsAreCounted() {
    context.stores().administration().disabled.add(ROMEO);
    assertThat(
            operations.done(AccountLists.COUNT, new AccountLists.Counted("example.org", State.ANY)))
        .isEqualTo(new AccountLists.Count(1, true));
    assertThat(
            operations.done(
                AccountLists.COUNT, new AccountLists.Counted("example.org", State.DISABLED)))
        .isEqualTo(new AccountLists.Count(1, true));
    assertThat(
            operations.done(
                AccountLists.COUNT, new AccountLists.Counted("example.org", State.ONLINE)))
        .isEqualTo(new AccountLists.Count(0, true));
  }
}
