package im.zonda.app.users;

import im.zonda.host.XmppServer;
import im.zonda.jid.Jid;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Secret;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The operation that creates accounts from a list. `zonda user add` sends it the accounts of a
/// file in parts.
public final class ImportOperation {
  /// The most lines of a list that is done at once; a longer one is a job. It takes seconds at
  /// most, also on a small machine whose Java has just started.
  public static final int AT_ONCE = 20;

  static final int MOST_LINES = 10_000;
  private static final int MOST_PROBLEMS = 100;

  /// A list of accounts.
  public record Wanted(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field(value = "lines of user,password; a user is a name or an address", max = MOST_LINES)
          List<Secret> accounts,
      @Field("whether the list is only checked") boolean dryRun) {}

  /// A line that is wrong, or whose account is there already.
  public record Wrong(
      @Field("its number, from 1") int line, @Field("what is wrong with it") String text) {}

  /// What a list has that was checked, or that was short enough to be done at once (20 lines).
  public record Checked(
      @Field("how many accounts can be created, or were") long accounts,
      @Field("the first 100 lines without an account") List<Wrong> problems) {}

  /// `account.import`.
  public static final Operation<Wanted, Checked> IMPORT =
      Operation.change("account.import", Right.ACCOUNTS)
          .at(
              "POST /hosts/{host}/accounts/import",
              "Create accounts from a list",
              Wanted.class,
              Checked.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(IMPORT);

  private final AccountStore accounts;
  private final AccountImport creation;

  /// @param accounts the accounts of the server
  /// @param creation creates them
  ImportOperation(AccountStore accounts, AccountImport creation) {
    this.accounts = accounts;
    this.creation = creation;
  }

  /// Offers the operation at a server.
  public static void offerAt(XmppServer server, Stores stores, ServerRuntime runtime) {
    UnreservedAccounts unreserved = new UnreservedAccounts(stores, runtime.clock());
    AccountImport creation =
        new AccountImport(
            jid -> stores.accounts().find(jid) != null,
            wanted -> {
              List<Jid> taken = unreserved.create(wanted);
              // A home that was loaded before the account existed may be in memory.
              wanted.stream()
                  .map(Account::jid)
                  .filter(each -> !taken.contains(each))
                  .forEach(server.router()::forget);
              return taken;
            },
            runtime.clock(),
            runtime.random());
    server.catalogue().offer(List.of(new ImportOperation(stores.accounts(), creation).offer()));
  }

  Offer<?, ?> offer() {
    return IMPORT.by(this::run);
  }

  private Outcome<Checked> run(Call call, Wanted wanted) {
    List<String> lines = wanted.accounts().stream().map(Secret::text).toList();
    AccountList list = AccountList.read(lines, List.of(wanted.host()));
    List<AccountList.Row> rows = list.rows();
    List<AccountList.Problem> problems = new ArrayList<>(list.problems());
    if (wanted.dryRun()) {
      for (AccountList.Row row : rows) {
        if (accounts.find(row.jid()) != null) {
          problems.add(new AccountList.Problem(row.line(), 0, row.jid() + " already exists"));
        }
      }
      int existing = problems.size() - list.problems().size();
      return checked(rows.size() - existing, problems);
    }
    if (!problems.isEmpty()) {
      // As from a file: a list with mistakes adds nobody.
      return Outcome.invalid("accounts", "Nothing was created. " + text(problems));
    }
    if (lines.size() <= AT_ONCE) {
      AccountImport.Outcome outcome = creation.create(rows, _ -> {});
      outcome.created().forEach(each -> call.changed("account", null, each.toString()));
      return checked(outcome.created().size(), outcome.problems());
    }
    call.changed("accounts", null, rows.size() + " wanted");
    return call.start(
        "Create " + rows.size() + " accounts",
        progress -> {
          AccountImport.Outcome outcome =
              creation.create(rows, done -> progress.at(done, rows.size(), "accounts"));
          return (outcome.created().size() + " accounts were created. " + text(outcome.problems()))
              .strip();
        });
  }

  private static Outcome<Checked> checked(int accounts, List<AccountList.Problem> problems) {
    return Outcome.done(
        new Checked(
            accounts,
            shown(problems).stream().map(each -> new Wrong(each.line(), each.text())).toList()));
  }

  private static List<AccountList.Problem> shown(List<AccountList.Problem> problems) {
    return problems.size() <= MOST_PROBLEMS ? problems : problems.subList(0, MOST_PROBLEMS);
  }

  private static String text(List<AccountList.Problem> problems) {
    int more = problems.size() - MOST_PROBLEMS;
    return String.join("; ", shown(problems).stream().map(Objects::toString).toList())
        + (more > 0 ? "; and " + more + " more" : "");
  }
}
