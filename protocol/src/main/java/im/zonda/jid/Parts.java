package im.zonda.jid;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.Inet6Address;

/// Prepares the parts of an address (RFC 7622, section 3). Nearly all are ASCII and need neither
/// PRECIS nor IDNA, which are loaded only for the others.
final class Parts {
  private static final int MAX_BYTES = 1_023;
  private static final int MAX_LABEL = 63;

  private static final byte LOCAL = 1;
  private static final byte DOMAIN = 2;
  private static final byte[] FLAGS = flags();

  private Parts() {}

  /// Prepares a localpart: UsernameCaseMapped of RFC 8265, without the characters `"&'/:<>@`.
  static String local(String part) {
    checkLength(part, "local");
    boolean lower = true;
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c >= 0x80) {
        return checkLocal(checkBytes(Precis.username(part)));
      }
      if ((FLAGS[c] & LOCAL) == 0) {
        throw new JidFormatException("a character that the local part must not have");
      }
      lower &= c < 'A' || c > 'Z';
    }
    return lower ? part : lowerCase(part);
  }

  /// Prepares a resourcepart: OpaqueString of RFC 8265.
  static String resource(String part) {
    checkLength(part, "resource");
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c >= 0x7F) {
        return checkBytes(Precis.opaque(part));
      }
      if (c < ' ') {
        throw new JidFormatException("a character that the resource must not have");
      }
    }
    return part;
  }

  /// A localpart that was prepared once, whatever characters PRECIS allows now.
  static String storedLocal(String part) {
    checkLength(part, "local");
    return checkLocal(checkBytes(part));
  }

  /// A resourcepart that was prepared once, whatever characters PRECIS allows now.
  static String storedResource(String part) {
    checkLength(part, "resource");
    for (int i = 0; i < part.length(); i++) {
      if (part.charAt(i) < ' ') {
        throw new JidFormatException("a character that the resource must not have");
      }
    }
    return checkBytes(part);
  }

  /// Prepares a domainpart: a name of letters, digits and hyphens, an internationalised name as
  /// U-labels, or an IP address.
  static String domain(String part) {
    String name = part.endsWith(".") ? part.substring(0, part.length() - 1) : part;
    checkLength(name, "domain");
    if (name.charAt(0) == '[') {
      return ipv6(name);
    }
    boolean lower = true;
    int label = 0;
    for (int i = 0; i <= name.length(); i++) {
      char c = i == name.length() ? '.' : name.charAt(i);
      if (c >= 0x80) {
        return international(name);
      }
      if (c == '.') {
        checkLabel(name, label, i);
        label = i + 1;
      } else if ((FLAGS[c] & DOMAIN) == 0) {
        throw new JidFormatException("a character that the domain must not have");
      } else {
        lower &= c < 'A' || c > 'Z';
        if (c == '-' && i == label + 3 && name.charAt(i - 1) == '-') {
          return international(name);
        }
      }
    }
    return lower ? name : lowerCase(name);
  }

  private static void checkLabel(String name, int from, int to) {
    if (from == to || to - from > MAX_LABEL) {
      throw new JidFormatException("a label of the domain is empty or too long");
    }
    if (name.charAt(from) == '-' || name.charAt(to - 1) == '-') {
      throw new JidFormatException("a label of the domain starts or ends with a hyphen");
    }
  }

  private static String international(String name) {
    String prepared = Idna.toUnicode(name);
    // The ideographic full stop is a dot too.
    String stripped =
        prepared.endsWith(".") ? prepared.substring(0, prepared.length() - 1) : prepared;
    for (int i = 0; i < stripped.length(); i++) {
      char c = stripped.charAt(i);
      if (c < 0x80 && c != '.' && (FLAGS[c] & DOMAIN) == 0) {
        throw new JidFormatException("a character that the domain must not have");
      }
    }
    return checkBytes(stripped);
  }

  private static String ipv6(String name) {
    boolean valid = name.endsWith("]");
    for (int i = 1; valid && i < name.length() - 1; i++) {
      char c = name.charAt(i);
      valid = c == ':' || c == '.' || (c < 0x80 && Character.digit(c, 16) >= 0);
    }
    try {
      if (valid && name.indexOf(':') > 0) {
        // Only parses: no DNS lookup for a literal.
        Inet6Address.ofLiteral(name.substring(1, name.length() - 1));
        return lowerCase(name);
      }
    } catch (IllegalArgumentException e) {
      throw new JidFormatException("not an IPv6 address: " + e.getMessage());
    }
    throw new JidFormatException("not an IPv6 address");
  }

  private static String lowerCase(String part) {
    char[] chars = part.toCharArray();
    for (int i = 0; i < chars.length; i++) {
      if (chars[i] >= 'A' && chars[i] <= 'Z') {
        chars[i] = (char) (chars[i] + 'a' - 'A');
      }
    }
    return new String(chars);
  }

  // A compatibility mapping may produce a forbidden character: U+FF20 becomes "@".
  private static String checkLocal(String part) {
    for (int i = 0; i < part.length(); i++) {
      if (part.charAt(i) < 0x80 && (FLAGS[part.charAt(i)] & LOCAL) == 0) {
        throw new JidFormatException("a character that the local part must not have");
      }
    }
    return part;
  }

  private static void checkLength(String part, String name) {
    // A quick check before preparation: a character has at least one byte. The result is checked
    // again.
    if (part.isEmpty() || part.length() > MAX_BYTES) {
      throw new JidFormatException("the " + name + " part is empty or too long");
    }
  }

  private static String checkBytes(String part) {
    if (part.isEmpty() || part.getBytes(UTF_8).length > MAX_BYTES) {
      throw new JidFormatException("a part is empty or too long");
    }
    return part;
  }

  private static byte[] flags() {
    byte[] flags = new byte[128];
    for (int c = 0x21; c < 0x7F; c++) {
      flags[c] = "\"&'/:<>@".indexOf(c) < 0 ? LOCAL : 0;
      if (Character.isLetterOrDigit(c) || c == '-') {
        flags[c] |= DOMAIN;
      }
    }
    return flags;
  }
}
