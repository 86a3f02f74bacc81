package im.zonda.module.upload;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A part of a file that a client has asked for (RFC 9110, section 14).
///
/// @param offset the first byte
/// @param length how many bytes; 0 if the file has none of those that were asked for
record ByteRange(long offset, long length) {
  private static final Pattern SINGLE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  /// Reads the header field `Range`; null if it is to be ignored, as several ranges are.
  ///
  /// @param size of the file
  static @Nullable ByteRange of(@Nullable String field, long size) {
    Matcher parts = SINGLE.matcher(field == null ? "" : field.replace(" ", ""));
    if (!parts.matches()) {
      return null;
    }
    String first = parts.group(1);
    String last = parts.group(2);
    if (first.isEmpty()) {
      if (last.isEmpty()) {
        return null;
      }
      long length = Math.min(Long.parseLong(last), size);
      return new ByteRange(size - length, length);
    }
    long from = Long.parseLong(first);
    long to = last.isEmpty() ? size - 1 : Math.min(Long.parseLong(last), size - 1);
    if (!last.isEmpty() && Long.parseLong(last) < from) {
      return null;
    }
    return from >= size ? new ByteRange(from, 0) : new ByteRange(from, to - from + 1);
  }

  /// The header field `Content-Range`.
  String header(long size) {
    return length == 0
        ? "bytes */" + size
        : "bytes " + offset + "-" + (offset + length - 1) + "/" + size;
  }
}
