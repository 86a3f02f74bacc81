package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.store.Stores;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Access of the stores to the writer thread.
///
/// @param queue the writer's queue
/// @param ids issues message ids and roster versions
public record Writer(WriteQueue queue, IdClock ids) {
  /// Runs a write and waits until it is durable.
  ///
  /// @throws im.zonda.store.StoreException if it failed
  public <T extends @Nullable Object> T change(BlockingWrite.Body<T> body) {
    BlockingWrite<T> change = new BlockingWrite<>(body);
    queue.offerBlocking(change);
    return change.await();
  }

  /// Runs a write to the data of one owner, whose id is passed to `body`.
  ///
  /// @throws Stores.MissingOwnerException if there is no such owner
  public <T> T changeOf(Jid owner, OwnedBody<T> body) {
    T result =
        this.<@Nullable T>change(connection -> {
          long id = connection.ownerIds().idOf(owner);
          return id == OwnerIds.NONE ? null : body.run(connection, id);
        });
    if (result == null) {
      throw new Stores.MissingOwnerException(owner);
    }
    return result;
  }

  /// The statements of a write to an owner's data.
  public interface OwnedBody<T> {
    T run(WriterConnection connection, long ownerId) throws SQLException;
  }
}
