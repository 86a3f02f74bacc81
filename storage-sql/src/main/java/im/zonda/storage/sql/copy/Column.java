package im.zonda.storage.sql.copy;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/// A column of a table that is copied.
///
/// @param name its name in each database
/// @param type how its values are read and written
record Column(String name, Type type) {
  /// Types of values. Databases have several types of their own for each.
  enum Type {
    INTEGER,
    TEXT,
    BYTES,
    /// Not copied; 0 in the copy.
    RESET
  }

  /// The column in a list of what is selected.
  String selected() {
    return type == Type.RESET ? "0" : quoted();
  }

  /// The name as an identifier of SQL.
  String quoted() {
    return '"' + name + '"';
  }

  /// Reads a value. Some drivers return null for an empty array.
  @Nullable Object read(ResultSet row, int index) throws SQLException {
    return switch (type) {
      case INTEGER, RESET -> {
        long number = row.getLong(index);
        yield row.wasNull() ? null : (Long) number;
      }
      case TEXT -> row.getString(index);
      case BYTES -> {
        byte[] bytes = row.getBytes(index);
        yield bytes == null && !row.wasNull() ? new byte[0] : bytes;
      }
    };
  }

  /// Sets a parameter to a value that was read.
  void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
    switch (value) {
      case null ->
          statement.setNull(
              index,
              switch (type) {
                case INTEGER, RESET -> Types.BIGINT;
                case TEXT -> Types.VARCHAR;
                case BYTES -> Types.VARBINARY;
              });
      case Long number -> statement.setLong(index, number);
      case String text -> statement.setString(index, text);
      case byte[] bytes -> statement.setBytes(index, bytes);
      default -> throw new IllegalArgumentException(value.getClass().getName());
    }
  }

  /// The bytes of a text or an array, otherwise null.
  static byte @Nullable [] bytes(@Nullable Object value) {
    return switch (value) {
      case String text -> text.getBytes(StandardCharsets.UTF_8);
      case byte[] bytes -> bytes;
      case null, default -> null;
    };
  }
}
