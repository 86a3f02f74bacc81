package im.zonda.provider.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.SqlAccounts;
import im.zonda.config.accounts.SqlAccounts.Hash;
import im.zonda.testkit.database.DatabaseServer;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.database.MariadbServer;
import im.zonda.testkit.database.PostgresqlServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The database is slow, away, or lies.
@ParameterizedClass
@MethodSource("servers")
@Timeout(240)
class SqlOutageTest {
  private static final String HOST = "a.example";
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final List<DatabaseServer> SERVERS =
      Boolean.getBoolean("zonda.test.mariadb")
          ? List.of(PostgresqlServer.create(), MariadbServer.create())
          : List.of(PostgresqlServer.create());

  private final DatabaseServer server;
  private final boolean postgresql;
  private @Nullable SqlProvider provider;

  SqlOutageTest(DatabaseServer server) {
    this.server = server;
    this.postgresql = server instanceof PostgresqlServer;
  }

  static List<DatabaseServer> servers() {
    return SERVERS;
  }

  @AfterEach
  void close() {
    if (provider != null) {
      provider.close();
    }
  }

  @AfterAll
  static void end() {
    SERVERS.forEach(DatabaseServer::close);
  }

  private SqlProvider provider(String query, Duration limit, String password) {
    String database = postgresql ? "postgres" : "mysql";
    if (!postgresql) {
      grant();
    }
    SqlProvider made =
        SqlProvider.of(
            new SqlAccounts(
                server.url(database),
                DatabaseServer.USER,
                password,
                null,
                null,
                query,
                Hash.PLAIN,
                null,
                1),
            limit);
    provider = made;
    return made;
  }

  private void grant() {
    try (Connection connection = server.connect("mysql");
        Statement statement = connection.createStatement()) {
      statement.execute("grant select on mysql.* to zonda");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private SqlProvider provider(String query, Duration limit) {
    return provider(query, limit, DatabaseServer.PASSWORD);
  }

  private String sleep() {
    return postgresql
        ? "select case when :local = 'slow' then pg_sleep(600)::text else 'x' end as password"
        : "select if(:local = 'slow', concat(sleep(600), ''), 'x') as password";
  }

  private boolean sleeps() {
    String query =
        postgresql
            ? "select count(*) from pg_stat_activity where state = 'active' and usename = 'zonda'"
            : "select count(*) from information_schema.processlist where user = 'zonda' and"
                + " info like '%sleep%'";
    try (Connection connection = server.connect(postgresql ? "postgres" : "mysql");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() && row.getInt(1) > 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aSlowQueryEndsAndTheNextIsAnswered() throws Exception {
    SqlProvider accounts = provider(sleep(), SHORT);
    assertThatThrownBy(() -> accounts.find(HOST, "slow")).isInstanceOf(ProviderException.class);
    Eventually.await("the account is found", () -> isFound(accounts));
    assertThat(sleeps()).isFalse();
  }

  private static boolean isFound(SqlProvider accounts) {
    try {
      return accounts.find(HOST, "juliet") instanceof Verdict.Accepted;
    } catch (ProviderException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aQuestionThatIsInterruptedEnds() throws Exception {
    SqlProvider accounts = provider(sleep(), LONG);
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread asking =
        Thread.ofVirtual()
            .start(() -> {
              try {
                end.completeExceptionally(
                    new IllegalStateException(accounts.find(HOST, "slow").toString()));
              } catch (ProviderException | InterruptedException e) {
                end.complete(e);
              }
            });
    Eventually.await("the query runs", this::sleeps);
    asking.interrupt();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
    Eventually.await(
        "the account is found", () -> isFound(accounts)); // there is but one connection
  }

  @Test
  void aDatabaseThatWasKilledIsUsedAgain() throws Exception {
    SqlProvider accounts = provider(sleep(), SHORT);
    assertThat(isFound(accounts)).isTrue();
    server.kill();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> accounts.find(HOST, "juliet"))
          .isInstanceOf(ProviderException.class)
          .hasNoCause();
    }
    server.startAgain();
    Eventually.await("the account is found", () -> isFound(accounts));
  }

  @Test
  void aDatabaseThatIsAwayAtFirstMayCome() throws Exception {
    server.stop();
    SqlProvider accounts;
    try {
      accounts =
          SqlProvider.of(
              new SqlAccounts(
                  server.url(postgresql ? "postgres" : "mysql"),
                  DatabaseServer.USER,
                  DatabaseServer.PASSWORD,
                  null,
                  null,
                  sleep(),
                  Hash.PLAIN,
                  null,
                  1),
              SHORT);
      provider = accounts;
      assertThatThrownBy(() -> accounts.find(HOST, "juliet")).isInstanceOf(ProviderException.class);
    } finally {
      server.startAgain();
    }
    Eventually.await("the account is found", () -> isFound(accounts));
  }

  @Test
  void aServerThatAnswersNothingIsNotAwaited() throws Exception {
    SqlProvider accounts = provider(sleep(), SHORT);
    assertThat(isFound(accounts)).isTrue();
    server.suspend();
    try {
      assertThatThrownBy(() -> accounts.find(HOST, "juliet")).isInstanceOf(ProviderException.class);
    } finally {
      server.resume();
    }
    Eventually.await("the account is found", () -> isFound(accounts));
  }

  @Test
  void aHugeValueDoesNotFillTheMemory() {
    SqlProvider accounts =
        provider("select repeat('x', 15000000) as password, :local as name", LONG);
    if (postgresql) {
      assertThatThrownBy(() -> accounts.find(HOST, "juliet"))
          .isInstanceOf(ProviderException.class)
          .message()
          .hasSizeLessThan(400);
    } else {
      // The server itself limits it, by max_allowed_packet.
      assertThat(isFound(accounts)).isTrue();
    }
  }

  @Test
  void aWrongPasswordOfTheDatabaseIsSaidWithoutIt() {
    SqlProvider accounts = provider(sleep(), SHORT, "not the password");
    assertThatThrownBy(() -> accounts.find(HOST, "juliet"))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("zonda")
        .hasMessageNotContaining("not the password")
        .hasNoCause();
  }

  @Test
  void whatADatabaseSaysOfAValueIsNotRepeated() {
    if (postgresql) {
      SqlProvider accounts =
          provider("select cast('$2b$secret ' || :local as integer) as password", SHORT);
      assertThatThrownBy(() -> accounts.find(HOST, "juliet"))
          .isInstanceOf(ProviderException.class)
          .hasMessage("the database has failed (SQLSTATE 22P02)");
    }
  }
}
