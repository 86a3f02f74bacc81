package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreState;
import im.zonda.store.Stores;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Stores of which a home needs no more than whether its account exists. Anything else throws.
///
/// @param exists which accounts exist
/// @param read is called with each address that is looked up
record StoredAccounts(Predicate<Jid> exists, Consumer<Jid> read) implements Stores {
  @Override
  public AccountStore accounts() {
    return new AccountStore() {
      @Override
      public @Nullable Account find(Jid jid) {
        read.accept(jid);
        return exists.test(jid) ? new Account(jid, List.of(), Instant.EPOCH) : null;
      }

      @Override
      public List<Jid> create(List<Account> accounts) {
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
        throw new UnsupportedOperationException();
      }
    };
  }

  @Override
  public MessageLog messages() {
    return new MessageLog() {
      @Override
      public int waitingCount(Jid owner) {
        return 0;
      }

      @Override
      public long nextId() {
        throw new UnsupportedOperationException();
      }

      @Override
      public Receipt append(Entry entry, Keep keep, boolean waiting) {
        throw new UnsupportedOperationException();
      }

      @Override
      public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void delivered(Jid owner, List<Long> ids) {
        throw new UnsupportedOperationException();
      }

      @Override
      public boolean congested() {
        return false;
      }

      @Override
      public StoreState state() {
        return StoreState.STORING;
      }

      @Override
      public void onRelief(Runnable action) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void flush() {
        throw new UnsupportedOperationException();
      }
    };
  }

  @Override
  public RosterStore rosters() {
    throw new UnsupportedOperationException();
  }

  @Override
  public RoomStore rooms() {
    throw new UnsupportedOperationException();
  }

  @Override
  public KeyValueStore keyValues(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MessageArchive archive() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
