package im.zonda.storage.sql.copy;

import org.jspecify.annotations.Nullable;

/// A row of a table that is copied.
///
/// @param values the values in the order of the table's columns
/// @param size their size in memory in bytes, approximately
@SuppressWarnings("ArrayRecordComponent") // never compared
record Row(@Nullable Object[] values, int size) {
  private static final int VALUE_BYTES = 16;

  static Row of(@Nullable Object[] values) {
    int size = 0;
    for (Object value : values) {
      size += VALUE_BYTES;
      if (value instanceof String text) {
        size += text.length();
      } else if (value instanceof byte[] bytes) {
        size += bytes.length;
      }
    }
    return new Row(values, size);
  }
}
