package im.zonda.storage.sql.copy;

import im.zonda.hash.HashFunction;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/// The number of rows of a table and a checksum over all their columns.
///
/// Each row is encoded independently of its database: for each column its kind (null, integer, text
/// in UTF-8, bytes), the length and the value. The checksum is the sum of the first 128 bits of the
/// rows' SHA-256, so it does not depend on their order.
final class TableSum {
  private static final byte NULL = 0;
  private static final byte INTEGER = 1;
  private static final byte TEXT = 2;
  private static final byte BYTES = 3;

  private final MessageDigest digest = HashFunction.SHA_256.begin();
  private final ByteBuffer head = ByteBuffer.allocate(9);
  private long rows;
  private long high;
  private long low;

  void add(Row row) {
    for (Object value : row.values()) {
      add(value);
    }
    ByteBuffer result = ByteBuffer.wrap(digest.digest());
    high += result.getLong();
    low += result.getLong();
    rows++;
  }

  private void add(@Nullable Object value) {
    byte[] bytes = Column.bytes(value);
    head.clear();
    switch (value) {
      case null -> head.put(NULL);
      case Long number -> head.put(INTEGER).putLong(number);
      case String _ -> head.put(TEXT);
      default -> head.put(BYTES);
    }
    if (bytes != null) {
      head.putLong(bytes.length);
    }
    digest.update(head.flip());
    if (bytes != null) {
      digest.update(bytes);
    }
  }

  /// The number of rows.
  long rows() {
    return rows;
  }

  /// Whether both are sums of the same rows.
  boolean isSame(TableSum other) {
    return rows == other.rows && high == other.high && low == other.low;
  }
}
