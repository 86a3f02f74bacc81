package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.StreamHeader;
import org.jspecify.annotations.Nullable;

/// What a client's stream header must be like (RFC 6120, sections 4.7 and 4.8).
final class HeaderRules {
  private HeaderRules() {}

  /// What is wrong with the header's form, or null.
  static @Nullable StreamErrorCondition formError(StreamHeader header) {
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

  /// What is wrong with the header's addresses, or null.
  ///
  /// @param found the host that the client asked for; null if it is not here
  /// @param from who the client says it is, or null
  /// @param authenticated who it has proved to be, or null
  static @Nullable StreamErrorCondition addressError(
      @Nullable StreamHost found, @Nullable Jid from, @Nullable Jid authenticated) {
    if (found == null) {
      return StreamErrorCondition.HOST_UNKNOWN;
    }
    if (authenticated == null) {
      // XEP-0388, section 2.1: an account of another host cannot be meant.
      return from == null || from.domain().equals(found.domain().domain())
          ? null
          : StreamErrorCondition.INVALID_FROM;
    }
    if (!found.domain().domain().equals(authenticated.domain())) {
      // Whoever is authenticated at one host is nobody at another.
      return StreamErrorCondition.HOST_UNKNOWN;
    }
    return from == null || from.bare().equals(authenticated)
        ? null
        : StreamErrorCondition.INVALID_FROM;
  }
}
