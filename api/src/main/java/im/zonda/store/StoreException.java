package im.zonda.store;

import org.jspecify.annotations.Nullable;

/// A failure of a store. Caught by the router; the peer sees only a condition.
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// Why it failed.
  public enum Category {
    /// The disk is full or a quota is reached.
    FULL,
    /// Too much is waiting.
    OVERLOADED,
    /// The database or disk fails or does not respond.
    UNAVAILABLE,
    /// The stored data is damaged or of a newer version.
    DAMAGED,
    /// This value cannot be stored, now or later; others can.
    REJECTED,
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
