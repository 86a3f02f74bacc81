package im.zonda.provider.sql;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.SqlAccounts;
import im.zonda.config.accounts.SqlAccounts.Hash;
import im.zonda.provider.hash.ScramText;
import im.zonda.provider.hash.StoredPassword;
import im.zonda.provider.hash.UnreadableHashException;
import im.zonda.store.ScramKeys;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Accounts of a table that another program writes, found by the operator's query. The table is
/// only read.
///
/// What is wrong with one row concerns one account: it is a wrong password and no failure of the
/// database, which would be one for everybody.
public final class SqlProvider implements AccountProvider {
  /// The parameters of the query for one account.
  public static final Set<String> PARAMETERS = Set.of("local", "domain");

  /// The parameters of the query for groups.
  public static final Set<String> GROUP_PARAMETERS = Set.of("domain");

  private static final String SEVERAL = "the query finds more than one row for the account";

  private final NamedQuery query;
  private final @Nullable GroupQuery groups;
  private final Hash hash;
  private final TableConnections connections;
  private final Set<Ability> abilities;

  private SqlProvider(
      NamedQuery query,
      @Nullable GroupQuery groups,
      SqlAccounts settings,
      TableConnections connections) {
    this.query = query;
    this.groups = groups;
    this.hash = settings.hash();
    this.connections = connections;
    this.abilities = EnumSet.of(Ability.PASSWORD, Ability.FIND);
    if (groups != null) {
      abilities.add(Ability.GROUPS);
    }
    if (hash == Hash.SCRAM) {
      abilities.add(Ability.SCRAM_KEYS);
    }
  }

  /// Makes a provider; the database may be away.
  ///
  /// @param timeLimit the most time that the database has for an answer
  /// @throws IllegalArgumentException if a query cannot be used
  public static SqlProvider of(SqlAccounts settings, Duration timeLimit) {
    NamedQuery query = NamedQuery.parse(settings.query(), PARAMETERS);
    String groups = settings.groups();
    GroupQuery groupQuery =
        groups == null ? null : new GroupQuery(NamedQuery.parse(groups, GROUP_PARAMETERS));
    return new SqlProvider(query, groupQuery, settings, new TableConnections(settings, timeLimit));
  }

  @Override
  public Set<Ability> abilities() {
    return EnumSet.copyOf(abilities);
  }

  /// What the query has found; nothing is neither.
  ///
  /// @param row the row of the account
  /// @param isSeveral whether there are more
  private record Found(@Nullable AccountRow row, boolean isSeveral) {}

  private Found find(Connection connection, String domain, String local)
      throws SQLException, ProviderException {
    try (PreparedStatement statement = connection.prepareStatement(query.sql())) {
      statement.setMaxRows(2);
      statement.setQueryTimeout(connections.querySeconds());
      bind(statement, query, domain, local);
      try (ResultSet result = statement.executeQuery()) {
        if (!result.next()) {
          return new Found(null, false);
        }
        AccountRow row = AccountRow.read(result);
        if (result.next()) {
          return new Found(null, true);
        }
        return new Found(row.isOfOther(local) ? null : row, false);
      }
    }
  }

  static void bind(PreparedStatement statement, NamedQuery query, String domain, String local)
      throws SQLException {
    int at = 1;
    for (String name : query.parameters()) {
      statement.setString(at, name.equals("local") ? local : domain);
      at++;
    }
  }

  private Found ask(String domain, String local) throws ProviderException, InterruptedException {
    if (local.indexOf('\0') >= 0) {
      return new Found(null, false); // PostgreSQL has no such texts
    }
    try (Connection connection = connections.connect()) {
      return find(connection, domain, local);
    } catch (SQLException e) {
      throw TableFailures.of(e);
    }
  }

  @Override
  public Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    Found found = ask(question.domain(), question.local());
    AccountRow row = found.row();
    if (row == null) {
      return found.isSeveral() ? new Verdict.Wrong(SEVERAL) : Verdict.UNKNOWN;
    }
    try {
      StoredPassword stored = row.password(hash);
      if (question.password().isEmpty() || !stored.matches(question.password())) {
        return new Verdict.Wrong("password");
      }
      return new Verdict.Accepted(row.account(question.local()));
    } catch (UnreadableHashException e) {
      return new Verdict.Wrong(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Verdict find(String domain, String local) throws ProviderException, InterruptedException {
    Found found = ask(domain, local);
    if (found.isSeveral()) {
      throw new ProviderException(SEVERAL);
    }
    AccountRow row = found.row();
    return row == null ? Verdict.UNKNOWN : new Verdict.Accepted(row.account(local));
  }

  @Override
  public List<ScramKeys> keys(String domain, String local)
      throws ProviderException, InterruptedException {
    AccountRow row = hash == Hash.SCRAM ? ask(domain, local).row() : null;
    if (row == null) {
      return List.of();
    }
    try {
      return row.password(hash) instanceof ScramText scram ? List.of(scram.keys()) : List.of();
    } catch (UnreadableHashException e) {
      return List.of(); // nobody can log in to it, as if it were not there
    }
  }

  @Override
  public List<ProvidedGroup> groups(String domain) throws ProviderException, InterruptedException {
    GroupQuery asked = groups;
    if (asked == null) {
      return List.of();
    }
    try (Connection connection = connections.connect()) {
      return asked.run(connection, connections, domain);
    } catch (SQLException e) {
      throw TableFailures.of(e);
    }
  }

  @Override
  public List<TestStep> test(PasswordQuestion question) throws InterruptedException {
    List<TestStep> steps = new ArrayList<>();
    long start = System.nanoTime();
    try (Connection connection = connections.connect()) {
      steps.add(step("connect", true, start, "connected"));
      start = System.nanoTime();
      Found found = find(connection, question.domain(), question.local());
      AccountRow row = found.row();
      if (row == null) {
        String text = found.isSeveral() ? SEVERAL : "the query finds no row for the account";
        steps.add(step("query", false, start, text));
        return steps;
      }
      ProvidedAccount account = row.account(question.local());
      steps.add(step("query", true, start, account.disabled() ? "one row; disabled" : "one row"));
      start = System.nanoTime();
      StoredPassword stored = row.password(hash);
      boolean right = stored.matches(question.password());
      steps.add(step("password", right, start, right ? "right" : "wrong"));
    } catch (SQLException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("while a database was tried");
      }
      steps.add(step(steps.isEmpty() ? "connect" : "query", false, start, TableFailures.text(e)));
    } catch (ProviderException e) {
      steps.add(step("query", false, start, String.valueOf(e.getMessage())));
    } catch (UnreadableHashException e) {
      steps.add(step("password", false, start, String.valueOf(e.getMessage())));
    }
    return steps;
  }

  private static TestStep step(String name, boolean ok, long start, String text) {
    return new TestStep(name, ok, Duration.ofNanos(System.nanoTime() - start), text);
  }

  @Override
  public void close() {
    connections.close();
  }
}
