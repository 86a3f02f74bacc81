package im.zonda.module;

import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;

/// What a filter says of a stanza.
public sealed interface Verdict {
  /// It goes on as it is.
  record Pass() implements Verdict {
    private static final Pass INSTANCE = new Pass();
  }

  /// It goes on changed; the kind of stanza stays the same.
  record Replace(Stanza stanza) implements Verdict {}

  /// The sender is answered with an error, and that is the end of it.
  record Refuse(StanzaError error) implements Verdict {}

  /// The module has dealt with it, and that is the end of it.
  record Handled() implements Verdict {
    private static final Handled INSTANCE = new Handled();
  }

  /// It goes on as it is.
  static Verdict pass() {
    return Pass.INSTANCE;
  }

  /// The module has dealt with it.
  static Verdict handled() {
    return Handled.INSTANCE;
  }

  /// It goes on changed.
  static Verdict replace(Stanza stanza) {
    return new Replace(stanza);
  }

  /// It is refused with the condition's usual error.
  static Verdict refuse(ErrorCondition condition) {
    return new Refuse(StanzaError.of(condition));
  }
}
