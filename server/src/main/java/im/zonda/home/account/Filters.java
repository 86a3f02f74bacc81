package im.zonda.home.account;

import im.zonda.home.session.LocalSession;
import im.zonda.hook.HookPoint;
import im.zonda.hook.IqFilter;
import im.zonda.hook.MessageFilter;
import im.zonda.hook.PresenceFilter;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Envelope;
import im.zonda.route.ErrorReplies;
import im.zonda.session.Home;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Passes stanzas through the filters of a hook point and applies their verdicts.
public final class Filters {
  private static final int SAMPLE = 16;

  private final ErrorReplies errors;
  private final Keeper keeper;
  private final Sender sender;
  private int passed;

  /// Runs what makes a message durable that a module keeps.
  public interface Keeper {
    /// Runs `store`, which may block, next at the home; the message is handled afterwards.
    void keep(AccountHome home, Envelope envelope, Consumer<Home> store);
  }

  /// Handles a stanza that a module sends in place of a client's.
  public interface Sender {
    /// Handles it as if the client had sent it.
    void send(AccountHome home, LocalSession session, Envelope envelope);
  }

  /// Filters of stanzas that clients send.
  public static Filters ofSent(ErrorReplies errors, Sender sender) {
    return new Filters(
        errors,
        (home, envelope, store) -> {
          throw new IllegalStateException("only messages that arrive can be kept");
        },
        sender);
  }

  /// Filters of stanzas that arrive.
  public static Filters ofArriving(ErrorReplies errors, Keeper keeper) {
    return new Filters(
        errors,
        keeper,
        (home, session, envelope) -> {
          throw new IllegalStateException("only stanzas of clients can be sent to several");
        });
  }

  private Filters(ErrorReplies errors, Keeper keeper, Sender sender) {
    this.errors = errors;
    this.keeper = keeper;
    this.sender = sender;
  }

  /// The message as the filters leave it; null if one of them has stopped it.
  public @Nullable Message pass(
      Message message,
      Envelope cause,
      HookPoint point,
      AccountHome home,
      @Nullable LocalSession session) {
    boolean sampled = isSampled();
    Message passing = message;
    for (MessageFilter filter : home.dispatch().messages(point)) {
      long began = sampled ? System.nanoTime() : 0;
      Verdict verdict = filter.filter(passing, home, session);
      if (sampled) {
        home.dispatch().took(filter, "message", began);
      }
      Stanza next = apply(verdict, filter, passing, cause, home, session);
      if (next == null) {
        return null;
      }
      passing = (Message) next;
    }
    return passing;
  }

  /// Notes that a message has passed all filters, if it is traced.
  ///
  /// @param passed as they have left it
  /// @param judged as it came
  public void note(Message passed, Message judged, Envelope envelope, Place place) {
    if (errors.tracing().on()) {
      boolean same = passed.equals(judged);
      im.zonda.trace.Verdict verdict =
          same ? im.zonda.trace.Verdict.PASSED : im.zonda.trace.Verdict.CHANGED;
      errors.tracing().step(envelope, place, verdict, null);
    }
  }

  /// The presence as the filters leave it; null if one of them has stopped it.
  public @Nullable Presence pass(
      Presence presence,
      Envelope cause,
      HookPoint point,
      AccountHome home,
      @Nullable LocalSession session) {
    boolean sampled = isSampled();
    Presence passing = presence;
    for (PresenceFilter filter : home.dispatch().presence(point)) {
      long began = sampled ? System.nanoTime() : 0;
      Verdict verdict = filter.filter(passing, home, session);
      if (sampled) {
        home.dispatch().took(filter, "presence", began);
      }
      Stanza next = apply(verdict, filter, passing, cause, home, session);
      if (next == null) {
        return null;
      }
      passing = (Presence) next;
    }
    return passing;
  }

  /// An IQ between accounts as the filters leave it; null if one of them has stopped it.
  public @Nullable Iq pass(
      Iq iq, Envelope cause, HookPoint point, AccountHome home, @Nullable LocalSession session) {
    boolean sampled = isSampled();
    Iq passing = iq;
    for (IqFilter filter : home.dispatch().iqs(point)) {
      long began = sampled ? System.nanoTime() : 0;
      Verdict verdict = filter.filter(passing, home, session);
      if (sampled) {
        home.dispatch().took(filter, "iq", began);
      }
      Stanza next = apply(verdict, filter, passing, cause, home, session);
      if (next == null) {
        return null;
      }
      passing = (Iq) next;
    }
    return passing;
  }

  /// Whether this is one of the stanzas of which is measured how long each filter takes: the time
  /// itself would cost too much for each.
  private boolean isSampled() {
    passed++; // some are lost when threads meet, which does not matter
    return passed % SAMPLE == 0;
  }

  private static Place place(@Nullable LocalSession session) {
    return session == null ? Place.ARRIVING_FILTER : Place.SENT_FILTER;
  }

  /// Why the receiver rejects a stanza that its author sends under another address: because it
  /// rejects the author, or that address. Null if it does not.
  public static @Nullable Reason rejects(AccountHome home, Envelope envelope, Jid author) {
    Stanza stanza = envelope.stanza();
    Reason reason =
        switch (stanza) {
          case Message message -> rejects(home, message);
          case Iq iq -> rejects(home, iq);
          case Presence presence -> null;
        };
    if (reason != null) {
      return reason;
    }
    return switch (stanza) {
      case Message message -> rejects(home, message.withAddresses(author, message.to()));
      case Iq iq -> rejects(home, iq.withAddresses(author, iq.to()));
      case Presence presence -> null;
    };
  }

  private static @Nullable Reason rejects(AccountHome home, Message message) {
    for (MessageFilter filter : home.dispatch().messagesRefusing()) {
      Reason reason = reasonOf(filter.filter(message, home, null));
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  private static @Nullable Reason rejects(AccountHome home, Iq iq) {
    for (IqFilter filter : home.dispatch().iqsRefusing()) {
      Reason reason = reasonOf(filter.filter(iq, home, null));
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  /// Why a verdict stops a stanza; null if it lets it pass as it is.
  public static @Nullable Reason reasonOf(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Pass() -> null;
      case Verdict.Refuse(StanzaError _, Reason reason) -> reason == null ? Reason.MODULE : reason;
      case Verdict.Drop(Reason reason) -> reason;
      case Verdict.Keep(Consumer<Home> _, Reason reason) -> reason;
      case Verdict.Replace _, Verdict.Handled _, Verdict.Each _ -> Reason.MODULE;
    };
  }

  private @Nullable Stanza apply(
      Verdict verdict,
      Object filter,
      Stanza judged,
      Envelope cause,
      AccountHome home,
      @Nullable LocalSession session) {
    return switch (verdict) {
      case Verdict.Pass() -> judged;
      case Verdict.Replace(Stanza changed) -> changed;
      case Verdict.Refuse(StanzaError error, Reason reason) -> {
        Envelope refused = cause.withStanza(judged);
        Reason known = reason == null ? Reason.MODULE : reason;
        String module = reason == null ? home.dispatch().moduleOf(filter) : null;
        if (session != null && judged.to() != null) {
          // A client waits for the answer to presence that it has sent to someone.
          errors.rejectDirected(refused, error, Place.SENT_FILTER, known, module);
        } else {
          errors.reject(refused, error, Place.ARRIVING_FILTER, known, module);
        }
        yield null;
      }
      case Verdict.Drop(Reason reason) -> {
        if (!(judged instanceof Presence)) { // who is blocked sends it all the time
          String module = reason == Reason.MODULE ? home.dispatch().moduleOf(filter) : null;
          errors.record(cause.withStanza(judged), place(session), reason, module);
        }
        yield null;
      }
      case Verdict.Handled() -> null;
      case Verdict.Keep(Consumer<Home> store, Reason reason) -> {
        errors.record(cause.withStanza(judged), place(session), reason, null);
        keeper.keep(home, cause.withStanza(judged), store);
        yield null;
      }
      case Verdict.Each(List<Stanza> stanzas) -> {
        if (session == null) {
          throw new IllegalStateException("only stanzas of clients can be sent to several");
        }
        for (Stanza each : stanzas) {
          sender.send(home, session, cause.withStanza(each));
        }
        yield null;
      }
    };
  }
}
