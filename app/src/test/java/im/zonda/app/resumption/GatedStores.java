package im.zonda.app.resumption;

import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import im.zonda.store.Stores;
import im.zonda.testkit.server.ForwardingLog;
import im.zonda.testkit.server.ForwardingStores;
import java.util.ArrayDeque;
import java.util.Queue;

/// Stores whose message log reports a commit only when the test says so.
final class GatedStores implements ForwardingStores {
  private final Stores inner;
  private final GatedLog log;

  GatedStores(Stores inner) {
    this.inner = inner;
    this.log = new GatedLog(inner.messages());
  }

  /// The number of entries whose outcome has not been reported.
  int uncommitted() {
    return log.waiting.size();
  }

  /// Sets the state that the log reports.
  void state(StoreState state) {
    log.state = state;
  }

  /// Reports the oldest waiting entry as committed.
  void commitOne() {
    log.waiting.remove().committed();
  }

  /// Reports all waiting entries as committed.
  void commitAll() {
    while (!log.waiting.isEmpty()) {
      commitOne();
    }
  }

  /// Reports that the oldest waiting entry cannot be stored.
  void failOne() {
    log.waiting
        .remove()
        .failed(
            new StoreException(StoreException.Category.DAMAGED, "made to fail by the test", null));
  }

  @Override
  public Stores inner() {
    return inner;
  }

  @Override
  public MessageLog messages() {
    return log;
  }

  private static final class GatedLog implements ForwardingLog {
    private final MessageLog inner;
    private final Queue<Ending> waiting = new ArrayDeque<>();
    private StoreState state = StoreState.STORING;

    private GatedLog(MessageLog inner) {
      this.inner = inner;
    }

    @Override
    public MessageLog inner() {
      return inner;
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean wait) {
      return gated(inner.append(entry, keep, wait));
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean wait, Entry sent) {
      return gated(inner.append(entry, keep, wait, sent));
    }

    private Receipt gated(Receipt receipt) {
      return new Receipt() {
        @Override
        public void delivered() {
          receipt.delivered();
        }

        @Override
        public void whenEnded(Ending ending) {
          waiting.add(ending);
        }
      };
    }

    @Override
    public StoreState state() {
      return state;
    }
  }
}
