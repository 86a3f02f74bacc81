package im.zonda.cluster.handover;

import im.zonda.cluster.inbox.Inbox;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tracks the takeover of a lost node's homes: from the placement without that node until all
/// segments here are open and the inbox has caught up. Background work should wait meanwhile,
/// because messages between nodes wait for the takeover. Confined to the node's inbox, except for
/// [#end].
public final class TakeOver {
  /// The inbox has caught up when a task waits no longer than this, in ms.
  private static final long CAUGHT_UP = 50;

  private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);

  private final Inbox inbox;
  private final LongSupplier clock;
  private final Consumer<Boolean> changed;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private boolean allOpen = true;
  private boolean looking;
  private volatile long since;

  /// @param clock the time in ms
  /// @param changed gets true at the begin and false at the end; returns at once
  public TakeOver(Inbox inbox, LongSupplier clock, Consumer<Boolean> changed) {
    this.inbox = inbox;
    this.clock = clock;
    this.changed = changed;
  }

  /// A placement was installed.
  ///
  /// @param lost whether a node is gone
  /// @param open whether no segment of this node waits
  void installed(boolean lost, boolean open) {
    if (lost && underWay.compareAndSet(false, true)) {
      since = clock.getAsLong();
      changed.accept(true);
    }
    opened(open);
  }

  /// A segment of this node has opened.
  ///
  /// @param all whether no other one waits
  void opened(boolean all) {
    allOpen = all;
    if (all && underWay.get() && !looking) {
      looking = true;
      look();
    }
  }

  private void look() {
    long begun = clock.getAsLong();
    inbox.submit(() -> {
      if (allOpen && underWay.get() && clock.getAsLong() - begun > CAUGHT_UP) {
        look();
      } else {
        looking = false;
        if (allOpen) {
          end();
        }
      }
    });
  }

  /// Ends the takeover, also because this node was evicted. Any thread may call.
  void end() {
    if (underWay.compareAndSet(true, false)) {
      LOG.atInfo().addKeyValue("millis", clock.getAsLong() - since).log("homes_taken_over");
      changed.accept(false);
    }
  }
}
