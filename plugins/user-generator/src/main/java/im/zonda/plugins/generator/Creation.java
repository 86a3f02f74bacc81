package im.zonda.plugins.generator;

import im.zonda.jid.Jid;
import im.zonda.operation.Call;
import im.zonda.plugin.NewAccount;
import im.zonda.plugin.PluginAccounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Creates the accounts of a run, a portion at a time, and remembers after each how far it is. May
/// end at any moment and begin again: an account is created with the mark of the run, or not at
/// all.
final class Creation {
  /// How many accounts are created at once: the messages of others wait for it, some 50 ms.
  static final int PORTION = 320;

  /// How often a reserved address is tried again, and after which time.
  private static final int TRIES = 50;

  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Runs runs;
  private final Population people;
  private final String password;
  private Run run;
  private long refused;

  /// The people about whom it is known whether there was an account, and those of them whose
  /// account is none of the run.
  private final BitSet known = new BitSet();

  private final BitSet strangers = new BitSet();

  Creation(Runs runs, Run run, String password) {
    this.runs = runs;
    this.run = run;
    this.password = password;
    people = new Population(run);
  }

  /// Does the work, and says what has become of it.
  String work(Call.Progress progress) throws InterruptedException {
    int first = run.progress().done();
    long created = 0;
    try (ExecutorService next = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<NewAccount>> prepared = next.submit(() -> prepare(first));
      for (int from = first; from < run.count(); from = run.progress().done()) {
        progress.at(from, run.count(), "accounts");
        List<NewAccount> portion = get(prepared);
        int to = Math.min(run.count(), from + PORTION);
        prepared = next.submit(() -> prepare(to));
        created += create(portion);
        goOn(to);
      }
    }
    progress.at(run.count(), run.count(), "accounts");
    int existing = strangers.cardinality();
    return created
        + " accounts were created"
        + (first == 0 ? "" : ", after " + first + " before")
        + (existing == 0 ? "." : "; " + existing + " addresses were those of other accounts.")
        + (refused == 0 ? "" : " " + refused + " addresses are reserved.");
  }

  /// Creates a portion. The address of someone who was just removed is reserved for a moment; it is
  /// tried again for a while.
  ///
  /// @return how many were created
  private long create(List<NewAccount> portion) throws InterruptedException {
    List<Jid> created = runs.accounts().create(portion);
    long count = created.size();
    List<NewAccount> missing = without(portion, created);
    for (int i = 0; !missing.isEmpty(); i++) {
      List<NewAccount> reserved =
          without(
              missing,
              runs.accounts().existing(missing.stream().map(NewAccount::account).toList()));
      if (reserved.isEmpty() || i == TRIES) {
        refused += reserved.size();
        return count;
      }
      Thread.sleep(PAUSE);
      created = runs.accounts().create(reserved);
      count += created.size();
      missing = without(reserved, created);
    }
    return count;
  }

  private static List<NewAccount> without(List<NewAccount> some, List<Jid> created) {
    Set<Jid> left = new HashSet<>(created);
    return some.stream().filter(each -> !left.contains(each.account())).toList();
  }

  /// Remembers how far it is, unless the run is being removed, perhaps at another node.
  private void goOn(int done) throws InterruptedException {
    boolean cancelled = Thread.interrupted(); // what was done is remembered first
    Run stored = runs.find(run.host(), run.name());
    if (stored == null || stored.progress().state() == Run.State.REMOVING) {
      throw new IllegalStateException("the run is being removed");
    }
    run = run.at(done == run.count() ? Run.State.COMPLETE : Run.State.CREATING, done, done);
    runs.save(run);
    if (cancelled) {
      throw new InterruptedException("cancelled");
    }
  }

  private static List<NewAccount> get(Future<List<NewAccount>> prepared)
      throws InterruptedException {
    try {
      return prepared.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }

  /// The accounts of a portion; those who have one already are left out.
  private List<NewAccount> prepare(int from) {
    int to = Math.min(run.count(), from + PORTION);
    findStrangers(from, to);
    List<NewAccount> portion = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (!strangers.get(i)) {
        portion.add(people.account(i, password, strangers::get));
      }
    }
    return portion;
  }

  /// Finds out which of the people of a portion, and of their contacts, have accounts that are none
  /// of the run.
  private void findStrangers(int from, int to) {
    BitSet wanted = new BitSet();
    wanted.set(from, to);
    for (int i = from; i < to; i++) {
      for (int contact : people.contacts(i)) {
        wanted.set(contact);
      }
    }
    wanted.andNot(known);
    known.or(wanted);
    List<Jid> addresses = new ArrayList<>();
    wanted.stream().forEach(each -> addresses.add(people.person(each).address()));
    Set<Jid> existing = new HashSet<>();
    for (int first = 0; first < addresses.size(); first += PluginAccounts.MOST_AT_ONCE) {
      int last = Math.min(addresses.size(), first + PluginAccounts.MOST_AT_ONCE);
      existing.addAll(runs.accounts().existing(addresses.subList(first, last)));
    }
    wanted.stream()
        .forEach(each -> {
          Jid address = people.person(each).address();
          if (existing.contains(address) && !runs.isOf(run, address)) {
            strangers.set(each);
          }
        });
  }
}
