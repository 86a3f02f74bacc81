package im.zonda.xml.framing;

import im.zonda.xml.XmlException;
import im.zonda.xml.XmlException.Condition;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The XML declaration at the start of a stream: version 1.0 and UTF-8 only (RFC 6120, section
/// 11.6).
final class XmlDeclaration {
  private static final Pattern DECLARATION =
      Pattern.compile(
          "<\\?xml\\s+version\\s*=\\s*(?:'([a-zA-Z0-9_.:-]+)'|\"([a-zA-Z0-9_.:-]+)\")"
              + "(?:\\s+encoding\\s*=\\s*(?:'([A-Za-z][\\w.-]*)'|\"([A-Za-z][\\w.-]*)\"))?"
              + "(?:\\s+standalone\\s*=\\s*(?:'(?:yes|no)'|\"(?:yes|no)\"))?\\s*\\?>");

  private XmlDeclaration() {}

  /// Checks the declaration `bytes[from, to)`, from `<?xml` to `?>`.
  static void check(byte[] bytes, int from, int to) throws XmlException {
    Matcher matcher =
        DECLARATION.matcher(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
    if (!matcher.matches()) {
      throw new XmlException(Condition.NOT_WELL_FORMED, "a broken XML declaration");
    }
    String version = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    String encoding = matcher.group(3) != null ? matcher.group(3) : matcher.group(4);
    if (!"1.0".equals(version)) {
      throw new XmlException(Condition.UNSUPPORTED_ENCODING, "an XML version other than 1.0");
    }
    if (encoding != null && !encoding.equalsIgnoreCase("UTF-8")) {
      throw new XmlException(Condition.UNSUPPORTED_ENCODING, "an encoding other than UTF-8");
    }
  }
}
