package im.zonda.testkit.server;

import im.zonda.config.ServerConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;

/// Changes single values of a configuration by name, so that tests need not list all others.
public final class Settings {
  private Settings() {}

  /// A copy with another value at `path`, such as `limits.saslFailures`.
  ///
  /// @throws IllegalArgumentException if there is no such value or it is of another type
  public static ServerConfig with(ServerConfig config, String path, Object value) {
    return (ServerConfig) with((Record) config, path, value);
  }

  private static Record with(Record whole, String path, Object value) {
    int dot = path.indexOf('.');
    String name = dot < 0 ? path : path.substring(0, dot);
    RecordComponent[] components = whole.getClass().getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    boolean found = false;
    try {
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = components[i].getAccessor().invoke(whole);
        if (components[i].getName().equals(name)) {
          found = true;
          values[i] = dot < 0 ? value : with((Record) values[i], path.substring(dot + 1), value);
        }
      }
      if (!found) {
        throw new IllegalArgumentException(whole.getClass().getSimpleName() + " has no " + name);
      }
      return whole.getClass().getDeclaredConstructor(types).newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(path + " does not take " + value, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(path + " cannot be set", e);
    }
  }
}
