package im.zonda.link;

import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import org.jspecify.annotations.Nullable;

/// A stream with another server, as the queues of its domain pairs see it. It carries one pair or
/// several, and outlives its connection if it is resumed (XEP-0198). Any thread may call; calls
/// after the end do nothing.
public interface ServerStreamLink {
  /// Sends a stanza of a pair that is ready. The stanzas of one caller go out in the order of the
  /// calls. The caller bounds what it delivers without an acknowledgement: all of it is kept.
  ///
  /// @param number rises from stanza to stanza of the pair; comes back in
  ///   [ServerStreamGate#acknowledged]
  /// @param since [im.zonda.module.Origin#since] of a message, for measurement; or 0
  void deliver(DomainPair pair, Stanza stanza, long number, long since);

  /// The received stanza with that number has been handled, and the other server need not send it
  /// again. In any order; each number once.
  void handled(long number);

  /// Stops reading from the other server until [#resumeReading] has been called as often as this.
  void pauseReading();

  /// Undoes one [#pauseReading].
  void resumeReading();

  /// Ends the link for all its pairs, with a stream error.
  void close(StreamErrorCondition condition, @Nullable String text);

  /// Ends the link for all its pairs, without an error, as when it has been idle. The link does not
  /// wait for acknowledgements.
  void close();

  /// The most bytes of a stanza that the other server accepts (XEP-0478); [Integer#MAX_VALUE] if it
  /// has not said.
  int maxStanzaBytes();

  /// What it is at present.
  Status status();

  /// What a link is, for administrators.
  ///
  /// @param incoming whether the other server has opened the stream
  /// @param bidirectional whether stanzas go both ways (XEP-0288)
  /// @param address of the other server
  /// @param secure whether the connection is encrypted
  /// @param trust how the other server has proved its domain, such as `certificate`; empty while it
  ///   has not
  /// @param managed whether stanzas are acknowledged (XEP-0198)
  /// @param connected false while it waits to be resumed
  record Status(
      boolean incoming,
      boolean bidirectional,
      String address,
      boolean secure,
      String trust,
      boolean managed,
      boolean connected) {
    /// The other server has proved its domain by a certificate.
    public static final String CERTIFICATE = "certificate";

    /// The other server has proved its domain by dialback (XEP-0220).
    public static final String DIALBACK = "dialback";
  }
}
