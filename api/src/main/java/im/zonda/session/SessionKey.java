package im.zonda.session;

import org.jspecify.annotations.Nullable;

/// Names a value that a module keeps with a session. Keys are compared by identity.
///
/// @param <T> the value's type
/// @param name for people
/// @param type the value's class
public record SessionKey<T>(String name, Class<T> type) {
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
