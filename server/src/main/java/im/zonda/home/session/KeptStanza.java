package im.zonda.home.session;

import im.zonda.link.ack.AckQueue;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.ReplacementStanza;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A stanza that is kept for a client. One that may wait for long is kept as its bytes alone.
///
/// Confined to the home's mailbox.
public final class KeptStanza extends AckQueue.Entry<KeptStanza> {
  private static final Logger LOG = LoggerFactory.getLogger(KeptStanza.class);

  private final @Nullable Runnable onAcknowledged;
  private final int size;
  private final long time;

  /// A Stanza, or the bytes of one.
  private Object content;

  /// @param onAcknowledged runs when the client has acknowledged it, or null
  /// @param time when it was sent for the first time, in ms since 1970
  public KeptStanza(Stanza stanza, @Nullable Runnable onAcknowledged, long time) {
    this.content = stanza;
    this.onAcknowledged = onAcknowledged;
    this.size = Share.sizeOf(stanza);
    this.time = time;
  }

  public @Nullable Runnable onAcknowledged() {
    return onAcknowledged;
  }

  /// What it counts in the session's [Share].
  public int size() {
    return size;
  }

  /// When it was sent for the first time, in ms since 1970.
  public long time() {
    return time;
  }

  /// The stanza; read from its bytes each time if it was packed. One that cannot be read is
  /// replaced by one that says nothing: what follows keeps its number.
  public Stanza stanza() {
    if (content instanceof Stanza stanza) {
      return stanza;
    }
    byte[] bytes = (byte[]) content;
    try {
      return Stanza.reread(XmlParser.frame(bytes, 0, Namespaces.CLIENT));
    } catch (XmlException | StanzaFormatException | RuntimeException e) {
      return replace(ReplacementStanza.of(bytes), "kept_stanza_not_read", e);
    }
  }

  /// Keeps it as its bytes alone from now on.
  void pack() {
    if (content instanceof Stanza stanza) {
      try {
        content = bytes(stanza);
      } catch (RuntimeException e) {
        replace(ReplacementStanza.of(stanza), "kept_stanza_not_written", e);
      }
    }
  }

  /// A stanza as it is written to a stream.
  static byte[] bytes(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(stanza.writtenSize() + 16);
    stanza.writeTo(sink);
    return sink.toByteArray();
  }

  private Stanza replace(Stanza replacement, String event, Exception cause) {
    LOG.atError()
        .addKeyValue("from", replacement.from())
        .addKeyValue("to", replacement.to())
        .setCause(cause)
        .log(event);
    content = replacement;
    return replacement;
  }
}
