package im.zonda.session;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A key for a value that a module keeps with a session. Compared by identity.
///
/// @param <T> the value's type
/// @param name unique among the keys whose values are saved
/// @param type the value's class
/// @param saving how the value is saved for sessions that are resumed after a restart (XEP-0198);
///   null if it is not
public record SessionKey<T>(String name, Class<T> type, @Nullable Saving<T> saving) {
  /// Converts a value to text and back.
  ///
  /// @param <T> the value's type
  /// @param write converts to text
  /// @param read parses it, or throws [IllegalArgumentException]
  /// @param sent whether the value depends on what the client was sent: in a replica of the session
  ///   it belongs to the last stanza of the replica
  public record Saving<T>(Function<T, String> write, Function<String, T> read, boolean sent) {}

  /// A key whose value is not saved.
  public SessionKey(String name, Class<T> type) {
    this(name, type, null);
  }

  /// A key whose value is saved as text.
  public SessionKey(
      String name, Class<T> type, Function<T, String> write, Function<String, T> read) {
    this(name, type, new Saving<>(write, read, false));
  }

  /// A key whose value says what the client was sent, and is saved as text.
  public static <T> SessionKey<T> ofSent(
      String name, Class<T> type, Function<T, String> write, Function<String, T> read) {
    return new SessionKey<>(name, type, new Saving<>(write, read, true));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
