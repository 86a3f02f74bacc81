package im.zonda.home.lifecycle;

import im.zonda.store.MessageLog;
import im.zonda.store.StoreState;
import im.zonda.store.Stores;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Stores that notify a test before they read what a home needs, and waiting messages from the log.
final class CountedReads {
  private CountedReads() {}

  /// @param load runs before a home is loaded, and may throw what that is to throw
  /// @param before runs before waiting messages are read, and may throw what the log is to throw
  /// @param state what the log says of itself instead of what is true; may give null
  static Stores of(
      Stores stores, Runnable load, Runnable before, Supplier<@Nullable StoreState> state) {
    MessageLog stated = proxy(MessageLog.class, stores.messages(), "state", state);
    MessageLog log =
        proxy(
            MessageLog.class,
            stated,
            "waiting.*",
            () -> {
              before.run();
              return null;
            });
    Stores counted = proxy(Stores.class, stores, "messages", () -> log);
    return proxy(
        Stores.class,
        counted,
        "openHome",
        () -> {
          load.run();
          return null;
        });
  }

  /// Asks `instead` at each call of methods for what it returns; the real one is called if that is
  /// null.
  private static <T> T proxy(
      Class<T> type, T real, String name, Supplier<? extends @Nullable Object> instead) {
    return type.cast(
        Proxy.newProxyInstance(
            CountedReads.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Object other = method.getName().matches(name) ? instead.get() : null;
              try {
                return other == null ? method.invoke(real, arguments) : other;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
