package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.stanza.StreamErrorCondition;
import org.jspecify.annotations.Nullable;

/// The answer of a role to the stream header of the entity that has opened the stream (RFC 6120,
/// section 4.7).
///
/// @param from the domain that is served to the peer; null if the requested one is not served
/// @param to the peer's address, or null
/// @param error what is wrong with the header, or null if the stream goes on
public record HeaderReply(
    @Nullable Jid from, @Nullable Jid to, @Nullable StreamErrorCondition error) {
  /// The stream goes on.
  public static HeaderReply accept(Jid from, @Nullable Jid to) {
    return new HeaderReply(from, to, null);
  }

  /// The stream ends with an error.
  public static HeaderReply reject(
      @Nullable Jid from, @Nullable Jid to, StreamErrorCondition error) {
    return new HeaderReply(from, to, error);
  }
}
