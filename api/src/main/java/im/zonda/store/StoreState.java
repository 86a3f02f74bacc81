package im.zonda.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Whether what is given to a store becomes durable at present.
///
/// @param kind whether it does
/// @param since since when it does not, or null if it does
/// @param cause why it does not, or null if it does
public record StoreState(
    Kind kind, @Nullable Instant since, StoreException.@Nullable Category cause) {
  /// All is well.
  public static final StoreState STORING = new StoreState(Kind.STORING, null, null);

  /// Whether what is given to the store becomes durable.
  public enum Kind {
    /// It does.
    STORING,
    /// Not now. The store tries again until it succeeds; log entries wait in memory.
    FAILING,
    /// Not before the server is started anew; reading may still work.
    STOPPED
  }

  /// Whether all is well.
  public boolean ok() {
    return kind == Kind.STORING;
  }

  /// Whether a message that nobody can be given now should be accepted, to be stored when the
  /// trouble is over, also from a sender that is never told whether it was stored. Not on a full
  /// disk, which waits for a person and not for a moment, and not when nothing more will be stored.
  public boolean acceptsForLater() {
    return kind != Kind.STOPPED && cause != StoreException.Category.FULL;
  }
}
