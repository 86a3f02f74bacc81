package im.zonda.stream.server;

import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The elements that enable acknowledgements and resume streams between servers (XEP-0198, sections
/// 3 and 5).
final class ResumptionElements {
  /// The longest identifier of another server that is kept; the XEP allows 4,000 bytes.
  private static final int MAX_ID = 4_000;

  private ResumptionElements() {}

  /// The request of the initiating side.
  static Element enable(Duration max) {
    Element.Builder enable = Element.builder(Acknowledgements.NAMESPACE, "enable");
    return max.isZero()
        ? enable.build()
        : enable.attribute("max", seconds(max)).attribute("resume", "true").build();
  }

  /// The answer to it.
  ///
  /// @param terms how the link can be resumed; null if it cannot
  static Element enabled(ResumableLinks.@Nullable Terms terms) {
    Element.Builder enabled = Element.builder(Acknowledgements.NAMESPACE, "enabled");
    return terms == null
        ? enabled.build()
        : enabled
            .attribute("id", terms.id())
            .attribute("max", seconds(terms.max()))
            .attribute("resume", "true")
            .build();
  }

  private static String seconds(Duration time) {
    return Long.toString(Math.max(1, time.toSeconds()));
  }

  /// Whether an element asks for a link that can be resumed, or says that it can.
  static boolean isResumable(@Nullable String resume) {
    return "true".equals(resume) || "1".equals(resume);
  }

  /// Whether an identifier of another server can be kept.
  static boolean isIdentifier(@Nullable String id) {
    return id != null && !id.isEmpty() && id.length() <= MAX_ID;
  }

  /// The request to go on with a link.
  static Element resume(ServerLink link, String id) {
    return counted("resume", link, id);
  }

  /// The answer to it.
  static Element resumed(ServerLink link, String id) {
    return counted("resumed", link, id);
  }

  private static Element counted(String name, ServerLink link, String id) {
    return Element.builder(Acknowledgements.NAMESPACE, name)
        .attribute("h", Acknowledgements.handled(link))
        .attribute("previd", id)
        .build();
  }

  /// The answer to what is not granted.
  ///
  /// @param link what has been handled of it is said; null for nothing
  static Element failed(ErrorCondition condition, @Nullable ServerLink link) {
    Element.Builder failed = Element.builder(Acknowledgements.NAMESPACE, "failed");
    if (link != null) {
      failed.attribute("h", Acknowledgements.handled(link));
    }
    return failed.child(Element.of(Namespaces.STANZA_ERRORS, condition.elementName())).build();
  }
}
