package im.zonda.home.account;

import im.zonda.home.session.LocalSession;
import im.zonda.hook.HookPoint;
import im.zonda.hook.IqFilter;
import im.zonda.hook.MessageFilter;
import im.zonda.hook.PresenceFilter;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.route.ErrorReplies;
import im.zonda.session.Home;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Passes stanzas through the filters of a hook point and applies their verdicts.
final class Filters {
  private final ErrorReplies errors;
  private final Keeper keeper;

  /// Runs what makes a message durable that a module keeps.
  interface Keeper {
    /// Runs `store`, which may block, next at the home; the message is handled afterwards.
    void keep(AccountHome home, Envelope envelope, Consumer<Home> store);
  }

  /// Filters of stanzas that no module keeps.
  Filters(ErrorReplies errors) {
    this(
        errors,
        (home, envelope, store) -> {
          throw new IllegalStateException("only messages that arrive can be kept");
        });
  }

  Filters(ErrorReplies errors, Keeper keeper) {
    this.errors = errors;
    this.keeper = keeper;
  }

  /// The message as the filters leave it; null if one of them has stopped it.
  @Nullable Message pass(
      Message message,
      Envelope cause,
      HookPoint point,
      AccountHome home,
      @Nullable LocalSession session) {
    Message passing = message;
    for (MessageFilter filter : home.dispatch().messages(point)) {
      Stanza next = apply(filter.filter(passing, home, session), passing, cause, point, home);
      if (next == null) {
        return null;
      }
      passing = (Message) next;
    }
    return passing;
  }

  /// The presence as the filters leave it; null if one of them has stopped it.
  @Nullable Presence pass(
      Presence presence,
      Envelope cause,
      HookPoint point,
      AccountHome home,
      @Nullable LocalSession session) {
    Presence passing = presence;
    for (PresenceFilter filter : home.dispatch().presence(point)) {
      Stanza next = apply(filter.filter(passing, home, session), passing, cause, point, home);
      if (next == null) {
        return null;
      }
      passing = (Presence) next;
    }
    return passing;
  }

  /// An IQ between accounts as the filters leave it; null if one of them has stopped it.
  @Nullable Iq pass(
      Iq iq, Envelope cause, HookPoint point, AccountHome home, @Nullable LocalSession session) {
    Iq passing = iq;
    for (IqFilter filter : home.dispatch().iqs(point)) {
      Stanza next = apply(filter.filter(passing, home, session), passing, cause, point, home);
      if (next == null) {
        return null;
      }
      passing = (Iq) next;
    }
    return passing;
  }

  /// Whether the receiver rejects a stanza that its author sends under another address: because it
  /// rejects the author, or that address.
  static boolean rejects(AccountHome home, Envelope envelope, Jid author) {
    Stanza stanza = envelope.stanza();
    return switch (stanza) {
      case Message message ->
          rejects(home, message) || rejects(home, message.withAddresses(author, message.to()));
      case Iq iq -> rejects(home, iq) || rejects(home, iq.withAddresses(author, iq.to()));
      case Presence presence -> false;
    };
  }

  private static boolean rejects(AccountHome home, Message message) {
    for (MessageFilter filter : home.dispatch().messagesRefusing()) {
      if (!(filter.filter(message, home, null) instanceof Verdict.Pass)) {
        return true;
      }
    }
    return false;
  }

  private static boolean rejects(AccountHome home, Iq iq) {
    for (IqFilter filter : home.dispatch().iqsRefusing()) {
      if (!(filter.filter(iq, home, null) instanceof Verdict.Pass)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Stanza apply(
      Verdict verdict, Stanza judged, Envelope cause, HookPoint point, AccountHome home) {
    return switch (verdict) {
      case Verdict.Pass() -> judged;
      case Verdict.Replace(Stanza changed) -> changed;
      case Verdict.Refuse(StanzaError error) -> {
        if (point == HookPoint.SENT_BY_CLIENT && judged.to() != null) {
          // A client waits for the answer to presence that it has sent to someone.
          errors.rejectDirected(judged, error);
        } else {
          errors.reject(cause.withStanza(judged), error);
        }
        yield null;
      }
      case Verdict.Handled() -> null;
      case Verdict.Keep(Consumer<Home> store) -> {
        keeper.keep(home, cause.withStanza(judged), store);
        yield null;
      }
    };
  }
}
