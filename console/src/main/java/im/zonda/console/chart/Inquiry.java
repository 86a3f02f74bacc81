package im.zonda.console.chart;

import im.zonda.console.view.Values;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A visit of an administrator, as far as charts need it.
public interface Inquiry {
  /// Shows values in the reader's language.
  Values values();

  /// A text in the reader's language.
  String text(String key, String... values);

  /// Whether there is an operation of that name, and the visitor may run it.
  boolean may(String operation);

  /// The result of an operation as plain data; null if it was refused.
  @Nullable Map<String, @Nullable Object> data(
      String operation, Map<String, ? extends @Nullable Object> given);
}
