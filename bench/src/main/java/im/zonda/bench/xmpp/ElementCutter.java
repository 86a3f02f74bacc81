package im.zonda.bench.xmpp;

import java.util.Arrays;

/// Splits the stream of a server into its elements of the first level, however the bytes are split
/// into reads. Assumes well-formed XML without comments and CDATA, which RFC 6120 (section 11)
/// mostly forbids and servers do not write. Keeps no memory between elements.
final class ElementCutter {
  private static final byte[] HEADER = {'<', 's', 't', 'r', 'e', 'a', 'm', ':', 's', 't', 'r', 'e'};
  private static final byte[] NOTHING = {};

  /// The largest element; a server that sends a larger one is cut off.
  static final int MAX_BYTES = 64 << 20;

  /// Receiver of elements. The array may be used again after the call.
  interface Receiver {
    /// An element of the first level.
    void element(byte[] bytes, int from, int to);

    /// The end tag of the stream.
    void end();
  }

  private final Receiver receiver;

  /// The beginning of an element that is not complete, in the first `kept` bytes.
  private byte[] rest = NOTHING;

  private int kept;

  // Where the scan goes on, relative to the beginning of the element.
  private int scanned;
  private int depth;
  private int tag = -1;
  private byte quote;

  ElementCutter(Receiver receiver) {
    this.receiver = receiver;
  }

  /// Processes the next bytes.
  ///
  /// @throws IllegalStateException if an element is too large
  void take(byte[] bytes, int from, int to) {
    if (kept == 0) {
      keep(bytes, cut(bytes, from, to), to);
      return;
    }
    int length = kept + to - from;
    if (length > MAX_BYTES) {
      throw new IllegalStateException("an element of more than " + MAX_BYTES + " bytes");
    }
    if (length > rest.length) {
      rest = Arrays.copyOf(rest, Math.max(length, 2 * kept));
    }
    System.arraycopy(bytes, from, rest, kept, to - from);
    byte[] all = rest;
    rest = NOTHING;
    kept = 0;
    int at = cut(all, 0, length);
    if (at == 0) {
      rest = all;
      kept = length;
    } else {
      keep(all, at, length);
    }
  }

  private void keep(byte[] bytes, int from, int to) {
    rest = from == to ? NOTHING : Arrays.copyOfRange(bytes, from, to);
    kept = rest.length;
  }

  /// Reports complete elements; returns where the first incomplete one begins.
  private int cut(byte[] bytes, int from, int to) {
    int begin = from;
    while (true) {
      while (begin < to && scanned == 0 && bytes[begin] <= ' ') {
        begin++;
      }
      if (begin == to) {
        return to;
      }
      int end = end(bytes, begin, to);
      if (end < 0) {
        return begin;
      }
      scanned = 0;
      depth = 0;
      if (bytes[begin + 1] == '/') {
        receiver.end();
      } else if (bytes[begin + 1] != '?' && !isHeader(bytes, begin, end)) {
        receiver.element(bytes, begin, end);
      }
      begin = end;
    }
  }

  /// Scans on; returns the end of the element that begins there, or -1 if it is incomplete.
  private int end(byte[] bytes, int begin, int to) {
    int at = begin + scanned;
    while (at < to) {
      if (tag < 0) {
        at = indexOf(bytes, '<', at, to);
        if (at < 0) {
          break;
        }
        tag = at - begin;
        at++;
        continue;
      }
      byte b = bytes[at++];
      if (quote != 0) {
        if (b == quote) {
          quote = 0;
        }
      } else if (b == '\'' || b == '"') {
        quote = b;
      } else if (b == '>' && closes(bytes, begin, at)) {
        return at;
      }
    }
    scanned = to - begin;
    return -1;
  }

  /// Whether a tag, which ends before `end`, is the end of the element.
  private boolean closes(byte[] bytes, int begin, int end) {
    int start = begin + tag;
    tag = -1;
    byte first = bytes[start + 1];
    if (first == '/') {
      depth--;
    } else if (bytes[end - 2] != '/') {
      depth++;
    }
    boolean alone = start == begin && (first == '?' || isHeader(bytes, begin, end));
    return alone || depth <= 0;
  }

  private static boolean isHeader(byte[] bytes, int begin, int end) {
    return end - begin >= HEADER.length
        && Arrays.equals(bytes, begin, begin + HEADER.length, HEADER, 0, HEADER.length);
  }

  private static int indexOf(byte[] bytes, char wanted, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }
}
