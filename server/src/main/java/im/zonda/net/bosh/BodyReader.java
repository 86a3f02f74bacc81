package im.zonda.net.bosh;

import im.zonda.http.HttpBody;
import im.zonda.stream.InputLimits;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.FrameHandler;
import im.zonda.xml.framing.XmppFramer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the `<body/>` of one request with the framer of streams, for which its start tag is a
/// stream header. What may follow the start tag depends on the session: of a stranger nothing large
/// is read.
final class BodyReader implements FrameHandler {
  private static final int PART_BYTES = 8_192;

  /// What a body may have besides one stanza of the largest size.
  private static final int WRAPPER_BYTES = 4_096;

  private final XmppFramer framer;
  private final Function<StreamHeader, @Nullable InputLimits> limits;
  private final List<Frame> payloads = new ArrayList<>();
  private @Nullable StreamHeader header;
  private int mostBytes;
  private int size;
  private boolean isBody = true;
  private boolean known = true;
  private boolean closed;

  /// @param before the limits of the start tag
  /// @param limits the limits of the rest, by the start tag; null to read no more
  BodyReader(InputLimits before, Function<StreamHeader, @Nullable InputLimits> limits) {
    this.framer = new XmppFramer(before.xml(), this);
    this.limits = limits;
    this.mostBytes = before.xml().maxBytes();
  }

  /// Reads a body.
  ///
  /// @throws BoshException if it is none, or if no session answers it
  /// @throws IOException if the client is gone or too slow
  BoshRequest read(HttpBody body) throws BoshException, IOException {
    byte[] part = new byte[PART_BYTES];
    try {
      for (int more = body.read(part, 0, part.length);
          more >= 0;
          more = body.read(part, 0, part.length)) {
        size += more;
        framer.feed(part, 0, more);
        if (!isBody) {
          throw new BoshException(BoshCondition.BAD_REQUEST);
        }
        if (!known) {
          throw new BoshException(BoshCondition.ITEM_NOT_FOUND);
        }
        if (size > mostBytes) {
          throw new BoshException(BoshCondition.POLICY_VIOLATION);
        }
      }
    } catch (XmlException e) {
      throw new BoshException(BoshCondition.BAD_REQUEST);
    }
    StreamHeader tag = header;
    if (!closed || tag == null) {
      throw new BoshException(BoshCondition.BAD_REQUEST);
    }
    return BoshRequest.of(tag, payloads);
  }

  /// The start tag, or null if it has not come.
  @Nullable StreamHeader header() {
    return header;
  }

  /// The bytes that have been read.
  int size() {
    return size;
  }

  @Override
  public void onStreamOpen(StreamHeader tag) {
    isBody =
        tag.name().name().equals("body") && tag.name().namespace().equals(BoshRequest.NAMESPACE);
    if (!isBody) {
      return;
    }
    header = tag;
    InputLimits allowed = limits.apply(tag);
    if (allowed == null) {
      known = false;
    } else {
      mostBytes = allowed.xml().maxBytes() + WRAPPER_BYTES;
      framer.limits(allowed.xml());
    }
  }

  @Override
  public void onFrame(Frame frame) {
    payloads.add(frame);
  }

  @Override
  public void onStreamClose() {
    closed = true;
  }
}
