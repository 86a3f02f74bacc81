package im.zonda.app.doctor.machine;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/// Copies facts with another value in one place.
final class FactsCopy {
  private FactsCopy() {}

  @SuppressWarnings("unchecked")
  static <R extends Record> R with(R facts, String name, @Nullable Object value) {
    RecordComponent[] components = facts.getClass().getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new Object[components.length];
    boolean found = false;
    try {
      for (int i = 0; i < components.length; i++) {
        components[i].getAccessor().setAccessible(true);
        boolean changed = components[i].getName().equals(name);
        found |= changed;
        types[i] = components[i].getType();
        values[i] = changed ? value : components[i].getAccessor().invoke(facts);
      }
      if (!found) {
        throw new IllegalArgumentException("no " + name);
      }
      Constructor<?> constructor = facts.getClass().getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return (R) constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
