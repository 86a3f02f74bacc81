package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.StreamHeader;
import org.jspecify.annotations.Nullable;

/// Rules for the stream header of any peer (RFC 6120, sections 4.7 and 4.8).
public final class HeaderRules {
  private HeaderRules() {}

  /// What is wrong with the header's form, or null.
  static @Nullable StreamErrorCondition checkForm(
      StreamHeader header, StreamProfile.Headers expected) {
    if (!header.name().namespace().equals(Namespaces.STREAM)
        || !header.defaultNamespace().equals(expected.namespace())) {
      return StreamErrorCondition.INVALID_NAMESPACE;
    }
    if (!header.name().name().equals("stream")) {
      return StreamErrorCondition.BAD_FORMAT;
    }
    return !expected.versioned() || isVersion1(header.attribute("version"))
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

  /// The bare address in `from`; null if there is none, or one that is not valid.
  public static @Nullable Jid bareFrom(StreamHeader header) {
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

  /// The domain in `to`; null if there is no `to`, or if it is not the address of a domain.
  ///
  /// @throws JidFormatException if it is not an address
  public static @Nullable Jid domainTo(StreamHeader header) throws JidFormatException {
    String to = header.attribute("to");
    Jid domain = to == null ? null : Jid.of(to);
    return domain != null && domain.isDomain() ? domain : null;
  }
}
