package im.zonda.xml.framing;

import im.zonda.xml.XmlChars;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlException.Condition;
import im.zonda.xml.XmlLimits;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Splits the bytes of one stream into the header, first-level elements and the closing tag.
///
/// The only code that decides where a stanza ends. Checks in one pass strict UTF-8, restricted XML
/// (RFC 6120, section 11.1), namespaces, well-formedness and limits. Not thread-safe.
///
/// Errors that end the stream, with their conditions:
///
/// - bytes that are not UTF-8, characters that XML forbids, anything that breaks XML 1.0 or
///   "Namespaces in XML 1.0", including undeclared prefixes: `NOT_WELL_FORMED` (RFC 6120,
///   4.9.3.13);
/// - a comment, processing instruction, document type, or an entity other than the five predefined:
///   `RESTRICTED_XML` (4.9.3.18);
/// - another encoding or XML version: `UNSUPPORTED_ENCODING` (4.9.3.22);
/// - text between first-level elements: `BAD_FORMAT` (4.9.3.1); white space is a keepalive;
/// - a stream header inside the stream: `INVALID_XML` (4.9.3.11);
/// - a limit of [XmlLimits]: `POLICY_VIOLATION` (4.9.3.14).
///
/// Between elements a framer holds no buffer and takes about 80 bytes.
public final class XmppFramer {
  // At the start, where an XML declaration is allowed.
  private static final int START = 0;
  // Before the header.
  private static final int PROLOG = 1;
  private static final int STREAM = 2;
  private static final int CLOSED = 3;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  // Bytes that are copied at a time for an element that arrives in parts; bytes after its end are
  // copied needlessly.
  private static final int STEP = 2048;

  // The scanner's arrays are needed only inside an element; idle streams of a thread share one
  // scanner.
  private static final ThreadLocal<@Nullable ElementScanner> SPARE = new ThreadLocal<>();

  private final FrameHandler handler;
  private XmlLimits limits;
  private StreamScope scope = StreamScope.EMPTY;
  private int phase = START;
  private int byteOrderMark;
  private boolean restarted;

  // Set inside an element only: the reader, and the bytes of the element from earlier calls.
  private @Nullable ElementScanner scanner;
  private byte @Nullable [] buffer;
  private int kept;
  private int scanned;

  private boolean feeding;
  private boolean paused;
  private int dropped;
  private @Nullable XmlException failure;
  private boolean handlerFailed;

  /// Creates a framer that expects a stream header.
  public XmppFramer(XmlLimits limits, FrameHandler handler) {
    this.limits = limits;
    this.handler = handler;
  }

  /// Creates a framer for a stream whose header has been read.
  XmppFramer(XmlLimits limits, FrameHandler handler, StreamScope scope) {
    this(limits, handler);
    this.scope = scope;
    phase = STREAM;
  }

  /// Reads the next bytes of the stream; the array may be reused after the call.
  ///
  /// The handler may call [#reset], [#limits] or [#pause] from within a callback. Bytes after the
  /// closing tag of the stream are ignored. If a callback throws, later calls throw an
  /// [IllegalStateException].
  ///
  /// @throws XmlException if the stream must end; every later call throws the same
  public void feed(byte[] bytes, int offset, int length) throws XmlException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (failure != null) {
      throw failure;
    }
    if (feeding || handlerFailed) {
      throw new IllegalStateException("feed after or within a callback that has not returned");
    }
    feeding = true;
    handlerFailed = true;
    try {
      run(bytes, offset, offset + length);
      handlerFailed = false;
    } catch (XmlException e) {
      failure = e;
      handlerFailed = false;
      buffer = null;
      scanner = null;
      throw e;
    } finally {
      feeding = false;
      paused = false;
    }
  }

  /// Resets the framer to expect a new header (after TLS or SASL). Bytes after the element that
  /// caused the reset belong to the new stream. White space before the new stream is skipped, even
  /// before an XML declaration, because some clients send it after the element.
  public void reset() {
    abandon();
    scope = StreamScope.EMPTY;
    phase = START;
    byteOrderMark = 0;
    restarted = true;
    handlerFailed &= feeding;
    failure = null;
  }

  /// Changes the limits from the next first-level element on.
  public void limits(XmlLimits newLimits) {
    limits = newLimits;
  }

  /// The most bytes of the next first-level element.
  public int maxElementBytes() {
    return limits.maxBytes();
  }

  /// Discards the remaining bytes of the current call of [#feed], before a TLS handshake; see
  /// [#droppedBytes]. Later calls are read again.
  public void pause() {
    paused = feeding;
    dropped = 0;
  }

  /// The number of bytes after [#pause] in the same call; more than 0 before TLS is an attack.
  public int droppedBytes() {
    return dropped;
  }

  /// The number of bytes that are held of an incomplete element.
  public int heldBytes() {
    byte[] bytes = buffer;
    return bytes == null ? 0 : bytes.length;
  }

  /// Whether the framer holds no memory that an idle stream does not need.
  boolean isIdle() {
    return buffer == null && scanner == null;
  }

  private void run(byte[] bytes, int offset, int end) throws XmlException {
    int p = offset;
    while (p < end && !paused) {
      if (buffer != null) {
        p = continueElement(bytes, p, end);
      } else if (phase == STREAM) {
        p = between(bytes, p, end);
      } else if (phase == CLOSED) {
        return;
      } else {
        p = prolog(bytes, p, end);
      }
    }
    if (paused) {
      dropped = end - p;
    }
    if (buffer == null && scanner != null) {
      scanner.rest();
      SPARE.set(scanner);
      scanner = null;
    }
  }

  private int between(byte[] bytes, int from, int end) throws XmlException {
    int p = from;
    while (p < end) {
      int c = bytes[p];
      if (c == '<') {
        return beginElement(bytes, p, end, ExpectedToken.ELEMENT_OR_CLOSE);
      }
      if (!XmlChars.isSpace(c)) {
        throw new XmlException(
            c >= 0 && c < ' ' ? Condition.NOT_WELL_FORMED : Condition.BAD_FORMAT,
            "text between the elements of a stream");
      }
      p++;
    }
    return p;
  }

  private int prolog(byte[] bytes, int p, int end) throws XmlException {
    int c = bytes[p];
    if (byteOrderMark > 0 && byteOrderMark < BYTE_ORDER_MARK.length) {
      if (bytes[p] != BYTE_ORDER_MARK[byteOrderMark]) {
        throw new XmlException(Condition.NOT_WELL_FORMED, "a broken byte order mark");
      }
      byteOrderMark++;
      return p + 1;
    }
    if (c == '<') {
      return beginElement(
          bytes, p, end, phase == START ? ExpectedToken.STREAM_START : ExpectedToken.HEADER);
    }
    if (XmlChars.isSpace(c)) {
      if (!restarted) {
        phase = PROLOG;
      }
      return p + 1;
    }
    if (phase == START && byteOrderMark == 0) {
      if (bytes[p] == BYTE_ORDER_MARK[0]) {
        byteOrderMark = 1;
        return p + 1;
      }
      if (c == 0 || bytes[p] == (byte) 0xFE || bytes[p] == (byte) 0xFF) {
        throw new XmlException(Condition.UNSUPPORTED_ENCODING, "not UTF-8 but UTF-16 or UTF-32");
      }
    }
    throw new XmlException(Condition.NOT_WELL_FORMED, "no XML");
  }

  private int beginElement(byte[] bytes, int p, int end, ExpectedToken expect) throws XmlException {
    ElementScanner reader = takeScanner();
    reader.start(expect, limits, scope);
    int last = (int) Math.min(end, (long) p + reader.maxBytes());
    int stop = reader.scan(bytes, p, p + 1, last);
    if (reader.done()) {
      complete(reader, bytes, p, stop);
      return stop;
    }
    checkSize(reader, last - p);
    kept = end - p;
    scanned = stop - p;
    buffer = Arrays.copyOfRange(bytes, p, p + Math.max(kept, Math.min(256, reader.maxBytes())));
    return end;
  }

  private int continueElement(byte[] bytes, int p, int end) throws XmlException {
    ElementScanner reader = Objects.requireNonNull(scanner);
    int before = kept;
    int more = Math.min(Math.min(end - p, STEP), reader.maxBytes() - before);
    byte[] room = room(Objects.requireNonNull(buffer), before + more, reader.maxBytes());
    System.arraycopy(bytes, p, room, before, more);
    int stop = reader.scan(room, 0, scanned, before + more);
    if (reader.done()) {
      buffer = null;
      complete(reader, room, 0, stop);
      return p + (stop - before);
    }
    checkSize(reader, before + more);
    buffer = room;
    kept = before + more;
    scanned = stop;
    return p + more;
  }

  private static byte[] room(byte[] bytes, int needed, int most) {
    return needed <= bytes.length
        ? bytes
        : Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(2L * bytes.length, most)));
  }

  private static void checkSize(ElementScanner reader, int size) throws XmlException {
    if (size >= reader.maxBytes()) {
      throw new XmlException(Condition.POLICY_VIOLATION, "too many bytes");
    }
  }

  private void complete(ElementScanner reader, byte[] bytes, int start, int stop)
      throws XmlException {
    switch (reader.kind()) {
      case DECLARATION -> phase = PROLOG;
      case HEADER, EMPTY_HEADER -> {
        HeaderReader header = reader.header(bytes, start);
        boolean empty = reader.kind() == TokenKind.EMPTY_HEADER;
        scope = header.scope();
        phase = empty ? CLOSED : STREAM;
        handler.onStreamOpen(header.header());
        if (empty) {
          handler.onStreamClose();
        }
      }
      case ELEMENT -> handler.onFrame(reader.frame(bytes, start, stop));
      case CLOSE -> {
        phase = CLOSED;
        handler.onStreamClose();
      }
    }
  }

  private ElementScanner takeScanner() {
    ElementScanner reader = scanner;
    if (reader == null) {
      reader = SPARE.get();
      SPARE.set(null);
      if (reader == null) {
        reader = new ElementScanner();
      }
      scanner = reader;
    }
    return reader;
  }

  private void abandon() {
    buffer = null;
    if (!feeding) {
      scanner = null;
    }
  }
}
