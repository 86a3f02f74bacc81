package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.client.StreamHost;
import im.zonda.xml.StreamHeader;
import org.jspecify.annotations.Nullable;

/// What a client's stream header must be like (RFC 6120, sections 4.7 and 4.8).
public final class HeaderRules {
  private HeaderRules() {}

  /// What is wrong with the header's form, or null.
  public static @Nullable StreamErrorCondition formError(StreamHeader header) {
    if (!header.name().namespace().equals(Namespaces.STREAM)
        || !header.defaultNamespace().equals(Namespaces.CLIENT)) {
      return StreamErrorCondition.INVALID_NAMESPACE;
    }
    if (!header.name().name().equals("stream")) {
      return StreamErrorCondition.BAD_FORMAT;
    }
    return isVersion1(header.attribute("version"))
        ? null
        : StreamErrorCondition.UNSUPPORTED_VERSION;
  }

  /// Whether the major version is 1 or more; the server then speaks 1.0 (section 4.7.5).
  private static boolean isVersion1(@Nullable String version) {
    if (version == null) {
      return false;
    }
    int dot = version.indexOf('.');
    boolean digits =
        dot > 0
            && dot < version.length() - 1
            && version.length() <= 9
            && version.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))
            && version.indexOf('.', dot + 1) < 0;
    return digits && Integer.parseInt(version.substring(0, dot)) >= 1;
  }

  /// What is wrong with the requested host, or null.
  ///
  /// @param found the host that the client asked for; null if it is not here
  /// @param authenticated the account of the client, or null before authentication
  public static @Nullable StreamErrorCondition hostError(
      @Nullable StreamHost found, @Nullable Jid authenticated) {
    if (found == null) {
      return StreamErrorCondition.HOST_UNKNOWN;
    }
    // A client authenticated at one host has no account at another.
    return authenticated == null || found.domain().domain().equals(authenticated.domain())
        ? null
        : StreamErrorCondition.HOST_UNKNOWN;
  }

  /// The bare address in `from`; null if there is none, or one that is not valid.
  public static @Nullable Jid from(StreamHeader header) {
    String from = header.attribute("from");
    if (from == null) {
      return null;
    }
    try {
      return Jid.of(from).bare();
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// What is wrong with `from` after authentication, or null. Before it, `from` is a hint that
  /// nothing depends on (RFC 6120, section 4.7.1).
  ///
  /// Only an address with a localpart names an account that may be another one. Clients that put
  /// the name of their machine there do so in every header.
  public static @Nullable StreamErrorCondition fromError(StreamHeader header, Jid authenticated) {
    String text = header.attribute("from");
    if (text == null || text.indexOf('@') < 0) {
      return null;
    }
    Jid from = from(header);
    if (from == null) {
      return StreamErrorCondition.IMPROPER_ADDRESSING;
    }
    return from.local() == null || from.equals(authenticated)
        ? null
        : StreamErrorCondition.INVALID_FROM;
  }
}
