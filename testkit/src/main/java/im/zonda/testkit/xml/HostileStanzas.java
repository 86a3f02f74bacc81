package im.zonda.testkit.xml;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Random stanzas, as text, that would grow when they are written again, or whose written form
/// would be hard to read: long namespace names, prefixes that stand for them and are declared again
/// further down, values full of quotes, references, CDATA sections, depth and width.
///
/// All keep within the limits of an authenticated client, so a framer accepts nearly all.
public final class HostileStanzas {
  private static final int MAX_NAMESPACE = 1_000;
  private static final int MAX_DEPTH = 40;
  private static final int MAX_ELEMENTS = 600;
  private static final int GROWING_NAMESPACES = 29;
  private static final List<String> PIECES =
      List.of("'", "&quot;", "&apos;", "&#39;", "&amp;", "&lt;", ">", "&gt;", "&#9;", "&#10;", "x");
  private static final List<String> TEXTS =
      List.of(">", "]]&gt;", "&lt;", "'", "\"", "&#13;", "ö", "😀", "plain text ", "]]", "\n");
  private static final List<String> SECTIONS = List.of("<", "&", "]]", ">", "text", "'");

  private final RandomGenerator random;
  private final StringBuilder out = new StringBuilder();
  private final List<String> prefixes = new ArrayList<>();
  private int elements;

  private HostileStanzas(RandomGenerator random) {
    this.random = random;
  }

  /// A stanza with this element name and these further attributes, such as ` to='a@b'`.
  public static String stanza(RandomGenerator random, String name, String attributes) {
    return new HostileStanzas(random).write(name, attributes);
  }

  /// The rest of a stanza's start tag and its content, at least `bytes` bytes, that take megabytes
  /// if each element declares the namespaces of its attributes. The end tag is missing.
  public static String growing(String namespace, int bytes) {
    StringBuilder xml = new StringBuilder();
    StringBuilder element = new StringBuilder("<a");
    for (int i = 0; i < GROWING_NAMESPACES; i++) {
      xml.append(" xmlns:p").append(i).append("=\"").append(namespace).append(i).append('"');
      element.append(" p").append(i).append(":b=''");
    }
    xml.append('>');
    while (xml.length() < bytes) {
      xml.append(element).append("/>");
    }
    return xml.toString();
  }

  private String write(String name, String attributes) {
    out.append('<').append(name).append(attributes);
    declarations(random.nextInt(8));
    if (random.nextBoolean()) {
      prefixedAttributes(random.nextInt(6));
    }
    out.append('>');
    int children = 1 + random.nextInt(random.nextInt(10) == 0 ? 200 : 6);
    for (int i = 0; i < children; i++) {
      element(2);
    }
    return out.append("</").append(name).append('>').toString();
  }

  private void element(int depth) {
    elements++;
    int outer = prefixes.size();
    int start = out.append('<').length();
    out.append(prefix()).append(random.nextInt(20) == 0 ? "n".repeat(500) : "e");
    String name = out.substring(start);
    if (random.nextInt(3) == 0) {
      out.append(" xmlns=\"").append(namespace()).append('"');
    }
    if (random.nextInt(3) == 0 && prefixes.size() < 20) {
      declarations(random.nextInt(3));
    }
    if (random.nextInt(3) == 0) {
      prefixedAttributes(random.nextInt(4));
    }
    if (random.nextInt(3) == 0) {
      out.append(" a=\"").append(many(PIECES, 200)).append('"');
    }
    content(name, depth);
    while (prefixes.size() > outer) {
      prefixes.removeLast();
    }
  }

  private void content(String name, int depth) {
    if (random.nextInt(3) == 0) {
      out.append("/>");
      return;
    }
    out.append('>');
    for (int i = random.nextInt(4); i > 0; i--) {
      switch (random.nextInt(5)) {
        // What follows must not make it `]]>`.
        case 0 -> out.append(many(TEXTS, 100)).append('t');
        case 1 -> out.append("<![CDATA[").append(many(SECTIONS, 100)).append("]]>");
        default -> {
          if (depth < MAX_DEPTH && elements < MAX_ELEMENTS) {
            element(depth + 1);
          }
        }
      }
    }
    out.append("</").append(name).append('>');
  }

  // Each element declares a prefix once.
  private void declarations(int count) {
    int from = random.nextInt(8);
    for (int i = 0; i < count && prefixes.size() < 24; i++) {
      String prefix = "p" + (from + i);
      out.append(" xmlns:").append(prefix).append("=\"").append(namespace()).append('"');
      prefixes.add(prefix);
    }
  }

  private void prefixedAttributes(int count) {
    for (int i = 0; i < count && !prefixes.isEmpty(); i++) {
      out.append(' ').append(declaredPrefix()).append('b').append(i);
      out.append("='").append(random.nextBoolean() ? "" : many(PIECES, 20).replace("'", ""));
      out.append('\'');
    }
  }

  private String prefix() {
    return random.nextBoolean() || prefixes.isEmpty() ? "" : declaredPrefix();
  }

  private String declaredPrefix() {
    return prefixes.get(random.nextInt(prefixes.size())) + ":";
  }

  // The closing `]]>` of a section must not appear in its content, nor in text.
  private String many(List<String> pieces, int most) {
    String piece = pieces.get(random.nextInt(pieces.size()));
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most); i > 0; i--) {
      text.append(random.nextInt(4) == 0 ? pieces.get(random.nextInt(pieces.size())) : piece);
    }
    return text.toString().replace("]]>", "]] >");
  }

  private String namespace() {
    return switch (random.nextInt(8)) {
      case 0 -> "'".repeat(random.nextInt(1, MAX_NAMESPACE));
      case 1 -> "&quot;'".repeat(random.nextInt(1, MAX_NAMESPACE / 7));
      case 2 -> "&amp;".repeat(random.nextInt(1, MAX_NAMESPACE / 5));
      case 3 -> ">&#9;".repeat(random.nextInt(1, MAX_NAMESPACE / 5));
      case 4 -> "urn:" + "x".repeat(random.nextInt(MAX_NAMESPACE));
      case 5 -> "jabber:client";
      default -> "urn:" + random.nextInt(60);
    };
  }
}
