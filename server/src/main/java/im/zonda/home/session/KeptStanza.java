package im.zonda.home.session;

import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A stanza that is kept for a client. One that may wait for long is kept as its bytes alone.
///
/// Confined to the home's mailbox.
public final class KeptStanza {
  private final @Nullable Runnable left;
  private final int size;
  private final long time;

  /// The next newer one of those that wait for an acknowledgement ([Unacknowledged]).
  @Nullable KeptStanza next;

  /// A Stanza, or the bytes of one.
  private Object content;

  /// @param left runs when the client has it, or null
  /// @param time when it was sent for the first time, in ms since 1970
  public KeptStanza(Stanza stanza, @Nullable Runnable left, long time) {
    this.content = stanza;
    this.left = left;
    this.size = Share.sizeOf(stanza);
    this.time = time;
  }

  public @Nullable Runnable left() {
    return left;
  }

  /// What it counts in the session's [Share].
  public int size() {
    return size;
  }

  /// When it was sent for the first time, in ms since 1970.
  public long time() {
    return time;
  }

  /// The stanza; read from its bytes each time if it was packed.
  public Stanza stanza() {
    return content instanceof Stanza stanza ? stanza : unpacked((byte[]) content);
  }

  /// Keeps it as its bytes alone from now on.
  void pack() {
    if (content instanceof Stanza stanza) {
      ByteArraySink sink = new ByteArraySink(stanza.writtenSize() + 16);
      stanza.writeTo(sink);
      content = sink.toByteArray();
    }
  }

  private static Stanza unpacked(byte[] bytes) {
    try {
      String xml = new String(bytes, StandardCharsets.UTF_8);
      return Stanza.of(XmlParser.frame(xml, Namespaces.CLIENT));
    } catch (XmlException | StanzaFormatException e) {
      throw new IllegalStateException("what was written cannot be read", e);
    }
  }
}
