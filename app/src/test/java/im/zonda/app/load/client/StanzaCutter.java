package im.zonda.app.load.client;

import java.util.Arrays;

/// Splits a server's stream into its header and its first-level elements, however the bytes are
/// split into reads. Assumes valid XML without `>` in attributes, because checking would cost too
/// much.
///
/// Between elements it keeps no memory.
public final class StanzaCutter {
  private static final byte[] HEADER = {'<', 's', 't', 'r', 'e', 'a', 'm', ':', 's', 't', 'r', 'e'};
  private static final byte[] NOTHING = {};

  /// Listener for elements. The array may be reused after the call.
  public interface Listener {
    /// A first-level element.
    void element(byte[] bytes, int from, int to);

    /// The server has closed the stream.
    void end();
  }

  private final Listener listener;
  private byte[] rest = NOTHING;

  public StanzaCutter(Listener listener) {
    this.listener = listener;
  }

  /// Processes the next bytes.
  public void take(byte[] bytes, int from, int to) {
    if (rest.length == 0) {
      int kept = cut(bytes, from, to);
      rest = kept == to ? NOTHING : Arrays.copyOfRange(bytes, kept, to);
      return;
    }
    byte[] all = Arrays.copyOf(rest, rest.length + to - from);
    System.arraycopy(bytes, from, all, rest.length, to - from);
    int kept = cut(all, 0, all.length);
    rest = kept == all.length ? NOTHING : Arrays.copyOfRange(all, kept, all.length);
  }

  /// Reports complete elements; returns the position of the rest.
  private int cut(byte[] bytes, int from, int to) {
    int at = from;
    while (true) {
      while (at < to && bytes[at] <= ' ') {
        at++;
      }
      int end =
          to - at < HEADER.length && indexOf(bytes, '>', at, to) < 0 ? -1 : end(bytes, at, to);
      if (at == to || end < 0) {
        return at;
      }
      if (bytes[at + 1] == '/') {
        listener.end();
      } else if (bytes[at + 1] != '?' && !isHeader(bytes, at)) {
        listener.element(bytes, at, end);
      }
      at = end;
    }
  }

  private static boolean isHeader(byte[] bytes, int at) {
    return bytes.length - at >= HEADER.length
        && Arrays.equals(bytes, at, at + HEADER.length, HEADER, 0, HEADER.length);
  }

  /// The end of the element that starts at `from`; -1 if it is incomplete. For the stream header
  /// and for anything else than an element, the end of the tag.
  private static int end(byte[] bytes, int from, int to) {
    boolean lone = bytes[from + 1] == '?' || bytes[from + 1] == '/' || isHeader(bytes, from);
    int depth = 0;
    int at = from;
    while (true) {
      int open = indexOf(bytes, '<', at, to);
      int close = open < 0 ? -1 : indexOf(bytes, '>', open, to);
      if (close < 0) {
        return -1;
      }
      if (bytes[open + 1] == '/') {
        depth--;
      } else if (bytes[close - 1] != '/') {
        depth++;
      }
      at = close + 1;
      if (lone || depth <= 0) {
        return at;
      }
    }
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
