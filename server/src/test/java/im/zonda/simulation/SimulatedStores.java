package im.zonda.simulation;

import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.AuditStore;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RemoteQueueStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.store.UploadStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/// Stores of the simulation: accounts, all with the password `secret`, in memory, and the log whose
/// commits and failures the simulation decides. While the log's database is away nothing can be
/// read from the other stores either.
final class SimulatedStores implements Stores {
  /// One iteration, so that thousands of logins are cheap.
  private static final List<ScramKeys> KEYS =
      List.of(
          Passwords.derive(
              "secret",
              Passwords.HASHES.getFirst(),
              "salt of the simulation".getBytes(StandardCharsets.US_ASCII),
              1));

  private final MemoryStores memory;
  private final SimulatedLog log;

  SimulatedStores(List<Jid> accounts, SimulatedLog log, SimulatedClock clock) {
    this.log = log;
    this.memory = new MemoryStores(clock);
    memory
        .accounts()
        .create(accounts.stream().map(jid -> new Account(jid, KEYS, Instant.EPOCH)).toList());
    memory.beforeCall(log::check);
  }

  @Override
  public AccountStore accounts() {
    return memory.accounts();
  }

  @Override
  public RoomStore rooms() {
    return memory.rooms();
  }

  @Override
  public PubSubStore pubSub() {
    return memory.pubSub();
  }

  @Override
  public UploadStore uploads() {
    return memory.uploads();
  }

  @Override
  public AuditStore audit() {
    return memory.audit();
  }

  @Override
  public RemoteQueueStore remoteQueues() {
    return memory.remoteQueues();
  }

  @Override
  public RosterStore rosters() {
    return memory.rosters();
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return memory.keyValues(name);
  }

  @Override
  public MessageLog messages() {
    return log;
  }

  @Override
  public MessageArchive archive() {
    return memory.archive();
  }

  @Override
  public void close() {
    log.close();
  }
}
