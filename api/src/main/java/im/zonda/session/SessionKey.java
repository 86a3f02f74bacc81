package im.zonda.session;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Names a value that a module keeps with a session. Keys are compared by identity.
///
/// @param <T> the value's type
/// @param name for people; no two keys whose values are saved may have the same
/// @param type the value's class
/// @param saving how the value goes with a session that is resumed after the server was started
///   again (XEP-0198); null if it does not
public record SessionKey<T>(String name, Class<T> type, @Nullable Saving<T> saving) {
  /// A value as text and back.
  ///
  /// @param <T> the value's type
  /// @param write makes the text
  /// @param read reads it; an [IllegalArgumentException] says that it cannot be read
  public record Saving<T>(Function<T, String> write, Function<String, T> read) {}

  /// A key whose value goes with the server's process.
  public SessionKey(String name, Class<T> type) {
    this(name, type, null);
  }

  /// The same key as text that is saved.
  public SessionKey(
      String name, Class<T> type, Function<T, String> write, Function<String, T> read) {
    this(name, type, new Saving<>(write, read));
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
