package im.zonda.store;

import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.metric.HistoryStore;
import im.zonda.size.SizeStore;
import im.zonda.trace.TraceStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All stores of a server. Closing waits until what was accepted is durable.
public interface Stores extends AutoCloseable {
  /// There is no such account or room, or no longer: it was removed while something was to be
  /// stored with it.
  final class MissingOwnerException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public MissingOwnerException(Jid owner) {
      super("no account or room " + owner);
    }
  }

  /// The numbers that the home of an account begins with.
  ///
  /// @param newest no entry in the account's log has a higher id ([ClusterLog#takeOver])
  /// @param waiting the number of messages that wait in the log
  record HomeStart(long newest, int waiting) {}

  /// The data that the home of an account reads from the stores when it is loaded.
  ///
  /// @param start the numbers that the home begins with
  /// @param roster the roster
  /// @param values the values of the wanted key-value stores, by the store's name and the key; a
  ///   store without values may be missing
  record HomeData(
      HomeStart start, RosterStore.Roster roster, Map<String, Map<String, byte[]>> values) {}

  /// The accounts.
  AccountStore accounts();

  /// The rosters.
  RosterStore rosters();

  /// The rooms.
  RoomStore rooms();

  /// The publish-subscribe nodes.
  PubSubStore pubSub();

  /// The queues of messages for other servers.
  RemoteQueueStore remoteQueues();

  /// The files that accounts have uploaded.
  UploadStore uploads();

  /// The record of what administrators have done.
  AuditStore audit();

  /// The record of stanzas that were not delivered as usual.
  default JournalStore journal() {
    return JournalStore.NONE;
  }

  /// The messages that were traced, and their steps.
  default TraceStore traces() {
    return TraceStore.NONE;
  }

  /// How much each domain has in these stores.
  default SizeStore sizes() {
    return SizeStore.NONE;
  }

  /// What was measured.
  default HistoryStore history() {
    return HistoryStore.NONE;
  }

  /// The key-value store of that name, created on first use. Names are lower-case words.
  KeyValueStore keyValues(String name);

  /// The message log.
  MessageLog messages();

  /// The message log as the nodes of a cluster share it.
  default ClusterLog clusterLog() {
    return ClusterLog.NONE;
  }

  /// The archive: the message log, read by owner.
  MessageArchive archive();

  /// A new account with its roster and its values.
  ///
  /// @param account the account
  /// @param roster its contacts, each once
  /// @param values its values; the account is the owner of each
  record FilledAccount(Account account, List<RosterItem> roster, Map<ValueKey, byte[]> values) {}

  /// Adds accounts with their rosters and values, in one transaction if the database allows it.
  /// Returns the addresses that were taken; those accounts are not changed. Blocks.
  default List<Jid> createAccounts(List<FilledAccount> accounts) {
    List<Jid> taken = new ArrayList<>();
    for (FilledAccount each : accounts) {
      Jid jid = each.account().jid();
      if (!accounts().create(List.of(each.account())).isEmpty()) {
        taken.add(jid);
        continue;
      }
      each.roster()
          .forEach(item -> {
            long _ = rosters().put(jid, item);
          });
      each.values().forEach((key, value) -> keyValues(key.store()).put(jid, key.key(), value));
    }
    return taken;
  }

  /// What has become of accounts that were to be removed.
  ///
  /// @param removed those that were removed
  /// @param reserved those of them whose addresses count as taken until [AccountStore#release] is
  ///   called
  record Removal(List<Jid> removed, List<Jid> reserved) {}

  /// Removes accounts as [AccountStore#remove] does, in one transaction if the database allows it.
  /// Subscriptions, affiliations and other data in which one names another are removed with them:
  /// an address that the data of no other owner names may be free at once. Blocks.
  ///
  /// @param next others that will be removed next: they are not remembered as contacts, and no
  ///   address is reserved because their data name it
  /// @param reserve those whose addresses are reserved in any case
  default Removal removeAccounts(Set<Jid> accounts, Set<Jid> next, Set<Jid> reserve) {
    Set<Jid> removed = new HashSet<>(accounts);
    removed.removeIf(each -> !accounts().remove(each));
    return new Removal(List.copyOf(removed), List.copyOf(removed));
  }

  /// All values of an owner in these key-value stores, in one query if the database allows it.
  /// Blocks.
  ///
  /// @return the values by the store's name and the key; a store without values may be missing
  default Map<String, Map<String, byte[]>> readValues(Jid owner, Set<String> names) {
    Map<String, Map<String, byte[]>> values = new HashMap<>();
    for (String name : names) {
      values.put(name, keyValues(name).all(owner));
    }
    return values;
  }

  /// Called when the home of an account is loaded, before anything else of the account is read:
  /// takes the account over, as [ClusterLog#takeOver] does. Stores that keep in memory what they
  /// read can read all that the home needs at once. Blocks.
  ///
  /// @param newest as for [ClusterLog#takeOver]
  /// @return null if there is no such account
  default @Nullable HomeStart openHome(Jid account, long newest) {
    HomeData read = readHome(account, Set.of(), newest);
    return read == null ? null : read.start();
  }

  /// Takes an account over as [#openHome] does, and reads what its home needs, in one query if the
  /// database allows it. Blocks.
  ///
  /// @param names the key-value stores to read
  /// @param newest as for [ClusterLog#takeOver]
  /// @return null if there is no such account
  default @Nullable HomeData readHome(Jid account, Set<String> names, long newest) {
    if (accounts().find(account) == null) {
      return null;
    }
    long last = clusterLog().takeOver(account, newest);
    HomeStart start = new HomeStart(last, messages().waitingCount(account));
    return new HomeData(start, rosters().load(account), readValues(account, names));
  }

  @Override
  void close();
}
