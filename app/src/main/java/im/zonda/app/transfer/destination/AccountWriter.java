package im.zonda.app.transfer.destination;

import im.zonda.app.transfer.Credentials;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.Omission;
import im.zonda.app.users.UnreservedAccounts;
import im.zonda.auth.CommonHashes;
import im.zonda.auth.PasswordException;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Creates the accounts in batches, each account with its data. Confined to one thread; calls
/// block.
final class AccountWriter {
  private static final int BATCH = 50;
  private static final long BATCH_BYTES = 32L << 20;
  private static final int RANDOM_PASSWORD_BYTES = 32;

  private final ImportTarget target;
  private final Journal journal;
  private final ImportReport report;
  private final AccountData data;
  private final List<ImportedAccount> batch = new ArrayList<>();
  private final Set<Jid> seen = new HashSet<>();
  private long bytes;

  AccountWriter(ImportTarget target, Journal journal, ImportReport report) {
    this.target = target;
    this.journal = journal;
    this.report = report;
    this.data = new AccountData(target, report);
  }

  /// Takes an account; it is durable after [#flush].
  void add(ImportedAccount account) {
    String refusal = refuse(account);
    if (refusal != null) {
      report.omit(new Omission(account.origin(), account.jid().toString(), refusal));
      return;
    }
    if (journal.isDone(account.jid())) {
      report.countDoneBefore();
      return;
    }
    batch.add(account);
    bytes += AccountData.bytes(account);
    if (batch.size() >= BATCH || bytes >= BATCH_BYTES) {
      flush();
    }
  }

  private @Nullable String refuse(ImportedAccount account) {
    String refusal = target.refuseAccount(account.jid());
    if (refusal == null && !seen.add(account.jid())) {
      return "the source has this account twice; the first one is taken";
    }
    Stores stores = target.stores();
    if (refusal == null
        && target.dryRun()
        && stores != null
        && !journal.isStarted(account.jid())
        && stores.accounts().find(account.jid()) != null) {
      seen.remove(account.jid());
      return "the account exists already";
    }
    return refusal;
  }

  /// Writes what was added.
  void flush() {
    List<ImportedAccount> all = List.copyOf(batch);
    batch.clear();
    bytes = 0;
    if (all.isEmpty()) {
      return;
    }
    Stores stores = target.stores();
    if (target.dryRun() || stores == null) {
      all.forEach(account -> {
        countCredentials(account, checked(account.credentials()));
        data.count(account);
      });
      return;
    }
    List<ImportedAccount> created = create(stores, all);
    writeAll(stores, created);
    journal.finish(created.stream().map(ImportedAccount::jid).toList());
  }

  /// Whether the account was taken, or would be, by this run or an earlier one.
  boolean hasTaken(Jid account) {
    return seen.contains(account) && (target.dryRun() || journal.isDone(account));
  }

  private List<ImportedAccount> create(Stores stores, List<ImportedAccount> all) {
    Set<Jid> started = new HashSet<>();
    for (ImportedAccount each : all) {
      if (journal.isStarted(each.jid())) {
        started.add(each.jid());
      }
    }
    UnreservedAccounts unreserved = new UnreservedAccounts(stores, target.clock());
    List<ImportedAccount> free = new ArrayList<>();
    for (ImportedAccount each : all) {
      // An account of someone else must not be in the journal: the next run would write to it.
      if (started.contains(each.jid()) || stores.accounts().find(each.jid()) == null) {
        free.add(each);
      } else {
        omitExisting(each);
      }
    }
    journal.start(
        free.stream().map(ImportedAccount::jid).filter(each -> !started.contains(each)).toList());
    List<Account> accounts =
        free.parallelStream()
            .map(each ->
                new Account(
                    each.jid(),
                    keys(checked(each.credentials())),
                    each.created() == null ? target.clock().instant() : each.created()))
            .toList();
    offerCommonHashes(stores, accounts);
    Set<Jid> taken = new HashSet<>(unreserved.create(accounts));
    List<ImportedAccount> created = new ArrayList<>();
    for (ImportedAccount each : free) {
      if (taken.contains(each.jid()) && !started.contains(each.jid())) {
        omitExisting(each);
      } else {
        countCredentials(each, checked(each.credentials()));
        created.add(each);
      }
    }
    return created;
  }

  /// Clients must not choose a hash of which an account has no keys.
  private static void offerCommonHashes(Stores stores, List<Account> accounts) {
    CommonHashes common = new CommonHashes(stores.keyValues(CommonHashes.STORE));
    for (Account account : accounts) {
      Set<String> hashes = new HashSet<>();
      account.keys().forEach(keys -> hashes.add(keys.hash()));
      if (!hashes.containsAll(common.of(account.jid().domainJid()))) {
        common.restrict(account.jid().domainJid(), hashes);
      }
    }
  }

  private void omitExisting(ImportedAccount account) {
    report.omit(
        new Omission(
            account.origin(),
            account.jid().toString(),
            "the account exists already, or an invitation or a room has reserved the name"));
  }

  /// Writes the data of accounts side by side: each write waits for the disk, and the store writes
  /// those that wait at once.
  private void writeAll(Stores stores, List<ImportedAccount> accounts) {
    try (ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (ImportedAccount account : accounts) {
        running.add(tasks.submit(() -> data.write(stores, account)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException("an account cannot be written", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(StoreException.Category.UNAVAILABLE, "interrupted", e);
    }
  }

  /// The credentials, or why a password cannot be used.
  private static Credentials checked(Credentials credentials) {
    return switch (credentials) {
      case Credentials.Password(String text) -> {
        try {
          Passwords.check(text);
          yield credentials;
        } catch (PasswordException e) {
          yield new Credentials.None(String.valueOf(e.getMessage()));
        }
      }
      case Credentials.Keys(List<ScramKeys> keys) ->
          keys.isEmpty() ? new Credentials.None("it has no keys") : credentials;
      case Credentials.None _ -> credentials;
    };
  }

  private List<ScramKeys> keys(Credentials credentials) {
    return switch (credentials) {
      case Credentials.Password(String text) -> Passwords.derive(text, target.random());
      case Credentials.Keys(List<ScramKeys> keys) -> keys;
      case Credentials.None _ -> {
        byte[] unknown = new byte[RANDOM_PASSWORD_BYTES];
        target.random().nextBytes(unknown);
        yield Passwords.derive(HexFormat.of().formatHex(unknown), target.random());
      }
    };
  }

  private void countCredentials(ImportedAccount account, Credentials credentials) {
    report.countCredentials(
        switch (credentials) {
          case Credentials.Password _ -> "with their password, of which keys are kept";
          case Credentials.Keys _ -> "with the keys of their password";
          case Credentials.None(String reason) -> {
            report.omit(
                new Omission(
                    account.origin(),
                    "the password of " + account.jid(),
                    reason + "; set one with: zonda user passwd " + account.jid()));
            yield "without a password";
          }
        });
  }
}
