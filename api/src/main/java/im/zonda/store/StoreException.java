package im.zonda.store;

import org.jspecify.annotations.Nullable;

/// A store could not do what was asked. Caught once, by the router; the peer sees only a condition.
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// Why it failed.
  public enum Category {
    /// The disk is full or a quota is reached; it may pass.
    FULL,
    /// Too much waits already; it will pass.
    OVERLOADED,
    /// The database or disk does not answer or fails.
    UNAVAILABLE,
    /// The stored data is damaged or of a newer version.
    DAMAGED,
    /// The store is closed.
    CLOSED
  }

  private final Category category;

  /// A failure of that category.
  public StoreException(Category category, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.category = category;
  }

  /// Why it failed.
  public Category category() {
    return category;
  }

  /// Whether the same call may succeed later.
  public boolean retryable() {
    return category == Category.FULL
        || category == Category.OVERLOADED
        || category == Category.UNAVAILABLE;
  }
}
