package im.zonda.stream;

import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlChars;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.FrameHandler;
import im.zonda.xml.framing.XmppFramer;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Cuts the bytes of a connection into the header, frames and end of its [Stream]: what TCP and TLS
/// transports put in front of it. Confined to the stream's thread.
///
/// While input is suspended, bytes are kept, as many as the limits allow.
public final class ByteStream implements StreamInput {
  private static final byte[] NOTHING = new byte[0];

  private final XmppFramer framer;
  private final Stream stream;

  /// Bytes that may still come while the current limits apply.
  private int remaining;

  private byte[] kept = NOTHING;

  /// Whether framing has been stopped within the current call of the framer.
  private boolean stopped;

  private @Nullable Runnable tls;

  /// The domains to which a stream may be opened; null for all, with a header of any origin.
  private @Nullable Predicate<String> mayOpen;

  /// Headers that have come by [#open] and have not been read.
  private int announced;

  /// A stream on a new connection.
  public ByteStream(StreamProfile profile, StreamTransport transport) {
    this.remaining = profile.limits().totalBytes();
    this.stream = new Stream(profile, transport, this);
    this.framer = new XmppFramer(profile.limits().xml(), new Frames());
  }

  /// From now on each header comes by [#open], and a stream is opened only to such a domain.
  public void restrictHeaders(Predicate<String> domains) {
    mayOpen = domains;
  }

  /// Takes a header that the transport has made from another form, such as `<open/>` (RFC 7395).
  public void open(byte[] header) {
    announced++;
    input(header, 0, header.length);
  }

  /// Passes what the framer finds to the stream, but no header that must not open one.
  private final class Frames implements FrameHandler {
    @Override
    public void onStreamOpen(StreamHeader header) {
      Predicate<String> allowed = mayOpen;
      if (allowed != null) {
        if (announced == 0) {
          stream.fail(StreamErrorCondition.BAD_FORMAT, "a stream begins with <open/>");
          return;
        }
        announced--;
        String to = header.attribute("to");
        if (to != null && !allowed.test(to)) {
          stream.fail(
              StreamErrorCondition.POLICY_VIOLATION, "pages of this origin may not connect");
          return;
        }
      }
      stream.onStreamOpen(header);
    }

    @Override
    public void onFrame(Frame frame) {
      stream.onFrame(frame);
    }

    @Override
    public void onStreamClose() {
      stream.onStreamClose();
    }
  }

  /// The stream.
  public Stream stream() {
    return stream;
  }

  /// Takes bytes from the peer; the array may be reused after the call.
  public void input(byte[] bytes, int offset, int length) {
    if (stream.closed() || length == 0) {
      return;
    }
    stream.noteInput();
    if (stream.isInputSuspended()) {
      keep(bytes, offset, length);
      return;
    }
    int allowed = Math.min(length, remaining);
    if (remaining != InputLimits.UNBOUNDED) {
      remaining -= allowed;
    }
    int unread = frame(bytes, offset, allowed);
    if (unread > 0 || allowed < length || tls != null) {
      handleUnread(bytes, offset + allowed - unread, unread, length - allowed);
    }
  }

  /// Gives bytes to the framer; returns how many it has not read because it was stopped.
  private int frame(byte[] bytes, int offset, int length) {
    stopped = false;
    try {
      framer.feed(bytes, offset, length);
      return stopped ? framer.droppedBytes() : 0;
    } catch (XmlException e) {
      stream.rejectInput(e);
      return 0;
    }
  }

  /// @param unread bytes at `offset` that were not read because framing was stopped
  /// @param beyond bytes behind them that were beyond the limit
  private void handleUnread(byte[] bytes, int offset, int unread, int beyond) {
    if (stream.closed()) {
      return;
    }
    Runnable start = tls;
    if (start != null) {
      tls = null;
      startTls(start, bytes, offset, unread + beyond);
    } else if (stream.isInputSuspended()) {
      if (remaining != InputLimits.UNBOUNDED) {
        remaining += unread;
      }
      keep(bytes, offset, unread + beyond);
    } else if (remaining != InputLimits.UNBOUNDED) {
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, "too much before authentication");
    } else {
      input(bytes, offset, unread + beyond);
    }
  }

  private void startTls(Runnable start, byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if (!XmlChars.isSpace(bytes[i])) {
        stream.fail(StreamErrorCondition.POLICY_VIOLATION, "input between STARTTLS and TLS");
        return;
      }
    }
    start.run();
  }

  private void keep(byte[] bytes, int offset, int length) {
    int before = kept.length;
    int most = remaining == InputLimits.UNBOUNDED ? framer.maxElementBytes() : remaining;
    if (before + length > most) {
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, "too much at once");
      return;
    }
    kept = Arrays.copyOf(kept, before + length);
    System.arraycopy(bytes, offset, kept, before, length);
  }

  /// The bytes that are held of an element that is not complete.
  public int unfinishedBytes() {
    return stream.closed() ? 0 : framer.heldBytes();
  }

  /// Ends the stream because all streams together hold too much of elements that are not complete.
  /// Must not be called from within [#input].
  public void dropUnfinished() {
    stream.fail(StreamErrorCondition.RESOURCE_CONSTRAINT, "too many unfinished stanzas");
    // The connection may last for some seconds more; what it has sent must not.
    framer.reset();
  }

  // ---- for the stream

  @Override
  public void suspend() {
    stopFraming();
  }

  @Override
  public void resume() {
    byte[] input = kept;
    kept = NOTHING;
    input(input, 0, input.length);
  }

  @Override
  public void restart() {
    framer.reset();
  }

  @Override
  public void setLimits(InputLimits limits) {
    framer.limits(limits.xml());
    remaining = limits.totalBytes();
  }

  @Override
  public void prepareTls(Runnable startTls) {
    if (stream.isInputSuspended()) {
      byte[] input = kept;
      kept = NOTHING;
      startTls(startTls, input, 0, input.length);
      return;
    }
    tls = startTls;
    stopFraming();
  }

  private void stopFraming() {
    stopped = true;
    framer.pause();
  }
}
