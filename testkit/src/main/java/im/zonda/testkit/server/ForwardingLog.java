package im.zonda.testkit.server;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreState;
import java.util.List;

/// A message log that passes every call on to another one. A test overrides what it observes or
/// changes.
public interface ForwardingLog extends MessageLog {
  /// The log that gets the calls.
  MessageLog inner();

  @Override
  default long nextId() {
    return inner().nextId();
  }

  @Override
  default Receipt append(Entry entry, Keep keep, boolean waiting) {
    return inner().append(entry, keep, waiting);
  }

  @Override
  default Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
    return inner().append(entry, keep, waiting, sent);
  }

  @Override
  default List<Entry> waiting(Jid owner, long afterId, int limit, long bytes) {
    return inner().waiting(owner, afterId, limit, bytes);
  }

  @Override
  default int waitingCount(Jid owner) {
    return inner().waitingCount(owner);
  }

  @Override
  default void delivered(Jid owner, List<Long> ids) {
    inner().delivered(owner, ids);
  }

  @Override
  default boolean nearlyFull() {
    return inner().nearlyFull();
  }

  @Override
  default boolean congested() {
    return inner().congested();
  }

  @Override
  default StoreState state() {
    return inner().state();
  }

  @Override
  default void onRelief(Runnable action) {
    inner().onRelief(action);
  }

  @Override
  default void flush() {
    inner().flush();
  }
}
