package im.zonda.router;

import im.zonda.hook.HookPoint;
import im.zonda.hook.IqFilter;
import im.zonda.hook.MessageFilter;
import im.zonda.hook.PresenceFilter;
import im.zonda.hook.Verdict;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import org.jspecify.annotations.Nullable;

/// Passes stanzas through the filters of a hook point and does what they say.
final class Filters {
  private final StanzaRouter router;

  Filters(StanzaRouter router) {
    this.router = router;
  }

  /// What is left of the message after all filters; null if it goes no further.
  @Nullable Message pass(
      Message message, HookPoint point, AccountHome home, @Nullable LocalSession session) {
    Message passing = message;
    for (MessageFilter filter : home.dispatch().messages(point)) {
      Stanza next = apply(filter.filter(passing, home, session), passing, point);
      if (next == null) {
        return null;
      }
      passing = (Message) next;
    }
    return passing;
  }

  /// What is left of the presence after all filters; null if it goes no further.
  @Nullable Presence pass(
      Presence presence, HookPoint point, AccountHome home, @Nullable LocalSession session) {
    Presence passing = presence;
    for (PresenceFilter filter : home.dispatch().presence(point)) {
      Stanza next = apply(filter.filter(passing, home, session), passing, point);
      if (next == null) {
        return null;
      }
      passing = (Presence) next;
    }
    return passing;
  }

  /// What is left of an IQ that passes between accounts; null if it goes no further.
  @Nullable Iq pass(Iq iq, HookPoint point, AccountHome home, @Nullable LocalSession session) {
    Iq passing = iq;
    for (IqFilter filter : home.dispatch().iqs(point)) {
      Stanza next = apply(filter.filter(passing, home, session), passing, point);
      if (next == null) {
        return null;
      }
      passing = (Iq) next;
    }
    return passing;
  }

  private @Nullable Stanza apply(Verdict verdict, Stanza judged, HookPoint point) {
    return switch (verdict) {
      case Verdict.Pass() -> judged;
      case Verdict.Replace(Stanza changed) -> changed;
      case Verdict.Refuse(StanzaError error) -> {
        if (point == HookPoint.SENT_BY_CLIENT && judged.to() != null) {
          // A client waits for the answer to presence that it has sent to someone.
          router.refuseAny(judged, error);
        } else {
          router.refuse(judged, error);
        }
        yield null;
      }
      case Verdict.Handled() -> null;
    };
  }
}
