package im.zonda.cluster.membership;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.ClusterRows;
import im.zonda.store.StoreException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks for the row on a thread of its own, because the database may be slow. Requests of a kind
/// that wait are joined to one, so that never more than three wait. A request that fails is not
/// repeated: the next tick brings another. Safe for use by several threads.
final class RowRequests {
  private static final Logger LOG = LoggerFactory.getLogger(RowRequests.class);

  private record Change(long expected, ClusterRow next) {}

  private final ClusterRows rows;
  private final Executor thread;
  private final Consumer<ClusterRow> answers;

  // Guarded by this object's monitor.
  private boolean read;
  private @Nullable Long renewal;
  private @Nullable Change change;
  private boolean submitted;

  /// Used on the thread only.
  private boolean failing;

  /// @param answers receives each row that was read, on the thread
  RowRequests(ClusterRows rows, Executor thread, Consumer<ClusterRow> answers) {
    this.rows = rows;
    this.thread = thread;
    this.answers = answers;
  }

  synchronized void read() {
    read = true;
    submit();
  }

  synchronized void renew(long epoch) {
    renewal = epoch;
    submit();
  }

  /// Changes the row, then reads it.
  synchronized void compareAndSet(long expected, ClusterRow next) {
    change = new Change(expected, next);
    read = true;
    submit();
  }

  private void submit() {
    if (!submitted) {
      submitted = true;
      thread.execute(this::run);
    }
  }

  private void run() {
    boolean reading;
    Long renewing;
    Change changing;
    synchronized (this) {
      reading = read;
      renewing = renewal;
      changing = change;
      read = false;
      renewal = null;
      change = null;
      submitted = false;
    }
    try {
      if (renewing != null) {
        rows.renew(renewing);
      }
      if (changing != null) {
        boolean changed = rows.compareAndSet(changing.expected(), changing.next());
        LOG.atInfo()
            .addKeyValue("epoch", changing.next().epoch())
            .addKeyValue("members", changing.next().members())
            .addKeyValue("changed", changed)
            .log("cluster_row_change");
      }
      if (reading) {
        answers.accept(rows.read());
      }
      reportFailing(null);
    } catch (StoreException e) {
      reportFailing(e);
    }
  }

  private void reportFailing(@Nullable StoreException failure) {
    if (failure != null && !failing) {
      LOG.atWarn().setCause(failure).log("cluster_row_unavailable");
    } else if (failure == null && failing) {
      LOG.atInfo().log("cluster_row_available");
    }
    failing = failure != null;
  }
}
