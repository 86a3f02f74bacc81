package im.zonda.plugins.filter;

import im.zonda.plugins.filter.match.Range;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.Node;
import im.zonda.xml.QName;
import im.zonda.xml.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The texts of a message that people see: all text in its payloads, and some attributes, without
/// what is encrypted or no text.
///
/// Each payload is one text, so that a word is found also if a part of it is bold.
final class MessageText {
  private static final String XHTML = "http://www.w3.org/1999/xhtml";

  /// Elements of XHTML that do not end a word.
  private static final Set<String> INLINE =
      Set.of(
          "a", "abbr", "b", "code", "del", "em", "font", "i", "ins", "s", "small", "span", "strike",
          "strong", "sub", "sup", "tt", "u");

  /// Attributes that are shown.
  private static final Set<String> SHOWN = Set.of("alt", "title", "reason", "label", "desc");

  /// Payloads that hold identifiers, ciphertext or data.
  private static final Set<String> NO_TEXT =
      Set.of(
          "eu.siacs.conversations.axolotl",
          "urn:xmpp:omemo:1",
          "urn:xmpp:omemo:2",
          "urn:xmpp:openpgp:0",
          "urn:xmpp:encrypted:0",
          "jabber:x:encrypted",
          "jabber:x:signed",
          "http://jabber.org/protocol/ibb",
          "urn:xmpp:bob",
          "urn:xmpp:esfs:0",
          "urn:xmpp:hashes:1",
          "urn:xmpp:hashes:2",
          "urn:xmpp:avatar:data",
          "vcard-temp:x:update",
          "urn:xmpp:eme:0",
          "urn:xmpp:sid:0",
          "urn:xmpp:hints");

  private static final QName THREAD = new QName(Namespaces.CLIENT, "thread");

  /// The text of one payload.
  ///
  /// @param payload the index of the payload
  record Passage(int payload, String text) {}

  private MessageText() {}

  /// The texts of a message.
  static List<Passage> of(List<Element> payloads) {
    List<Passage> passages = new ArrayList<>(2);
    for (int i = 0; i < payloads.size(); i++) {
      Element payload = payloads.get(i);
      if (!hasText(payload)) {
        continue;
      }
      String text = text(payload);
      if (!text.isBlank()) {
        passages.add(new Passage(i, text));
      }
    }
    return passages;
  }

  private static boolean hasText(Element payload) {
    return !NO_TEXT.contains(payload.name().namespace()) && !payload.name().equals(THREAD);
  }

  private static String text(Element payload) {
    if (payload.attributes().isEmpty()
        && payload.nodes().size() == 1
        && payload.nodes().getFirst() instanceof Text only) {
      return only.value();
    }
    Collector collector = new Collector();
    collector.read(payload);
    return collector.text.toString();
  }

  /// Replaces parts of the texts of a message.
  ///
  /// @param ranges the parts, by the index of the payload, ordered and apart from each other
  /// @param mask what stands for a character
  static Message masked(Message message, Map<Integer, List<Range>> ranges, String mask) {
    List<Element> payloads = new ArrayList<>(message.payloads());
    ranges.forEach((index, parts) ->
        payloads.set(index, new Masking(parts, mask).replace(payloads.get(index))));
    return Message.of(message.type(), message.from(), message.to(), message.id(), payloads)
        .withLang(message.lang());
  }

  private static boolean isInline(Element element) {
    return element.name().namespace().equals(XHTML) && INLINE.contains(element.name().name());
  }

  private static boolean isShown(QName attribute) {
    return attribute.namespace().isEmpty() && SHOWN.contains(attribute.name());
  }

  /// Joins the texts of a payload.
  private static final class Collector {
    private final StringBuilder text = new StringBuilder();

    void read(Element element) {
      element
          .attributes()
          .forEach((name, value) -> {
            if (isShown(name)) {
              text.append(value).append('\n');
            }
          });
      for (Node node : element.nodes()) {
        switch (node) {
          case Text part -> text.append(part.value());
          case Element child when !hasText(child) -> {}
          case Element child -> {
            String gap = isInline(child) ? "" : "\n";
            text.append(gap);
            read(child);
            text.append(gap);
          }
        }
      }
    }
  }

  /// Replaces parts of a payload, which it reads as [Collector] does.
  private static final class Masking {
    private final List<Range> parts;
    private final String mask;
    private int at;
    private int next;

    Masking(List<Range> parts, String mask) {
      this.parts = parts;
      this.mask = mask;
    }

    Element replace(Element element) {
      Element.Builder copy = Element.builder(element.name());
      element
          .attributes()
          .forEach((name, value) -> {
            if (isShown(name)) {
              copy.attribute(name, masked(value));
              at++;
            } else {
              copy.attribute(name, value);
            }
          });
      for (Node node : element.nodes()) {
        switch (node) {
          case Text part -> copy.text(masked(part.value()));
          case Element child when !hasText(child) -> copy.child(child);
          case Element child -> {
            int gap = isInline(child) ? 0 : 1;
            at += gap;
            copy.child(replace(child));
            at += gap;
          }
        }
      }
      return copy.build();
    }

    // One mask for each code point, as other payloads count characters (XEP-0426). White space
    // stays.
    private String masked(String text) {
      int start = at;
      int end = at + text.length();
      at = end;
      while (next < parts.size() && parts.get(next).end() <= start) {
        next++;
      }
      StringBuilder out = new StringBuilder(text.length());
      int done = start;
      for (int i = next; i < parts.size() && parts.get(i).start() < end; i++) {
        int from = Math.max(parts.get(i).start(), done);
        int to = Math.min(parts.get(i).end(), end);
        out.append(text, done - start, from - start);
        text.substring(from - start, to - start)
            .codePoints()
            .forEach(each -> {
              if (Character.isWhitespace(each)) {
                out.appendCodePoint(each);
              } else {
                out.append(mask);
              }
            });
        done = to;
      }
      return out.append(text, done - start, text.length()).toString();
    }
  }
}
