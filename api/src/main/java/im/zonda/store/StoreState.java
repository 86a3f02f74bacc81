package im.zonda.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Whether the store writes at present.
///
/// @param kind whether it writes
/// @param since since when it does not, or null
/// @param cause why it does not, or null
public record StoreState(
    Kind kind, @Nullable Instant since, StoreException.@Nullable Category cause) {
  /// The store writes.
  public static final StoreState STORING = new StoreState(Kind.STORING, null, null);

  /// Whether the store writes.
  public enum Kind {
    /// It writes.
    STORING,
    /// It retries until it succeeds; log entries wait in memory.
    FAILING,
    /// It does not write until the server is restarted; it may still read.
    STOPPED
  }

  /// Whether the store writes.
  public boolean ok() {
    return kind == Kind.STORING;
  }

  /// Whether to accept a message that cannot be delivered now, to be stored once the store writes
  /// again, from a sender that does not wait for an acknowledgement. Not on a full disk, which
  /// needs an administrator, and not when nothing more will be written.
  public boolean acceptsForLater() {
    return kind != Kind.STOPPED && cause != StoreException.Category.FULL;
  }
}
