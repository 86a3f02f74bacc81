package im.zonda.app.users;

import im.zonda.host.XmppServer;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Secret;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.AccountStore;
import im.zonda.store.Stores;
import java.util.ArrayList;
import java.util.List;

/// The operation that creates accounts from a list, as `zonda user add --from` does from a file.
public final class ImportOperation {
  static final int MOST_LINES = 10_000;
  private static final int MOST_PROBLEMS = 100;

  /// A list of accounts.
  public record Wanted(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field(value = "lines of user,password; a user is a name or an address", max = MOST_LINES)
          List<Secret> accounts,
      @Field("whether the list is only checked") boolean dryRun) {}

  /// What a list has.
  public record Checked(
      @Field("how many accounts can be created") long accounts,
      @Field("what is wrong, each with its line") List<String> problems) {}

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
    AccountStore accounts =
        new UnreservedAccounts(stores, runtime.clock(), server.removal()::remove);
    AccountImport creation = new AccountImport(accounts, runtime.clock(), runtime.random());
    server.catalogue().offer(List.of(new ImportOperation(accounts, creation).offer()));
  }

  Offer<?, ?> offer() {
    return IMPORT.by(this::run);
  }

  private Outcome<Checked> run(Call call, Wanted wanted) {
    List<String> lines = wanted.accounts().stream().map(Secret::text).toList();
    AccountList list = AccountList.read(lines, List.of(wanted.host()));
    List<String> problems = new ArrayList<>(list.problems());
    if (wanted.dryRun()) {
      for (AccountList.Row row : list.rows()) {
        if (accounts.find(row.jid()) != null) {
          problems.add("line " + row.line() + ": " + row.jid() + " already exists");
        }
      }
      int existing = problems.size() - list.problems().size();
      return Outcome.done(new Checked(list.rows().size() - existing, shown(problems)));
    }
    if (!problems.isEmpty()) {
      // As from a file: a list with mistakes adds nobody.
      return Outcome.invalid("accounts", "Nothing was created. " + text(problems));
    }
    call.changed("accounts", null, list.rows().size() + " wanted");
    return call.start(
        "Create " + list.rows().size() + " accounts",
        progress -> {
          AccountImport.Outcome outcome =
              creation.create(
                  list.rows(), done -> progress.at(done, list.rows().size(), "accounts"));
          return (outcome.created() + " accounts were created. " + text(outcome.problems()))
              .strip();
        });
  }

  private static List<String> shown(List<String> problems) {
    return problems.size() <= MOST_PROBLEMS ? problems : problems.subList(0, MOST_PROBLEMS);
  }

  private static String text(List<String> problems) {
    int more = problems.size() - MOST_PROBLEMS;
    return String.join("; ", shown(problems)) + (more > 0 ? "; and " + more + " more" : "");
  }
}
