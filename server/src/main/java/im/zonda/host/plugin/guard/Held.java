package im.zonda.host.plugin.guard;

import org.jspecify.annotations.Nullable;

/// Something that a plugin has given to the server. Anyone in the server refers to this object, so
/// that nothing of the plugin stays in memory once it is cut.
///
/// @param <T> what was given
public final class Held<T> {
  private volatile @Nullable T given;

  Held(T given) {
    this.given = given;
  }

  @Nullable T get() {
    return given;
  }

  void cut() {
    given = null;
  }
}
