package im.zonda.app.load.client;

import java.nio.charset.StandardCharsets;

/// Finds the stanzas and the elements of XEP-0198 in a server's stream after the login, wherever
/// the bytes are cut. Assumes valid XML.
final class StreamScanner {
  /// Listener for stanzas and counts.
  interface Listener {
    /// A whole message, presence or IQ.
    void stanza();

    /// A request for our count.
    void request();

    /// The server's count.
    void answer(long handled);
  }

  private enum State {
    TEXT,
    TAG_BEGINS,
    CLOSING_TAG,
    NAME,
    ATTRIBUTES,
    QUOTED
  }

  /// Maximum number of bytes kept of a first-level start tag.
  private static final int TAG_KEPT = 512;

  private final Listener listener;
  private final byte[] tag = new byte[TAG_KEPT];
  private State state = State.TEXT;
  private int tagLength;
  private int nameLength;
  private int depth;
  private byte quote;
  private byte last;
  private boolean inStanza;

  StreamScanner(Listener listener) {
    this.listener = listener;
  }

  /// Processes the next bytes.
  void take(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      take(bytes[i]);
    }
  }

  private void take(byte b) {
    switch (state) {
      case TEXT -> {
        if (b == '<') {
          state = State.TAG_BEGINS;
        }
      }
      case TAG_BEGINS -> {
        tagLength = 0;
        nameLength = 0;
        state = b == '/' ? State.CLOSING_TAG : State.NAME;
        keep(b);
      }
      case CLOSING_TAG -> {
        if (b == '>') {
          closed();
        }
      }
      case NAME -> {
        if (b == '>' || b == '/' || b <= ' ') {
          nameLength = tagLength;
          state = State.ATTRIBUTES;
          attributes(b);
        } else {
          keep(b);
        }
      }
      case ATTRIBUTES -> attributes(b);
      case QUOTED -> {
        keep(b);
        if (b == quote) {
          state = State.ATTRIBUTES;
        }
      }
    }
    last = b;
  }

  private void attributes(byte b) {
    if (b == '>') {
      opened(last == '/');
    } else {
      keep(b);
      if (b == '\'' || b == '"') {
        quote = b;
        state = State.QUOTED;
      }
    }
  }

  private void keep(byte b) {
    if (depth == 0 && tagLength < TAG_KEPT) {
      tag[tagLength++] = b;
    }
  }

  private void opened(boolean empty) {
    state = State.TEXT;
    if (depth == 0) {
      firstLevel();
    }
    depth++;
    if (empty) {
      closed();
    }
  }

  private void closed() {
    state = State.TEXT;
    depth--;
    if (depth == 0 && inStanza) {
      inStanza = false;
      listener.stanza();
    }
    // Below zero the server has closed the stream; the rest is ignored.
    depth = Math.max(0, depth);
  }

  private void firstLevel() {
    String name = new String(tag, 0, nameLength, StandardCharsets.ISO_8859_1);
    switch (name) {
      case "message", "presence", "iq" -> inStanza = true;
      case "r" -> listener.request();
      case "a" -> listener.answer(count());
      default -> {
        // Stream errors and the like are ignored: the end of the connection follows.
      }
    }
  }

  private long count() {
    String text = new String(tag, 0, tagLength, StandardCharsets.ISO_8859_1);
    String count = Attributes.of(text, "h");
    if (count == null) {
      throw new IllegalStateException("an answer without a count: " + text);
    }
    return Long.parseLong(count);
  }
}
