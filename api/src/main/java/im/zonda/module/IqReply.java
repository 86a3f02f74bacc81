package im.zonda.module;

import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// The answer to an IQ request; each request is answered exactly once.
public sealed interface IqReply {
  /// A result.
  record Result(@Nullable Element payload) implements IqReply {}

  /// An error.
  record Refuse(StanzaError error) implements IqReply {}

  /// The module sends the answer itself.
  record Later() implements IqReply {}

  /// An empty result.
  static IqReply empty() {
    return new Result(null);
  }

  /// A result with that payload.
  static IqReply result(Element payload) {
    return new Result(payload);
  }

  /// An error with the condition's usual type.
  static IqReply refuse(ErrorCondition condition) {
    return new Refuse(StanzaError.of(condition));
  }

  /// An error with a text for people.
  static IqReply refuse(ErrorCondition condition, String text) {
    return new Refuse(StanzaError.of(condition).withText(text));
  }

  /// The module sends the answer itself, by [ModuleContext#send].
  static IqReply later() {
    return new Later();
  }
}
