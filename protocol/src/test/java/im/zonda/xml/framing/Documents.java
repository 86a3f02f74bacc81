package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlNamespaces;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.random.RandomGenerator;

/// Random elements, as text and as trees, and random damage to them.
public final class Documents {
  /// A letter that only the fifth edition of XML 1.0 allows in names.
  static final String FIFTH_EDITION = "𐐀";

  private static final List<String> NAMES =
      List.of(
          "a",
          "b",
          "body",
          "message",
          "x",
          "thread",
          "größe",
          "日本",
          "_-.9",
          "stream",
          FIFTH_EDITION + "x");
  private static final List<String> PREFIXES = List.of("", "p", "q", "xml");
  private static final List<String> NAMESPACES =
      List.of("urn:a", "jabber:client", "urn:xmpp:hints", "u", "urn:a&amp;b", "http://ö/");
  private static final List<String> TEXTS =
      List.of(
          "plain",
          " ",
          "\r\n\t",
          "&lt;&gt;&amp;&quot;&apos;",
          "&#65;&#x1F600;&#10;&#13;&#x9;",
          "größer €",
          "😀𐐀",
          "a]]b]",
          ">",
          "it's \"quoted\"".replace("\"", "&quot;").replace("'", "&apos;"),
          "a longer run of plain text that is read eight bytes at a time & co".replace("&", "and"));
  private static final List<String> RAW_TEXTS =
      List.of("", "plain", "<&>\"'", "\r\n\t \r", "größer €", "😀", "]]>", " x ");
  private static final List<byte[]> DAMAGE =
      List.of(
          "<".getBytes(UTF_8),
          ">".getBytes(UTF_8),
          "&".getBytes(UTF_8),
          "'".getBytes(UTF_8),
          "]]>".getBytes(UTF_8),
          "<!--x-->".getBytes(UTF_8),
          "<?x y?>".getBytes(UTF_8),
          "<!DOCTYPE a>".getBytes(UTF_8),
          "<![CDATA[".getBytes(UTF_8),
          "&#0;".getBytes(UTF_8),
          "&foo;".getBytes(UTF_8),
          "xmlns:p=''".getBytes(UTF_8),
          " xmlns:xml='u'".getBytes(UTF_8),
          "</a>".getBytes(UTF_8),
          "<a>".getBytes(UTF_8),
          ":".getBytes(UTF_8),
          " a='1' a='2'".getBytes(UTF_8),
          "\uFFFE".getBytes(UTF_8),
          "\u00D7".getBytes(UTF_8),
          new byte[] {(byte) 0xC0, (byte) 0xBC},
          new byte[] {(byte) 0xE0, (byte) 0x80, (byte) 0xBC},
          new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
          new byte[] {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
          new byte[] {(byte) 0xF8, (byte) 0x88, (byte) 0x80, (byte) 0x80, (byte) 0x80},
          new byte[] {(byte) 0xEB},
          new byte[] {0});

  private Documents() {}

  /// An element as text; nearly always well-formed, without undeclared prefixes.
  public static String text(RandomGenerator random) {
    StringBuilder out = new StringBuilder();
    element(random, 0, out);
    return out.toString();
  }

  /// A stanza as text: the usual attributes, and random elements as content.
  public static String stanza(RandomGenerator random) {
    String name = pick(random, List.of("message", "presence"));
    StringBuilder out = new StringBuilder("<").append(name);
    for (String attribute :
        List.of("from='A@b/&apos;'", "to=\"c@d\"", "id = 'i&lt;1'", "xml:lang='de'", "x='y'")) {
      if (random.nextInt(attribute.startsWith("x=") ? 12 : 2) == 0) {
        out.append(random.nextBoolean() ? " " : "\n").append(attribute);
      }
    }
    out.append(pick(random, List.of("", "", " xmlns='jabber:client'", " xmlns:p='urn:p'")));
    if (random.nextInt(6) == 0) {
      return out.append(pick(random, List.of("/>", " />"))).toString();
    }
    out.append('>');
    for (int i = random.nextInt(5); i > 0; i--) {
      if (random.nextInt(3) == 0) {
        out.append(pick(random, TEXTS));
      }
      element(random, 2, out);
    }
    return out.append("</").append(name).append(">").toString();
  }

  /// A tree with names and characters of all kinds.
  public static Element tree(RandomGenerator random) {
    return tree(random, 0);
  }

  /// The bytes with one to three places damaged.
  public static byte[] damaged(byte[] bytes, RandomGenerator random) {
    byte[] damaged = bytes;
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(damaged.length + 1);
      int cut = random.nextInt(3) == 0 ? random.nextInt(1, 6) : 0;
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(damaged, 0, at);
      if (random.nextInt(4) != 0) {
        out.writeBytes(pick(random, DAMAGE));
      } else if (random.nextBoolean()) {
        out.write(random.nextInt(256));
      }
      int rest = Math.min(damaged.length, at + cut);
      out.write(damaged, rest, damaged.length - rest);
      damaged = out.toByteArray();
    }
    return damaged;
  }

  private static void element(RandomGenerator random, int depth, StringBuilder out) {
    String prefix = random.nextInt(4) == 0 ? pick(random, PREFIXES) : "";
    String name = (prefix.isEmpty() ? "" : prefix + ":") + pick(random, NAMES);
    out.append('<').append(name);
    if (random.nextInt(3) == 0) {
      out.append(" xmlns='").append(pick(random, NAMESPACES)).append('\'');
    }
    // At the top all prefixes are declared; further down some are declared again.
    for (String declared : List.of("p", "q")) {
      if (depth == 0 || depth == 2 || random.nextInt(8) == 0) {
        out.append(" xmlns:").append(declared).append("=\"");
        out.append(pick(random, NAMESPACES)).append('"');
      }
    }
    for (String attribute : List.of("id", "p:id", "q:x", "xml:lang", "ö")) {
      if (random.nextInt(5) == 0) {
        String value = pick(random, TEXTS).replace("]]>", "");
        out.append(pick(random, List.of(" ", "\n  "))).append(attribute);
        out.append(pick(random, List.of("=", " = "))).append('\'').append(value).append('\'');
      }
    }
    if (random.nextInt(4) == 0) {
      out.append(random.nextBoolean() ? "/>" : " />");
      return;
    }
    out.append('>');
    for (int i = random.nextInt(4); i > 0; i--) {
      switch (random.nextInt(4)) {
        case 0 -> out.append(pick(random, TEXTS));
        case 1 -> out.append("<![CDATA[").append("<&]]b\r\n]".repeat(1)).append("]]>");
        default -> {
          if (depth < 5) {
            element(random, depth == 1 ? 3 : depth + 1, out);
          }
        }
      }
    }
    out.append("</").append(name).append(random.nextInt(6) == 0 ? " >" : ">");
  }

  private static Element tree(RandomGenerator random, int depth) {
    Element.Builder builder = Element.builder(name(random));
    for (int i = random.nextInt(4); i > 0; i--) {
      builder.attribute(attribute(random), pick(random, RAW_TEXTS));
    }
    for (int i = random.nextInt(depth < 4 ? 5 : 1); i > 0; i--) {
      if (random.nextInt(3) == 0) {
        builder.text(pick(random, RAW_TEXTS));
      } else {
        builder.child(tree(random, depth + 1));
      }
    }
    return builder.build();
  }

  private static QName name(RandomGenerator random) {
    String namespace =
        pick(
            random,
            List.of(
                "", "jabber:client", "urn:a", "a&'\"<\n", XmlNamespaces.STREAM, XmlNamespaces.XML));
    return new QName(namespace, pick(random, NAMES));
  }

  private static QName attribute(RandomGenerator random) {
    String namespace = pick(random, List.of("", "", "urn:a", "a&'\"<", XmlNamespaces.XML));
    return new QName(namespace, pick(random, NAMES));
  }

  private static <T> T pick(RandomGenerator random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
