package im.zonda.home.session;

import im.zonda.session.SessionKey;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The values that modules keep with a session: an array of keys, each followed by its value. An
/// object around it would cost memory for each session.
final class SessionValues {
  private static final Logger LOG = LoggerFactory.getLogger(SessionValues.class);
  private static final Object[] NONE = new Object[0];

  private SessionValues() {}

  static Object[] none() {
    return NONE;
  }

  static <T> @Nullable T find(Object[] values, SessionKey<T> key) {
    int at = indexOf(values, key);
    return at == values.length ? null : key.type().cast(values[at + 1]);
  }

  /// The values with one that is set, or removed if it is null.
  static Object[] with(Object[] values, SessionKey<?> key, @Nullable Object value) {
    int at = indexOf(values, key);
    if (value != null) {
      Object[] more = at == values.length ? Arrays.copyOf(values, at + 2) : values;
      more[at] = key;
      more[at + 1] = value;
      return more;
    }
    if (at == values.length) {
      return values;
    }
    Object[] fewer = new Object[values.length - 2];
    System.arraycopy(values, 0, fewer, 0, at);
    System.arraycopy(values, at + 2, fewer, at, fewer.length - at);
    return fewer;
  }

  private static int indexOf(Object[] values, SessionKey<?> key) {
    int at = 0;
    while (at < values.length && !key.equals(values[at])) {
      at += 2;
    }
    return at;
  }

  /// Reads a value that was saved; null if it was not, or cannot be read.
  static <T> @Nullable T read(Map<String, String> saved, SessionKey<T> key) {
    SessionKey.Saving<T> saving = key.saving();
    String text = saved.get(key.name());
    if (saving == null || text == null) {
      return null;
    }
    try {
      return saving.read().apply(text);
    } catch (RuntimeException e) {
      LOG.atWarn().addKeyValue("key", key.name()).setCause(e).log("session_value_not_read");
      return null;
    }
  }

  /// Writes values that are saved with a session as text.
  ///
  /// @param sentOnly whether only those that depend on what the session was sent
  static void save(Object[] values, boolean sentOnly, Map<String, String> all) {
    for (int i = 0; i < values.length; i += 2) {
      save((SessionKey<?>) values[i], values[i + 1], sentOnly, all);
    }
  }

  private static <T> void save(
      SessionKey<T> key, Object value, boolean sentOnly, Map<String, String> all) {
    if (key.saving() == null || (sentOnly && !key.saving().sent())) {
      return;
    }
    try {
      all.put(key.name(), key.saving().write().apply(key.type().cast(value)));
    } catch (RuntimeException e) {
      // It costs itself, not the session.
      all.remove(key.name());
      LOG.atError().addKeyValue("key", key.name()).setCause(e).log("session_value_not_written");
    }
  }
}
