package im.zonda.stream.server;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StanzaError;
import im.zonda.stream.StreamXml;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A `<db:result/>` or `<db:verify/>` (XEP-0220).
///
/// @param kind its name
/// @param from the domain in `from`, prepared
/// @param to the domain in `to`, prepared
/// @param id the stream identifier of a `<db:verify/>`; empty in a `<db:result/>`
/// @param outcome what an answer says; null in a request
/// @param key the dialback key of a request
/// @param condition the condition of an answer with the outcome `error`; null if it has none
record DialbackElement(
    Kind kind,
    String from,
    String to,
    String id,
    @Nullable Outcome outcome,
    String key,
    @Nullable String condition) {
  /// The stream feature that announces dialback with error handling (section 2.4.2).
  static final Element FEATURE =
      Element.builder("urn:xmpp:features:dialback", "dialback")
          .child(Element.of("urn:xmpp:features:dialback", "errors"))
          .build();

  /// The two elements.
  enum Kind {
    RESULT,
    VERIFY
  }

  /// What an answer says.
  enum Outcome {
    VALID,
    INVALID,
    ERROR
  }

  /// Reads an element of the dialback namespace; null if it has not the form of one.
  static @Nullable DialbackElement read(Element element) {
    Kind kind =
        switch (element.name().name()) {
          case "result" -> Kind.RESULT;
          case "verify" -> Kind.VERIFY;
          default -> null;
        };
    String from = domain(element.attribute("from"));
    String to = domain(element.attribute("to"));
    String id = element.attribute("id");
    if (kind == null || from == null || to == null || (kind == Kind.VERIFY && id == null)) {
      return null;
    }
    String type = element.attribute("type");
    Outcome outcome =
        switch (type) {
          case "valid" -> Outcome.VALID;
          case "invalid" -> Outcome.INVALID;
          case "error" -> Outcome.ERROR;
          case null, default -> null;
        };
    if (type != null && outcome == null) {
      return null;
    }
    return new DialbackElement(
        kind,
        from,
        to,
        id == null || kind == Kind.RESULT ? "" : id,
        outcome,
        element.text().strip(),
        condition(element));
  }

  private static @Nullable String domain(@Nullable String text) {
    try {
      Jid jid = text == null ? null : Jid.of(text);
      return jid != null && jid.isDomain() ? jid.domain() : null;
    } catch (JidFormatException e) {
      return null;
    }
  }

  private static @Nullable String condition(Element element) {
    for (Element child : element.children()) {
      if (child.name().name().equals("error")) {
        for (Element each : child.children()) {
          if (each.name().namespace().equals(Namespaces.STANZA_ERRORS)
              && !each.name().name().equals("text")) {
            return each.name().name();
          }
        }
      }
    }
    return null;
  }

  /// The request for authorization (step 1).
  static Element result(String from, String to, String key) {
    return element(Kind.RESULT, from, to, "").text(key).build();
  }

  /// The request for verification (step 2).
  static Element verify(String from, String to, String id, String key) {
    return element(Kind.VERIFY, from, to, id).text(key).build();
  }

  /// The answer to this request (steps 3 and 4).
  Element answer(Outcome answered) {
    return element(kind, to, from, id)
        .attribute("type", answered.name().toLowerCase(Locale.ROOT))
        .build();
  }

  /// The answer to this request that it could not be decided on.
  ///
  /// @param text why, for the other server's administrator; or null
  Element error(ErrorCondition why, @Nullable String text) {
    StanzaError error = StanzaError.of(why);
    return element(kind, to, from, id)
        .attribute("type", "error")
        .child((text == null ? error : error.withText(text)).toElement())
        .build();
  }

  private static Element.Builder element(Kind kind, String from, String to, String id) {
    Element.Builder element =
        Element.builder(new QName(StreamXml.DIALBACK, kind.name().toLowerCase(Locale.ROOT)))
            .attribute("from", from);
    if (!id.isEmpty()) {
      element.attribute("id", id);
    }
    return element.attribute("to", to);
  }
}
