package im.zonda.storage.sql.log;

import im.zonda.store.StoreException;
import java.sql.SQLException;

/// Background work that no caller waits for. Each transaction runs one portion, until nothing is
/// left to do. While other operations arrive, portions get a small share of the writer's time; an
/// urgent one is run with the next group of operations.
public final class BackgroundTask implements WriteOperation {
  /// What the task does. Confined to the writer thread.
  public interface Body {
    /// Runs a portion and returns whether there is more to do. Changes outside the database must
    /// not take effect before [#committed]. May run again after [#rolledBack].
    boolean runPortion(WriterConnection writer) throws SQLException;

    /// The portion is durable. Does nothing by default.
    default void committed() {}

    /// The portion was rolled back. Does nothing by default.
    default void rolledBack() {}

    /// Whether other operations depend on this work, so that its next portion must not be delayed.
    default boolean isUrgent() {
      return false;
    }

    /// No more portions follow: everything is done, or the database is failing. Does nothing by
    /// default.
    default void ended() {}
  }

  private final WriteQueue queue;
  private final Body body;
  private boolean urgent;
  private boolean more;
  private long nanos;

  public BackgroundTask(WriteQueue queue, Body body) {
    this.queue = queue;
    this.body = body;
  }

  @Override
  public void apply(WriterConnection writer) throws SQLException {
    long start = System.nanoTime();
    urgent = body.isUrgent();
    writer.messages().flush();
    more = body.runPortion(writer);
    nanos = System.nanoTime() - start;
  }

  /// Called by the writer only.
  boolean isUrgent() {
    return body.isUrgent();
  }

  /// Whether the portion was urgent.
  boolean wasUrgent() {
    return urgent;
  }

  /// How long the portion took, in nanoseconds.
  long nanos() {
    return nanos;
  }

  @Override
  public void committed() {
    body.committed();
    if (more) {
      queue.offer(new BackgroundTask(queue, body));
    } else {
      body.ended();
    }
  }

  @Override
  public void rolledBack() {
    more = false;
    body.rolledBack();
  }

  @Override
  public void failed(StoreException cause) {
    body.ended();
  }

  @Override
  public boolean keptInOutage() {
    return false;
  }

  @Override
  public int bytes() {
    return 0;
  }

  @Override
  public String toString() {
    return body.getClass().getSimpleName();
  }
}
