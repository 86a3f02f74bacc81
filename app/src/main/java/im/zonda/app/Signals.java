package im.zonda.app;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.LoggerFactory;

/// Runs actions for signals of the operating system, which otherwise end the process. Java has no
/// public interface for signals; `sun.misc.Signal`, which every JDK has, is used by reflection
/// because the compiler warns about it.
final class Signals {
  private Signals() {}

  /// Ends the process with exit code 0 on `SIGTERM`, by which service managers stop it: a JVM ends
  /// with 143, which they take for a failure. The shutdown hooks run as usual.
  static void exitCleanlyWhenTerminated() {
    AutoCloseable _ =
        handle(
            "TERM", () -> Thread.ofPlatform().name("zonda-terminated").start(() -> System.exit(0)));
  }

  /// Starts handling a signal. Where that is not possible the signal ends the process.
  ///
  /// @param name such as `HUP`
  /// @param action must return at once
  /// @return restores what was done before
  @SuppressWarnings("ReferenceEquality") // what a proxy of one instance is equal to
  static AutoCloseable handle(String name, Runnable action) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "handle" -> {
                action.run();
                yield null;
              }
              case "equals" -> proxy == arguments[0];
              case "hashCode" -> System.identityHashCode(proxy);
              default -> name;
            };
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> type = Class.forName("sun.misc.SignalHandler");
      Method handle = signal.getMethod("handle", signal, type);
      Object handled = signal.getConstructor(String.class).newInstance(name);
      Object made =
          Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {type}, handler);
      Object before = handle.invoke(null, handled, made);
      return () -> handle.invoke(null, handled, before);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      LoggerFactory.getLogger(Signals.class)
          .atWarn()
          .addKeyValue("signal", name)
          .setCause(e)
          .log("signal_not_handled");
      return () -> {};
    }
  }
}
