package im.zonda.home.lifecycle;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;

/// Records with one thing changed, however many things they have.
public final class TestRecords {
  private TestRecords() {}

  /// The same record with that component changed.
  public static <R extends Record> R with(R record, String component, Object value) {
    RecordComponent[] components = record.getClass().getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    boolean found = false;
    try {
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        boolean meant = components[i].getName().equals(component);
        values[i] = meant ? value : components[i].getAccessor().invoke(record);
        found |= meant;
      }
      if (!found) {
        throw new IllegalArgumentException("no component " + component);
      }
      @SuppressWarnings("unchecked") // the class of R
      Constructor<R> constructor = (Constructor<R>) record.getClass().getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot set " + component, e);
    }
  }
}
