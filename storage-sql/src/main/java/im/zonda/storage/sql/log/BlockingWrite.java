package im.zonda.storage.sql.log;

import im.zonda.store.StoreException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// A write that its caller waits for.
public final class BlockingWrite<T extends @Nullable Object> implements WriteOperation {
  /// The statements of the write. May run more than once, so it must change nothing but the
  /// database.
  public interface Body<T extends @Nullable Object> {
    T run(WriterConnection writer) throws SQLException;
  }

  private final Body<T> body;
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private @Nullable T result;

  BlockingWrite(Body<T> body) {
    this.body = body;
  }

  /// Waits for the commit and returns the result.
  ///
  /// @throws StoreException if the write failed, or if the thread was interrupted (the write may
  ///   still be made)
  T await() {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(
          StoreException.Category.UNAVAILABLE, "interrupted while waiting for a commit", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException cause) {
        // A new exception, so that it has the stack of the caller.
        throw new StoreException(cause.category(), String.valueOf(cause.getMessage()), cause);
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void apply(WriterConnection writer) throws SQLException {
    writer.messages().flush();
    result = body.run(writer);
  }

  @Override
  @SuppressWarnings("NullAway") // null is a valid result where T allows it
  public void committed() {
    answer.complete(result);
  }

  @Override
  public void rolledBack() {
    result = null;
  }

  @Override
  public void failed(StoreException cause) {
    answer.completeExceptionally(cause);
  }

  @Override
  public boolean keptInOutage() {
    return false;
  }

  @Override
  public int bytes() {
    return 0;
  }
}
