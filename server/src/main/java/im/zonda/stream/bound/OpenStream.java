package im.zonda.stream.bound;

import im.zonda.link.ToStream;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.StreamTransport;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// The stream of a client, for its parts that have the session. Called on the stream's thread.
public interface OpenStream {
  /// What carries it.
  StreamTransport transport();

  /// Writes a first-level element that is no stanza.
  void write(Element element);

  /// Ends it with an error.
  ///
  /// @param text for people; null for none
  default void fail(StreamErrorCondition condition, @Nullable String text) {
    fail(condition, text, null);
  }

  /// Ends it with an error.
  ///
  /// @param detail an element besides the condition; null for none
  void fail(StreamErrorCondition condition, @Nullable String text, @Nullable Element detail);

  /// Handles an element of the stream's own namespace.
  void streamElement(QName name);

  /// Reads no more from the client.
  void pauseReading();

  /// Reads from the client again.
  void resumeReading();

  /// Handles the session's answer to an `<enable/>`; null if stream management was enabled before.
  void enabled(ToStream.@Nullable Enabled enabled);

  /// Handles that the stanzas the client has asked about have been handled.
  void allHandled();

  /// The language of the stream, or null.
  @Nullable String lang();

  /// The time in ms.
  long now();

  /// The time in ms while which the client can have answered: it stands still while its input is
  /// not read.
  long clientTime();

  /// How long the client may take to answer, in ms.
  long patience();
}
