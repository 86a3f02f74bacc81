package im.zonda.plugins.generator;

import im.zonda.jid.Jid;
import im.zonda.operation.Call;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Removes the accounts that a run has created, and no others, a portion at a time. May end at any
/// moment and begin again.
final class Removal {
  private final Runs runs;
  private final Population people;
  private Run run;

  Removal(Runs runs, Run run) {
    this.runs = runs;
    this.run = run;
    people = new Population(run);
  }

  /// Does the work, and says what has become of it.
  String work(Call.Progress progress) throws InterruptedException {
    // A portion may have been created without being remembered.
    int last = run.progress().last();
    int end = Math.min(run.count(), last + Creation.PORTION);
    long removed = 0;
    int from = run.progress().done();
    while (from < end) {
      progress.at(from, end, "accounts");
      int to = Math.min(end, from + Creation.PORTION);
      List<Jid> own = new ArrayList<>();
      for (int i = from; i < to; i++) {
        Jid address = people.person(i).address();
        if (runs.isOf(run, address)) {
          own.add(address);
        }
      }
      removed += runs.accounts().remove(own, contacts(from, to)).size();
      boolean cancelled = Thread.interrupted(); // what was done is remembered first
      run = run.at(Run.State.REMOVING, to, last);
      runs.save(run);
      if (cancelled) {
        throw new InterruptedException("cancelled");
      }
      from = to;
    }
    runs.forget(run);
    progress.at(end, end, "accounts");
    return removed + " accounts were removed.";
  }

  /// The contacts of people, who are all of the run.
  private Set<Jid> contacts(int from, int to) {
    Set<Jid> contacts = new HashSet<>();
    for (int i = from; i < to; i++) {
      for (int contact : people.contacts(i)) {
        contacts.add(people.person(contact).address());
      }
    }
    return contacts;
  }
}
