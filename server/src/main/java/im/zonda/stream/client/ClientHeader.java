package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.HeaderRules;
import im.zonda.xml.StreamHeader;
import org.jspecify.annotations.Nullable;

/// Rules for the stream header of a client, besides those for all ([HeaderRules]).
final class ClientHeader {
  private ClientHeader() {}

  /// What is wrong with the requested host, or null.
  ///
  /// @param found the host that the client asked for; null if it is not here
  /// @param authenticated the account of the client, or null before authentication
  static @Nullable StreamErrorCondition checkHost(
      @Nullable StreamHost found, @Nullable Jid authenticated) {
    if (found == null) {
      return StreamErrorCondition.HOST_UNKNOWN;
    }
    // A client authenticated at one host has no account at another.
    return authenticated == null || found.domain().domain().equals(authenticated.domain())
        ? null
        : StreamErrorCondition.HOST_UNKNOWN;
  }

  /// What is wrong with `from` after authentication, or null. Before it, `from` is a hint that
  /// nothing depends on (RFC 6120, section 4.7.1).
  ///
  /// Only an address with a localpart names an account that may be another one. Clients that put
  /// the name of their machine there do so in every header.
  static @Nullable StreamErrorCondition checkFrom(StreamHeader header, Jid authenticated) {
    String text = header.attribute("from");
    if (text == null || text.indexOf('@') < 0) {
      return null;
    }
    Jid from = HeaderRules.bareFrom(header);
    if (from == null) {
      return StreamErrorCondition.IMPROPER_ADDRESSING;
    }
    return from.local() == null || from.equals(authenticated)
        ? null
        : StreamErrorCondition.INVALID_FROM;
  }
}
