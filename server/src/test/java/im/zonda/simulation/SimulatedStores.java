package im.zonda.simulation;

import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stores that hold what the simulation needs: accounts, all with the password `secret`, and the
/// log. What the simulated servers never call throws, so that a seed that comes there fails.
final class SimulatedStores implements Stores {
  /// One iteration: thousands of logins must cost nothing.
  private static final List<ScramKeys> KEYS =
      List.of(
          Passwords.derive(
              "secret",
              Passwords.HASHES.getFirst(),
              "salt of the simulation".getBytes(StandardCharsets.US_ASCII),
              1));

  private final List<Jid> accounts;
  private final SimulatedLog log;

  SimulatedStores(List<Jid> accounts, SimulatedLog log) {
    this.accounts = accounts;
    this.log = log;
  }

  @Override
  public AccountStore accounts() {
    return new AccountStore() {
      @Override
      public @Nullable Account find(Jid jid) {
        log.check();
        return accounts.contains(jid) ? new Account(jid, KEYS, Instant.EPOCH) : null;
      }

      @Override
      public List<Jid> create(List<Account> created) {
        throw new UnsupportedOperationException();
      }

      @Override
      public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
        throw new UnsupportedOperationException();
      }

      @Override
      public boolean remove(Jid jid) {
        throw new UnsupportedOperationException();
      }

      @Override
      public List<Jid> list(String domain, @Nullable Jid after, int limit) {
        throw new UnsupportedOperationException();
      }

      @Override
      public long count(String domain) {
        return accounts.size();
      }
    };
  }

  @Override
  public RoomStore rooms() {
    throw new UnsupportedOperationException();
  }

  @Override
  public RosterStore rosters() {
    throw new UnsupportedOperationException();
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return new NoValues();
  }

  /// Values that nobody sets.
  private static final class NoValues implements KeyValueStore {
    @Override
    public byte @Nullable [] get(Jid owner, String key) {
      return null;
    }

    @Override
    public Map<String, byte[]> all(Jid owner) {
      return Map.of();
    }

    @Override
    public void put(Jid owner, String key, byte[] value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void remove(Jid owner, String key) {}
  }

  @Override
  public MessageLog messages() {
    return log;
  }

  @Override
  public MessageArchive archive() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    log.close();
  }
}
