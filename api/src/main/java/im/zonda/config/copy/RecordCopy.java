package im.zonda.config.copy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/// Copies settings with another value in one place, so that nobody has to list all others.
public final class RecordCopy {
  private RecordCopy() {}

  /// A copy with another value at `path`, such as `data` or `limits.saslFailures`. Not for the hot
  /// path.
  ///
  /// @throws IllegalArgumentException if there is no such value, or it does not take this one
  @SuppressWarnings("unchecked")
  public static <R extends Record> R with(R whole, String path, @Nullable Object value) {
    return (R) copy(whole, path, value);
  }

  /// A copy with all values of `parts`, each in the place of its name.
  ///
  /// @throws IllegalArgumentException if there is no such place, or it does not take the value
  public static <R extends Record> R withAll(R whole, Record parts) {
    R changed = whole;
    try {
      for (RecordComponent each : parts.getClass().getRecordComponents()) {
        changed = with(changed, each.getName(), each.getAccessor().invoke(parts));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(parts + " cannot be read", e);
    }
    return changed;
  }

  private static Record copy(Record whole, String path, @Nullable Object value) {
    int dot = path.indexOf('.');
    String name = dot < 0 ? path : path.substring(0, dot);
    RecordComponent[] components = whole.getClass().getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new Object[components.length];
    boolean found = false;
    try {
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = components[i].getAccessor().invoke(whole);
        if (components[i].getName().equals(name)) {
          found = true;
          values[i] = dot < 0 ? value : within(values[i], path.substring(dot + 1), value);
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

  private static Record within(@Nullable Object part, String path, @Nullable Object value) {
    if (part instanceof Record inner) {
      return copy(inner, path, value);
    }
    throw new IllegalArgumentException("nothing has " + path);
  }
}
