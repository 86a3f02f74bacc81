package im.zonda.app.users;

import im.zonda.auth.PasswordException;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/// Creates accounts in batches. Derives the SCRAM keys on all cores, because that is slow by
/// design.
final class AccountImport {
  /// How many accounts are created at a time, which takes a second or two.
  private static final int BATCH = 50;

  private static final String TAKEN = " already exists, or an invitation has reserved the name";

  private final Predicate<Jid> exists;
  private final Function<List<Account>, List<Jid>> accounts;
  private final InstantSource clock;
  private final RandomGenerator random;

  /// Creates an import.
  ///
  /// @param exists whether an account exists: a list that is sent again is done soon, then
  /// @param accounts creates accounts, and returns those that exist already
  /// @param random source of the salts; cryptographically strong and thread-safe
  AccountImport(
      Predicate<Jid> exists,
      Function<List<Account>, List<Jid>> accounts,
      InstantSource clock,
      RandomGenerator random) {
    this.exists = exists;
    this.accounts = accounts;
    this.clock = clock;
    this.random = random;
  }

  /// The result.
  ///
  /// @param created the accounts that were created, in the order of their lines
  /// @param problems the errors
  record Outcome(List<Jid> created, List<AccountList.Problem> problems) {}

  private record Derived(AccountList.Row row, List<ScramKeys> keys, String problem) {}

  /// Creates the accounts. Calls `progress` after each batch with the number of rows done so far.
  Outcome create(List<AccountList.Row> rows, IntConsumer progress) {
    List<AccountList.Problem> problems = new ArrayList<>();
    List<Jid> created = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += BATCH) {
      int to = Math.min(from + BATCH, rows.size());
      created.addAll(batch(rows.subList(from, to), problems));
      progress.accept(to);
    }
    return new Outcome(List.copyOf(created), List.copyOf(problems));
  }

  private List<Jid> batch(List<AccountList.Row> rows, List<AccountList.Problem> problems) {
    List<Derived> derived = rows.parallelStream().map(this::derive).toList();
    List<Account> wanted = new ArrayList<>();
    Map<Jid, Integer> lines = new HashMap<>();
    for (Derived one : derived) {
      if (one.problem().isEmpty()) {
        wanted.add(new Account(one.row().jid(), one.keys(), clock.instant()));
        lines.put(one.row().jid(), one.row().line());
      } else {
        problems.add(new AccountList.Problem(one.row().line(), 0, one.problem()));
      }
    }
    List<Jid> existing = new ArrayList<>(accounts.apply(wanted));
    existing.sort(Comparator.comparing(jid -> lines.getOrDefault(jid, 0)));
    for (Jid jid : existing) {
      problems.add(new AccountList.Problem(lines.getOrDefault(jid, 0), 0, jid + TAKEN));
    }
    return wanted.stream().map(Account::jid).filter(jid -> !existing.contains(jid)).toList();
  }

  private Derived derive(AccountList.Row row) {
    if (exists.test(row.jid())) {
      return new Derived(row, List.of(), row.jid() + TAKEN);
    }
    try {
      return new Derived(row, Passwords.derive(row.password(), random), "");
    } catch (PasswordException e) {
      return new Derived(row, List.of(), row.jid() + ": " + e.getMessage());
    }
  }
}
