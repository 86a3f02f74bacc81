package im.zonda.app.users;

import im.zonda.auth.PasswordException;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;

/// Creates accounts in batches. Derives the SCRAM keys on all cores, because that is slow by
/// design.
public final class AccountImport {
  /// Takes some seconds.
  private static final int BATCH = 50;

  private final AccountStore accounts;
  private final InstantSource clock;
  private final RandomGenerator random;

  /// Creates an import.
  ///
  /// @param random source of the salts; cryptographically strong and thread-safe
  public AccountImport(AccountStore accounts, InstantSource clock, RandomGenerator random) {
    this.accounts = accounts;
    this.clock = clock;
    this.random = random;
  }

  /// The result.
  ///
  /// @param created the number of accounts that were created
  /// @param problems the errors, each with its line
  public record Outcome(int created, List<String> problems) {}

  private record Derived(AccountList.Row row, List<ScramKeys> keys, String problem) {}

  /// Creates the accounts. Calls `progress` after each batch with the number of rows done so far.
  public Outcome create(List<AccountList.Row> rows, IntConsumer progress) {
    List<String> problems = new ArrayList<>();
    int created = 0;
    for (int from = 0; from < rows.size(); from += BATCH) {
      int to = Math.min(from + BATCH, rows.size());
      created += batch(rows.subList(from, to), problems);
      progress.accept(to);
    }
    return new Outcome(created, List.copyOf(problems));
  }

  private int batch(List<AccountList.Row> rows, List<String> problems) {
    List<Derived> derived = rows.parallelStream().map(this::derive).toList();
    List<Account> wanted = new ArrayList<>();
    Map<Jid, Integer> lines = new HashMap<>();
    for (Derived one : derived) {
      if (one.problem().isEmpty()) {
        wanted.add(new Account(one.row().jid(), one.keys(), clock.instant()));
        lines.put(one.row().jid(), one.row().line());
      } else {
        problems.add("line " + one.row().line() + ": " + one.problem());
      }
    }
    List<Jid> existing = new ArrayList<>(accounts.create(wanted));
    existing.sort(Comparator.comparing(jid -> lines.getOrDefault(jid, 0)));
    for (Jid jid : existing) {
      problems.add(
          "line "
              + lines.get(jid)
              + ": "
              + jid
              + " already exists, or an invitation has reserved the name");
    }
    return wanted.size() - existing.size();
  }

  private Derived derive(AccountList.Row row) {
    try {
      return new Derived(row, Passwords.derive(row.password(), random), "");
    } catch (PasswordException e) {
      return new Derived(row, List.of(), row.jid() + ": " + e.getMessage());
    }
  }
}
