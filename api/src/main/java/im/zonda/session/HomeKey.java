package im.zonda.session;

import im.zonda.jid.Jid;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A key for a value that a module keeps in memory with an account. Compared by identity.
///
/// @param <T> the value's type
/// @param name for logs and errors
/// @param loader loads the value of an account; may block
public record HomeKey<T>(String name, Function<Jid, T> loader) {
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
