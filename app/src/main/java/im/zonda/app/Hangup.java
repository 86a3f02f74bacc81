package im.zonda.app;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.LoggerFactory;

/// Runs an action for each signal `SIGHUP`, which otherwise ends the process. Java has no public
/// interface for signals; `sun.misc.Signal`, which every JDK has, is used by reflection because the
/// compiler warns about it.
final class Hangup {
  private Hangup() {}

  /// Starts handling the signal. Where that is not possible the signal ends the process.
  ///
  /// @param action must return at once
  /// @return restores what was done before
  @SuppressWarnings("ReferenceEquality") // what a proxy of one instance is equal to
  static AutoCloseable handle(Runnable action) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "handle" -> {
                action.run();
                yield null;
              }
              case "equals" -> proxy == arguments[0];
              case "hashCode" -> System.identityHashCode(proxy);
              default -> "hangup";
            };
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> type = Class.forName("sun.misc.SignalHandler");
      Method handle = signal.getMethod("handle", signal, type);
      Object hangup = signal.getConstructor(String.class).newInstance("HUP");
      Object made =
          Proxy.newProxyInstance(Hangup.class.getClassLoader(), new Class<?>[] {type}, handler);
      Object before = handle.invoke(null, hangup, made);
      return () -> handle.invoke(null, hangup, before);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      LoggerFactory.getLogger(Hangup.class).atWarn().setCause(e).log("hangup_not_handled");
      return () -> {};
    }
  }
}
