package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreState;
import java.util.List;

/// The message log, which remembers for whom nothing waits while the home is not loaded.
///
/// What a home has left is used once, when the home is loaded again: from then on the home counts.
/// Nothing is added to the cost of a message but one look-up.
record CachedMessageLog(MessageLog log, OwnerCache<Boolean> noneWaits) implements MessageLog {
  /// Whether it is known that nothing waits; asked once.
  boolean takeNoneWaits(Jid owner) {
    if (noneWaits.find(owner) == null) {
      return false;
    }
    noneWaits.drop(owner);
    return true;
  }

  @Override
  public void noneWaits(Jid owner) {
    noneWaits.publish(owner, noneWaits.stamp(owner), before -> true);
  }

  @Override
  public int waitingCount(Jid owner) {
    return takeNoneWaits(owner) ? 0 : log.waitingCount(owner);
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting) {
    appended(entry, waiting);
    return log.append(entry, keep, waiting);
  }

  @Override
  public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
    appended(entry, waiting);
    return log.append(entry, keep, waiting, sent);
  }

  private void appended(Entry entry, boolean waiting) {
    if (waiting && noneWaits.contains(entry.owner())) {
      noneWaits.drop(entry.owner());
    }
  }

  @Override
  public long nextId() {
    return log.nextId();
  }

  @Override
  public List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
    return log.waiting(owner, afterId, limit, bytes);
  }

  @Override
  public void delivered(Jid owner, List<Long> ids) {
    log.delivered(owner, ids);
  }

  @Override
  public boolean nearlyFull() {
    return log.nearlyFull();
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
