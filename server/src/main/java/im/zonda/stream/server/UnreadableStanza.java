package im.zonda.stream.server;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.link.DomainPair;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.framing.Frame;
import org.jspecify.annotations.Nullable;

/// A stanza of another server that cannot be read, and the error for its sender.
///
/// @param from its sender; null if its `from` is not an address
/// @param to its receiver, or the domain of one whose address is not valid; null if that has none
record UnreadableStanza(
    Frame frame, StanzaFormatException cause, @Nullable Jid from, @Nullable Jid to) {
  /// What can be read of it.
  static UnreadableStanza of(Frame frame, StanzaFormatException cause) {
    String to = frame.attribute("to");
    Jid receiver = address(to);
    return new UnreadableStanza(
        frame,
        cause,
        address(frame.attribute("from")),
        receiver == null && to != null ? address(domain(to)) : receiver);
  }

  private static @Nullable Jid address(@Nullable String text) {
    try {
      return text == null ? null : Jid.of(text);
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// The domain in an address that is not valid (RFC 7622, section 3.1).
  private static String domain(String address) {
    int slash = address.indexOf('/');
    String bare = slash < 0 ? address : address.substring(0, slash);
    return bare.substring(bare.indexOf('@') + 1);
  }

  /// The pair that it belongs to; null if it has none.
  @Nullable DomainPair pair() {
    return from == null || to == null ? null : new DomainPair(to.domain(), from.domain());
  }

  /// The error for its sender (RFC 6120, section 8.3); null if there must be none, or if the sender
  /// could not tell what it is for. It comes from a valid address in any case: other servers end
  /// streams for others.
  @Nullable Stanza answer() {
    boolean unavailable = "unavailable".equals(frame.attribute("type"));
    boolean unidentified = "iq".equals(cause.stanzaName()) && cause.id() == null;
    return from == null || to == null || unavailable || unidentified
        ? null
        : cause.replyFrom(to, from);
  }
}
