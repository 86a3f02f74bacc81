package im.zonda.app.crash;

import im.zonda.jid.Jid;
import im.zonda.store.AccountStore;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.StoreState;
import im.zonda.store.Stores;
import java.util.List;
import java.util.function.Consumer;

/// Stores that tell of every message as soon as the log has reported it durable.
record ReportingStores(Stores stores, Consumer<MessageLog.Entry> committed) implements Stores {
  @Override
  public AccountStore accounts() {
    return stores.accounts();
  }

  @Override
  public RoomStore rooms() {
    return stores.rooms();
  }

  @Override
  public RosterStore rosters() {
    return stores.rosters();
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return stores.keyValues(name);
  }

  @Override
  public MessageLog messages() {
    return new ReportingLog(stores.messages(), committed);
  }

  @Override
  public MessageArchive archive() {
    return stores.archive();
  }

  @Override
  public void close() {
    stores.close();
  }

  private record ReportingLog(MessageLog log, Consumer<MessageLog.Entry> committed)
      implements MessageLog {
    @Override
    public long nextId() {
      return log.nextId();
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean waiting) {
      return reported(log.append(entry, keep, waiting), entry, waiting);
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
      return reported(log.append(entry, keep, waiting, sent), entry, waiting);
    }

    private Receipt reported(Receipt receipt, MessageLog.Entry entry, boolean waiting) {
      if (waiting) {
        receipt.whenCommitted(() -> committed.accept(entry));
      }
      return receipt;
    }

    @Override
    public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
      return log.waiting(owner, afterId, limit, bytes);
    }

    @Override
    public int waitingCount(Jid owner) {
      return log.waitingCount(owner);
    }

    @Override
    public void delivered(Jid owner, List<Long> ids) {
      log.delivered(owner, ids);
    }

    @Override
    public boolean congested() {
      return log.congested();
    }

    @Override
    public StoreState state() {
      return log.state();
    }

    @Override
    public void onRelief(Runnable action) {
      log.onRelief(action);
    }

    @Override
    public void flush() {
      log.flush();
    }
  }
}
