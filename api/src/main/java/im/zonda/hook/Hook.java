package im.zonda.hook;

import java.util.List;
import java.util.function.Function;

/// One kind of declaration of modules. Compared by identity.
///
/// @param <H> what modules declare
public final class Hook<H> {
  private final String name;
  private final Function<H, List<?>> keys;

  private Hook(String name, Function<H, List<?>> keys) {
    this.name = name;
    this.keys = keys;
  }

  /// A hook to which any number of modules may add anything.
  public static <H> Hook<H> of(String name) {
    return new Hook<>(name, handler -> List.of());
  }

  /// A hook where only one module may declare each of some keys.
  ///
  /// @param name for errors: what two modules must not declare
  /// @param keys the keys of what is declared, for errors too
  public static <H> Hook<H> exclusive(String name, Function<H, List<?>> keys) {
    return new Hook<>(name, keys);
  }

  /// The keys of `handler` that no other module may declare.
  List<?> keys(H handler) {
    return keys.apply(handler);
  }

  @Override
  public String toString() {
    return name;
  }
}
