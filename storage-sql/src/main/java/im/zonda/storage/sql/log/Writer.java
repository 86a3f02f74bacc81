package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// The way to the writer for the stores.
///
/// @param queue what it works on
/// @param ids the ids and versions it gives out
public record Writer(WriteQueue queue, IdClock ids) {
  /// Makes a change and waits until it is durable.
  ///
  /// @throws im.zonda.store.StoreException if it was not made
  public <T extends @Nullable Object> T change(Change.Body<T> body) {
    Change<T> change = new Change<>(body);
    queue.offerChange(change);
    return change.await();
  }

  /// A change of the data of one owner: `body` gets its number.
  ///
  /// @throws IllegalStateException if there is no such owner
  public <T> T changeOf(Jid owner, OwnedBody<T> body) {
    T result =
        this.<@Nullable T>change(connection -> {
          long id = connection.owners().idOf(owner);
          return id == Owners.NONE ? null : body.run(connection, id);
        });
    if (result == null) {
      throw new IllegalStateException("no account or room " + owner);
    }
    return result;
  }

  /// What a change of an owner's data does.
  public interface OwnedBody<T> {
    T run(WriterConnection connection, long ownerId) throws SQLException;
  }

  /// Begins a task in the background.
  public void begin(Chore.Task task) {
    queue.offer(new Chore(queue, task));
  }
}
