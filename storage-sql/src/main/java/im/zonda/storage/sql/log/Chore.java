package im.zonda.storage.sql.log;

import im.zonda.store.StoreException;
import java.sql.SQLException;

/// Work in the background that nobody waits for: a portion rides on a transaction, and the next one
/// is queued behind all that came meanwhile, until there is nothing left to do.
public final class Chore implements Work {
  /// The kind of work. All calls are made by the writer's thread.
  public interface Task {
    /// Does a portion; whether there is more. What it changes besides the database must not count
    /// before [#committed]. It may run again after [#undone].
    boolean portion(WriterConnection writer) throws SQLException;

    /// The portion is durable. Does nothing by default.
    default void committed() {}

    /// The portion was rolled back. Does nothing by default.
    default void undone() {}

    /// No more portions follow for now: all is done, or the database fails. Does nothing by
    /// default.
    default void ended() {}
  }

  private final WriteQueue queue;
  private final Task task;
  private boolean more;

  public Chore(WriteQueue queue, Task task) {
    this.queue = queue;
    this.task = task;
  }

  @Override
  public void apply(WriterConnection writer) throws SQLException {
    writer.messages().flush();
    more = task.portion(writer);
  }

  @Override
  public void committed() {
    task.committed();
    if (more) {
      queue.offer(new Chore(queue, task));
    } else {
      task.ended();
    }
  }

  @Override
  public void undone() {
    more = false;
    task.undone();
  }

  @Override
  public void failed(StoreException cause) {
    task.ended();
  }

  @Override
  public boolean kept() {
    return false;
  }

  @Override
  public int bytes() {
    return 0;
  }

  @Override
  public String toString() {
    return task.getClass().getSimpleName();
  }
}
