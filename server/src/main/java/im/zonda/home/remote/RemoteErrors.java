package im.zonda.home.remote;

import im.zonda.jid.Jid;
import im.zonda.link.ServerStreamFailure;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import org.jspecify.annotations.Nullable;

/// Answers the senders of stanzas that do not get to another server (RFC 6120, section 10.4).
///
/// Errors are returned for subscription requests and for available presence to a full address: such
/// presence is directed, as from a room to an occupant, and the room must remove the occupant
/// (XEP-0045, section 7.14). Broadcast presence is discarded without an error.
record RemoteErrors(ErrorReplies errors) {
  /// Answers the sender of a stanza that is not accepted.
  void reject(Envelope envelope, ErrorCondition condition) {
    StanzaError error = StanzaError.of(condition);
    if (envelope.stanza() instanceof Presence presence && isDirected(presence)) {
      errors.rejectDirected(envelope, error);
    } else {
      errors.reject(envelope, error);
    }
  }

  /// Returns a stanza that has waited to its sender.
  void returnToSender(QueuedStanza queued, ErrorCondition condition) {
    reject(new Envelope(queued.stanza(), Origin.NONE, queued.author()), condition);
  }

  private static boolean isDirected(Presence presence) {
    Jid to = presence.to();
    return presence.type() == Presence.Type.AVAILABLE && to != null && to.isFull();
  }

  /// The error condition for a server that was not reached.
  static ErrorCondition conditionOf(@Nullable ServerStreamFailure failure) {
    return switch (failure == null ? null : failure.reason()) {
      case NO_SUCH_DOMAIN -> ErrorCondition.REMOTE_SERVER_NOT_FOUND;
      case NOT_ALLOWED -> ErrorCondition.NOT_ALLOWED;
      case null, default -> ErrorCondition.REMOTE_SERVER_TIMEOUT;
    };
  }
}
