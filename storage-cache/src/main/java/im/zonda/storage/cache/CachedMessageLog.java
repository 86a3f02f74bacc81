package im.zonda.storage.cache;

import im.zonda.jid.Jid;
import im.zonda.store.AppendedOrigins;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The message log, which remembers for whom nothing waits while the home is not loaded.
///
/// The count that a home leaves is used once, when the home is loaded again: from then on the home
/// counts. Nothing is added to the cost of a message but one look-up.
///
/// @param forget drops what is in memory of an owner whose home may have been on another node; does
///   nothing without a cluster
record CachedMessageLog(MessageLog log, OwnerCache<Boolean> noneWaits, Consumer<Jid> forget)
    implements MessageLog {
  /// Whether it is known that nothing waits; asked once.
  boolean takeNoneWaits(Jid owner) {
    if (noneWaits.find(owner) == null) {
      return false;
    }
    noneWaits.drop(owner);
    return true;
  }

  @Override
  public long takeOver(Jid owner, long newest) {
    forget.accept(owner);
    return log.takeOver(owner, newest);
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
  public boolean keepsOrigins() {
    return log.keepsOrigins();
  }

  @Override
  public Map<Long, Known> findOrigins(Set<Long> origins, Duration age) {
    return log.findOrigins(origins, age);
  }

  @Override
  public AppendedOrigins appendedOrigins(Duration age) {
    return log.appendedOrigins(age);
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
