package im.zonda.module.pubsub.node;

import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Why a request is rejected: an error condition and one of publish-subscribe (XEP-0060, section
/// 11).
///
/// @param condition the defined condition
/// @param detail the element of the condition of publish-subscribe, or null
/// @param feature the feature that is not supported, for `unsupported`
public record Refusal(ErrorCondition condition, @Nullable String detail, @Nullable String feature) {
  private static final String NAMESPACE = "http://jabber.org/protocol/pubsub#errors";

  /// An error without a condition of publish-subscribe.
  public static Refusal of(ErrorCondition condition) {
    return new Refusal(condition, null, null);
  }

  /// An error with a condition of publish-subscribe.
  public static Refusal of(ErrorCondition condition, String detail) {
    return new Refusal(condition, detail, null);
  }

  /// What was requested is not supported.
  public static Refusal unsupported(String feature) {
    return new Refusal(ErrorCondition.FEATURE_NOT_IMPLEMENTED, "unsupported", feature);
  }

  /// The error of the stanza.
  public StanzaError error() {
    StanzaError error = StanzaError.of(condition);
    if (condition == ErrorCondition.UNEXPECTED_REQUEST) {
      // The examples of XEP-0060 have another type than usual.
      error = new StanzaError(condition, im.zonda.stanza.ErrorType.CANCEL, null, null);
    }
    return detail == null
        ? error
        : error.withDetail(
            Element.builder(NAMESPACE, detail).attribute("feature", feature).build());
  }
}
