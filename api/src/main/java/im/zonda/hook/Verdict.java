package im.zonda.hook;

import im.zonda.journal.Reason;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The decision of a filter on a stanza.
public sealed interface Verdict {
  /// The stanza passes unchanged.
  record Pass() implements Verdict {
    private static final Pass INSTANCE = new Pass();
  }

  /// Another stanza of the same kind passes in its place.
  record Replace(Stanza stanza) implements Verdict {}

  /// The stanza is rejected: the sender is answered with an error.
  ///
  /// @param reason why, for the record; null if it has no name
  record Refuse(StanzaError error, @Nullable Reason reason) implements Verdict {
    /// Rejected for a reason that has no name.
    public Refuse(StanzaError error) {
      this(error, null);
    }
  }

  /// The stanza is discarded, and its sender is not told.
  ///
  /// @param reason why, for the record
  record Drop(Reason reason) implements Verdict {}

  /// The module has handled the stanza; it passes no further.
  record Handled() implements Verdict {
    private static final Handled INSTANCE = new Handled();
  }

  /// The module keeps a message that arrives; it passes no further. `store` may block and returns
  /// when the message is durable; it runs at the home before anything that waits there, and the
  /// message has not been handled before. If it throws, the sender is answered with an error. For
  /// [HookPoint#ARRIVING] only.
  ///
  /// @param reason why, for the record
  record Keep(Consumer<Home> store, Reason reason) implements Verdict {}

  /// These stanzas of the same kind pass in its place. Each of them is handled as if the client had
  /// sent it, by all filters; together they are handled when the client's stanza has been. For
  /// [HookPoint#SENT_BY_CLIENT] only.
  record Each(List<Stanza> stanzas) implements Verdict {
    /// Copies the list.
    public Each {
      stanzas = List.copyOf(stanzas);
    }
  }

  /// The stanza passes unchanged.
  static Verdict pass() {
    return Pass.INSTANCE;
  }

  /// The module has handled the stanza; it passes no further.
  static Verdict handled() {
    return Handled.INSTANCE;
  }

  /// Another stanza of the same kind passes in its place.
  static Verdict replace(Stanza stanza) {
    return new Replace(stanza);
  }

  /// The stanza is rejected with an error of the condition's usual type.
  static Verdict refuse(ErrorCondition condition) {
    return new Refuse(StanzaError.of(condition));
  }

  /// The same, for a reason that is recorded.
  static Verdict refuse(ErrorCondition condition, Reason reason) {
    return new Refuse(StanzaError.of(condition), reason);
  }
}
