package im.zonda.provider.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.SqlAccounts.Hash;
import im.zonda.provider.sql.ForumDatabase.Forum;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Accounts of a forum on real databases.
@ParameterizedClass
@MethodSource("im.zonda.provider.sql.ForumDatabase#tested")
@Timeout(180)
class SqlProviderTest {
  private static final String HOST = "a.example";
  private static final String PASSWORD = "correct horse";
  private static final String BCRYPT =
      "$2y$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2";
  private static final String SCRAM =
      "SCRAM-SHA-1$4096:MDEyMzQ1Njc4OWFiY2RlZg==$ZcTV6pyd/r9JK8UiqK8SYprZtwM="
          + ":4xmTSuCMIKSTdf96/8iTJCUJtPk=";
  private static final String SCRAM_PASSWORD = "Grüße, π & \"q'";
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final ForumDatabase kind;
  @TempDir Path folder;
  private Forum forum;
  private @Nullable SqlProvider provider;

  SqlProviderTest(ForumDatabase kind) {
    this.kind = kind;
  }

  @BeforeEach
  void create() throws Exception {
    forum = kind.create(folder);
  }

  @AfterEach
  void close() {
    if (provider != null) {
      provider.close();
    }
  }

  private SqlProvider provider(String query, Hash hash, @Nullable String groups) {
    close();
    SqlProvider made = SqlProvider.of(forum.settings(query, hash, groups), LIMIT);
    provider = made;
    return made;
  }

  private SqlProvider provider() {
    return provider(Forum.QUERY, Hash.AUTO, null);
  }

  private static PasswordQuestion question(String local, String password) {
    return new PasswordQuestion(HOST, local, password, null, "PLAIN");
  }

  private static Verdict check(SqlProvider provider, String local, String password)
      throws Exception {
    return provider.checkPassword(question(local, password));
  }

  private void member(String name, String hash) throws Exception {
    forum.execute("insert into member (name, hash) values ('" + name + "', '" + hash + "')");
  }

  @Test
  void theRightPasswordGivesTheAccount() throws Exception {
    forum.execute(
        "insert into member values ('juliet', '"
            + BCRYPT
            + "', '17', '0', 'j@b.example', 'Juliet')");
    SqlProvider accounts = provider();
    ProvidedAccount juliet = new ProvidedAccount("juliet", "17", false, "Juliet", "j@b.example");
    assertThat(check(accounts, "juliet", PASSWORD)).isEqualTo(new Verdict.Accepted(juliet));
    assertThat(check(accounts, "juliet", "wrong")).isEqualTo(new Verdict.Wrong("password"));
    assertThat(check(accounts, "juliet", "")).isEqualTo(new Verdict.Wrong("password"));
    assertThat(check(accounts, "romeo", PASSWORD)).isEqualTo(Verdict.UNKNOWN);
    assertThat(accounts.find(HOST, "juliet")).isEqualTo(new Verdict.Accepted(juliet));
    assertThat(accounts.find(HOST, "romeo")).isEqualTo(Verdict.UNKNOWN);
    assertThat(accounts.abilities()).isEqualTo(Set.of(Ability.PASSWORD, Ability.FIND));
    assertThat(accounts.keys(HOST, "juliet")).isEmpty();
    assertThat(accounts.groups(HOST)).isEmpty();
  }

  @Test
  void aDisabledAccountIsSaidToBe() throws Exception {
    forum.execute(
        "insert into member (name, hash, off) values ('juliet', '" + BCRYPT + "', 'true')",
        "insert into member (name, hash, off) values ('nurse', '" + BCRYPT + "', 'perhaps')");
    SqlProvider accounts = provider();
    assertThat(check(accounts, "juliet", PASSWORD))
        .isEqualTo(new Verdict.Accepted(new ProvidedAccount("juliet", null, true, null, null)));
    assertThatThrownBy(() -> check(accounts, "nurse", PASSWORD))
        .isInstanceOf(ProviderException.class)
        .hasMessage("the column disabled has a value that is no truth");
  }

  @Test
  void namesAreNeverPartOfTheQuery() throws Exception {
    member("juliet", BCRYPT);
    SqlProvider accounts = provider();
    for (String name :
        List.of(
            "' or '1'='1",
            "x' or name = 'juliet",
            "juliet' --",
            "juliet'/*",
            "'; drop table member; --",
            "\\' or 1=1 #",
            "juliet\\",
            "%",
            "jul_et",
            ":local",
            "?",
            "$$juliet$$",
            "juliet\0",
            "x".repeat(1_023))) {
      assertThat(check(accounts, name, PASSWORD)).as(name).isEqualTo(Verdict.UNKNOWN);
      assertThat(accounts.find(HOST, name)).as(name).isEqualTo(Verdict.UNKNOWN);
    }
    assertThat(check(accounts, "juliet", "' or '1'='1")).isInstanceOf(Verdict.Wrong.class);
    assertThat(check(accounts, "juliet", BCRYPT)).isInstanceOf(Verdict.Wrong.class);
    assertThat(check(accounts, "juliet", PASSWORD)).isInstanceOf(Verdict.Accepted.class);
  }

  /// A query of an operator does not change the table, and neither does a hole in it.
  @Test
  void nothingIsWritten() throws Exception {
    member("juliet", BCRYPT);
    SqlProvider accounts =
        provider(
            "insert into member (name, hash) values (:local, 'x') returning hash as password",
            Hash.PLAIN,
            null);
    assertThatThrownBy(() -> check(accounts, "romeo", "x")).isInstanceOf(ProviderException.class);
    assertThat(provider().find(HOST, "romeo")).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void twoRowsAreNoAccount() throws Exception {
    member("juliet", BCRYPT);
    member("juliet", BCRYPT);
    SqlProvider accounts = provider();
    assertThat(check(accounts, "juliet", PASSWORD))
        .isEqualTo(new Verdict.Wrong("the query finds more than one row for the account"));
    assertThatThrownBy(() -> accounts.find(HOST, "juliet")).isInstanceOf(ProviderException.class);
    SqlProvider all = provider("select hash as password from member", Hash.AUTO, null);
    assertThat(check(all, "anyone", PASSWORD)).isInstanceOf(Verdict.Wrong.class);
  }

  @Test
  void anAccountWithoutAPasswordAcceptsNone() throws Exception {
    forum.execute("insert into member (name) values ('juliet')");
    member("nurse", "");
    member("tybalt", "!unusable");
    SqlProvider accounts = provider();
    for (String name : List.of("juliet", "nurse", "tybalt")) {
      for (String password : List.of("", "null", "!unusable", PASSWORD)) {
        assertThat(check(accounts, name, password)).isInstanceOf(Verdict.Wrong.class);
      }
    }
    SqlProvider plain = provider(Forum.QUERY, Hash.PLAIN, null);
    assertThat(check(plain, "juliet", "null")).isInstanceOf(Verdict.Wrong.class);
    assertThat(check(plain, "nurse", "")).isInstanceOf(Verdict.Wrong.class);
  }

  @Test
  void hugeValuesAreCutOrRefused() throws Exception {
    String huge = "x".repeat(60_000);
    forum.execute(
        "insert into member (name, hash, mail) values ('juliet', '" + BCRYPT + "', '" + huge + "')",
        "insert into member (name, hash) values ('nurse', '" + huge + "')",
        "insert into member (name, hash, uid) values ('tybalt', '"
            + BCRYPT
            + "', '"
            + "x".repeat(600)
            + "')");
    SqlProvider accounts = provider();
    assertThat(check(accounts, "juliet", PASSWORD))
        .isInstanceOfSatisfying(
            Verdict.Accepted.class,
            accepted -> assertThat(accepted.account().email()).hasSize(512));
    assertThat(check(accounts, "nurse", huge)).isInstanceOf(Verdict.Wrong.class);
    assertThatThrownBy(() -> check(accounts, "tybalt", PASSWORD))
        .isInstanceOf(ProviderException.class)
        .hasMessage("the column id has a value that is too long");
  }

  @Test
  void aQueryThatIsWrongIsExplained() throws Exception {
    member("juliet", BCRYPT);
    assertThatThrownBy(() ->
            check(
                provider("select hash from member where name = :local", Hash.AUTO, null),
                "juliet",
                PASSWORD))
        .isInstanceOf(ProviderException.class)
        .hasMessage("the result of the query has no column named password");
    assertThatThrownBy(
            () -> check(provider("select x as password from nothing", Hash.AUTO, null), "a", "b"))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("nothing")
        .hasNoCause();
    assertThatThrownBy(() -> provider("select :user", Hash.AUTO, null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /// Many a database compares without regard to accents, case or spaces at the end.
  @Test
  void anAccountIsNotThatOfAnotherName() throws Exception {
    member("juliet", BCRYPT);
    SqlProvider accounts =
        provider(
            "select hash as password, name as local from member where lower(name) ="
                + " substr(:local, 1, 6)",
            Hash.AUTO,
            null);
    assertThat(check(accounts, "juliet", PASSWORD)).isInstanceOf(Verdict.Accepted.class);
    assertThat(check(accounts, "juliet2", PASSWORD)).isEqualTo(Verdict.UNKNOWN);
    assertThat(accounts.find(HOST, "juliet2")).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void scramKeysAreGivenWhereAllAccountsHaveThem() throws Exception {
    member("juliet", SCRAM);
    member("nurse", BCRYPT);
    SqlProvider accounts = provider(Forum.QUERY, Hash.SCRAM, null);
    assertThat(accounts.abilities()).contains(Ability.SCRAM_KEYS);
    assertThat(accounts.keys(HOST, "juliet"))
        .singleElement()
        .satisfies(keys -> {
          assertThat(keys.hash()).isEqualTo("SHA-1");
          assertThat(keys.iterations()).isEqualTo(4_096);
          assertThat(keys.salt()).isEqualTo("0123456789abcdef".getBytes(StandardCharsets.UTF_8));
        });
    assertThat(accounts.keys(HOST, "nurse")).isEmpty();
    assertThat(accounts.keys(HOST, "romeo")).isEmpty();
    assertThat(check(accounts, "juliet", SCRAM_PASSWORD)).isInstanceOf(Verdict.Accepted.class);
  }

  @Test
  void keysInColumnsOfTheirOwnAreTaken() throws Exception {
    member("juliet", "ZcTV6pyd/r9JK8UiqK8SYprZtwM=");
    String columns =
        "select hash as password, '4xmTSuCMIKSTdf96/8iTJCUJtPk=' as serverkey,"
            + " 'MDEyMzQ1Njc4OWFiY2RlZg==' as salt, %s as iterationcount from member"
            + " where name = :local";
    SqlProvider accounts = provider(columns.formatted("4096"), Hash.SCRAM, null);
    assertThat(check(accounts, "juliet", SCRAM_PASSWORD)).isInstanceOf(Verdict.Accepted.class);
    assertThat(check(accounts, "juliet", PASSWORD)).isInstanceOf(Verdict.Wrong.class);
    assertThat(accounts.keys(HOST, "juliet")).hasSize(1);
    assertThat(check(provider(columns.formatted("'x'"), Hash.SCRAM, null), "juliet", "x"))
        .isInstanceOf(Verdict.Wrong.class);
  }

  @Test
  void groupsHaveTheMembersThatTheHostCanHave() throws Exception {
    forum.execute(
        "insert into team values ('1', 'Capulets', 'Juliet')",
        "insert into team values ('1', 'Capulets', 'nurse@a.example')",
        "insert into team values ('1', 'Capulets', 'romeo@b.example')",
        "insert into team values ('1', 'Capulets', 'not a name')",
        "insert into team values ('2', 'Empty', null)",
        "insert into team values (null, 'None', 'juliet')");
    SqlProvider accounts =
        provider(Forum.QUERY, Hash.AUTO, "select id, name, member from team order by id");
    assertThat(accounts.abilities()).contains(Ability.GROUPS);
    assertThat(accounts.groups(HOST))
        .containsExactlyInAnyOrder(
            new ProvidedGroup("1", "Capulets", Set.of("juliet", "nurse")),
            new ProvidedGroup("2", "Empty", Set.of()));
    SqlProvider wrong = provider(Forum.QUERY, Hash.AUTO, "select id, name from team");
    assertThatThrownBy(() -> wrong.groups(HOST))
        .isInstanceOf(ProviderException.class)
        .hasMessage("the result of the query for groups has no column named member");
  }

  @Test
  void aTrialSaysWhatIsWrong() throws Exception {
    member("juliet", BCRYPT);
    member("tybalt", "!unusable");
    SqlProvider accounts = provider();
    assertThat(accounts.test(question("juliet", PASSWORD)))
        .extracting(TestStep::name, TestStep::ok)
        .containsExactly(tuple("connect", true), tuple("query", true), tuple("password", true));
    assertThat(accounts.test(question("juliet", "x")).getLast())
        .extracting(TestStep::name, TestStep::ok, TestStep::text)
        .containsExactly("password", false, "wrong");
    assertThat(accounts.test(question("romeo", "x")).getLast().text())
        .isEqualTo("the query finds no row for the account");
    assertThat(accounts.test(question("tybalt", "x")).getLast().text())
        .isEqualTo("the stored password has no form that is known");
    assertThat(provider("select x from nothing", Hash.AUTO, null).test(question("a", "b")))
        .extracting(TestStep::ok)
        .containsExactly(true, false);
  }
}
