package im.zonda.storage.sql.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.InterceptedConnections;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.copy.CopyListener.Step;
import im.zonda.storage.sql.database.CopyMark;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Copies from each kind of database, and to each.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.copy.DatabasePair#sampled")
@Timeout(300)
class DatabaseCopyTest {
  private static final PortionSize SMALL = new PortionSize(5, 4_000);
  private static final CopyListener NOBODY = (step, table, done, all) -> {};

  private final TestDatabase from;
  private final TestDatabase to;
  @TempDir Path folder;
  private Path source = Path.of("");
  private Path target = Path.of("");

  DatabaseCopyTest(DatabasePair pair) {
    from = pair.from();
    to = pair.to();
  }

  @BeforeEach
  void fill() throws IOException, SQLException {
    source = Files.createDirectory(folder.resolve("source"));
    target = Files.createDirectory(folder.resolve("target"));
    FilledStores.fill(from, source);
  }

  private DatabaseCopy.Result copy(CopyListener listener) {
    return new DatabaseCopy(from.dialect(source), to.dialect(target), SMALL, listener).run();
  }

  private StoreException refusal() {
    StoreException refusal = catchThrowableOfType(StoreException.class, () -> copy(NOBODY));
    assertThat(refusal).as("nothing is wrong").isNotNull();
    assertThat(refusal.getMessage()).doesNotContain("\n").doesNotContain("secret");
    return refusal;
  }

  private static String show(TestDatabase database, Path folder) {
    try (SqlStores stores = FilledStores.open(database, folder)) {
      return FilledStores.show(stores);
    }
  }

  @Test
  void theStoresOfTheCopyShowTheSame() {
    List<Long> steps = new ArrayList<>();
    DatabaseCopy.Result result =
        copy((step, table, done, all) -> steps.add(step == Step.COPY ? done : 0));
    assertThat(result.copied()).isEqualTo(result.rows()).isGreaterThan(80);
    assertThat(steps).contains(result.rows()).doesNotContain(result.rows() + 1);
    String shown = show(from, source);
    assertThat(shown).contains("corrected").contains("waits ").contains("found word7");
    assertThat(show(to, target)).isEqualTo(shown);
    // Everything works on it, and once more when it is opened again.
    try (SqlStores stores = FilledStores.open(to, target)) {
      long before = stores.messages().nextId();
      stores.accounts().create(List.of(StoresContract.account(FilledStores.GARDEN)));
      stores.accounts().remove(FilledStores.ROMEO);
      assertThat(stores.messages().nextId()).isGreaterThan(before);
    }
    assertThat(show(to, target)).doesNotContain("account romeo@").contains("account juliet@");
  }

  @Test
  void aCopyOfTheCopyIsTheSame() throws IOException {
    copy(NOBODY);
    Path third = Files.createDirectory(folder.resolve("third"));
    new DatabaseCopy(to.dialect(target), from.dialect(third), PortionSize.USUAL, NOBODY).run();
    assertThat(show(from, third)).isEqualTo(show(from, source));
  }

  @Test
  void idsOfOwnersAreKeptAndNeverIssuedTwice() throws SQLException {
    String highest = "select max(id) from account";
    long removed = from.number(source, highest) + 1; // the account that was removed had it
    copy(NOBODY);
    assertThat(to.number(target, highest)).isEqualTo(removed - 1);
    try (SqlStores stores = FilledStores.open(to, target)) {
      stores.accounts().create(List.of(StoresContract.account(Jid.of("new@example.net"))));
    }
    assertThat(to.number(target, highest)).isGreaterThan(removed);
  }

  @Test
  void idsOfMessagesContinueAfterThoseOfTheSource() throws SQLException {
    from.execute(source, "update message_id set next = 4000000000000000");
    copy(NOBODY);
    try (SqlStores stores = FilledStores.open(to, target)) {
      assertThat(stores.messages().nextId()).isGreaterThanOrEqualTo(4_000_000_000_000_000L);
    }
  }

  /// Every transaction of the copy fails once.
  @Test
  void itContinuesAfterAFailureOfEachPortion() throws SQLException {
    int failures = 0;
    boolean complete = false;
    while (!complete) {
      FailingCommit connections = new FailingCommit();
      try {
        new DatabaseCopy(
                from.dialect(source), to.dialect(target, connections.proxies()), SMALL, NOBODY)
            .run();
        complete = true;
      } catch (StoreException e) {
        failures++;
        assertThat(e).hasMessageContaining("the test's");
        if (failures == 20) { // after the migrations
          assertThatThrownBy(() -> show(to, target))
              .hasMessageContaining("is an unfinished copy of " + from.dialect(source).name())
              .hasMessageContaining("'zonda database copy'");
        }
      }
    }
    assertThat(failures).isGreaterThan(20);
    assertThat(to.number(target, "select count(*) from zonda_copy where complete = 1"))
        .isEqualTo(CopiedTables.ALL.size() + 1);
    assertThat(show(to, target)).isEqualTo(show(from, source));
  }

  /// Lets one transaction that writes succeed.
  private final class FailingCommit {
    private boolean wrote;
    private int commits;

    InterceptedConnections proxies() {
      InterceptedConnections proxies = new InterceptedConnections();
      proxies.before(call -> {
        if (call.equals("executeUpdate")) {
          wrote = true;
        } else if (call.equals("commit") && wrote) {
          wrote = false;
          if (++commits == 2) {
            throw to.failure(TestDatabase.Fault.WRITE, "the test's");
          }
        }
      });
      return proxies;
    }
  }

  @Test
  void aCompleteCopyIsVerifiedAgain() {
    DatabaseCopy.Result first = copy(NOBODY);
    DatabaseCopy.Result again = copy(NOBODY);
    assertThat(again.copied()).isZero();
    assertThat(again.rows()).isEqualTo(first.rows());
  }

  private void changeBeforeVerifying(String sql) {
    assertThatThrownBy(() ->
            copy((step, table, done, all) -> {
              if (step == Step.VERIFY) {
                throw new IllegalStateException("the test's");
              }
            }))
        .hasMessage("the test's");
    try {
      to.execute(target, sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aMissingRowIsFound() {
    changeBeforeVerifying("delete from roster_item where jid = 'contact3@example.org'");
    assertThat(refusal())
        .hasMessageContaining("the copy is wrong: table roster_item has 12 rows instead of 14");
    assertThatThrownBy(() -> show(to, target)).hasMessageContaining("unfinished copy");
  }

  @Test
  void aDifferentValueIsFound() {
    changeBeforeVerifying("update roster_item set name = '' where name is null");
    assertThat(refusal())
        .hasMessageContaining(
            "table roster_item has 14 rows as it should, but with different content");
  }

  @Test
  void aTargetThatIsNotEmptyIsNotChanged() {
    Path other = target;
    try (SqlStores stores = FilledStores.open(to, other)) {
      stores.accounts().create(List.of(StoresContract.account(FilledStores.ROMEO)));
    }
    String before = show(to, other);
    assertThat(refusal()).hasMessageContaining("is not empty (table account)");
    assertThat(show(to, other)).isEqualTo(before);
  }

  @Test
  void aTargetThatAServerHasUsedButIsEmptyCanBeUsed() {
    FilledStores.open(to, target).close();
    copy(NOBODY);
    assertThat(show(to, target)).isEqualTo(show(from, source));
  }

  @Test
  void aSourceThatWasUsedSinceIsReported() {
    changeBeforeVerifying("update zonda_copy set copied = copied");
    try (SqlStores stores = FilledStores.open(from, source)) {
      stores.messages().nextId();
    }
    assertThat(refusal())
        .hasMessageContaining("is a copy of " + from.dialect(source).name())
        .hasMessageContaining("that a server has used since");
  }

  @Test
  void aCopyOfAnotherDatabaseIsReported() throws SQLException {
    changeBeforeVerifying("update zonda_copy set source = 'elsewhere' where name = 'source'");
    assertThat(refusal()).hasMessageContaining("is a copy of elsewhere, not of ");
    assertThat(to.number(target, "select count(*) from zonda_copy where complete = 1"))
        .isEqualTo(CopiedTables.ALL.size());
  }

  @Test
  void anUnfinishedCopyIsNotCopied() {
    changeBeforeVerifying("update zonda_copy set copied = copied");
    assertThatThrownBy(() ->
            new DatabaseCopy(
                    to.dialect(target),
                    from.dialect(folder.resolve("third")),
                    PortionSize.USUAL,
                    NOBODY)
                .run())
        .hasMessageContaining("is an unfinished copy of ");
  }

  @Test
  void theTableOfTheCopyIsRemovedByTheFirstServer() throws SQLException {
    copy(NOBODY);
    assertThat(to.number(target, "select count(*) from " + CopyMark.TABLE)).isPositive();
    FilledStores.open(to, target).close();
    assertThatThrownBy(() -> to.number(target, "select count(*) from " + CopyMark.TABLE))
        .isInstanceOf(SQLException.class);
    assertThat(refusal()).hasMessageContaining("is not empty");
  }
}
