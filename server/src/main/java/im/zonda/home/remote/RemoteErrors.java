package im.zonda.home.remote;

import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.module.Envelope;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers the senders of stanzas that do not get to another server (RFC 6120, section 10.4).
///
/// Errors are returned for subscription requests and for available presence to a full address: such
/// presence is directed, as from a room to an occupant, and the room must remove the occupant
/// (XEP-0045, section 7.14). Broadcast presence is discarded without an error.
record RemoteErrors(ErrorReplies errors) {
  private static final Logger LOG = LoggerFactory.getLogger(DomainPairQueue.class);

  /// Answers the sender of a stanza that is not accepted.
  void reject(Envelope envelope, ErrorCondition condition) {
    reject(envelope, condition, null);
  }

  /// Answers the sender of a stanza that is not accepted because the last attempt has failed.
  void reject(Envelope envelope, ServerStreamFailure failure) {
    reject(envelope, conditionOf(failure), failure);
  }

  private void reject(
      Envelope envelope, ErrorCondition condition, @Nullable ServerStreamFailure failure) {
    StanzaError error = StanzaError.of(condition);
    Reason reason = reasonOf(condition, failure);
    String detail = failure == null ? condition.elementName() : failure.detail();
    if (envelope.stanza() instanceof Presence presence && isDirected(presence)) {
      errors.rejectDirected(envelope, error, Place.REMOTE, reason, detail);
    } else {
      errors.reject(envelope, error, Place.REMOTE, reason, detail);
    }
  }

  /// Returns stanzas that have waited to their senders.
  void returnToSenders(
      DomainPair pair,
      List<QueuedStanza> undelivered,
      ErrorCondition condition,
      @Nullable ServerStreamFailure failure) {
    for (QueuedStanza queued : undelivered) {
      reject(queued.envelope(), condition, failure);
    }
    if (!undelivered.isEmpty()) {
      LOG.atInfo()
          .addKeyValue("pair", pair)
          .addKeyValue("stanzas", undelivered.size())
          .addKeyValue("condition", condition.elementName())
          .log("remote_stanzas_returned");
    }
  }

  /// Records that a message waits although an attempt to connect has failed.
  ///
  /// @param retryAt when another attempt is made, in milliseconds since 1970
  void waits(Envelope envelope, ServerStreamFailure failure, long retryAt) {
    if (envelope.stanza() instanceof Message message && !message.isError()) {
      Instant next = Instant.ofEpochMilli(retryAt).truncatedTo(ChronoUnit.SECONDS);
      String detail = failure.detail() + " (next attempt at " + next + ")";
      errors.record(envelope, Place.REMOTE, Reason.REMOTE_WAITS, detail);
    }
  }

  /// The same for a stanza that waits.
  void waits(QueuedStanza queued, ServerStreamFailure failure, long retryAt) {
    waits(queued.envelope(), failure, retryAt);
  }

  private static Reason reasonOf(ErrorCondition condition, @Nullable ServerStreamFailure failure) {
    return switch (condition) {
      case NOT_ALLOWED -> Reason.REMOTE_NOT_ALLOWED;
      case RESOURCE_CONSTRAINT -> Reason.REMOTE_QUEUE_FULL;
      case POLICY_VIOLATION -> Reason.REMOTE_TOO_LARGE;
      case REMOTE_SERVER_NOT_FOUND -> Reason.REMOTE_NO_SUCH_DOMAIN;
      case REMOTE_SERVER_TIMEOUT -> {
        ServerStreamFailure.Reason kind = failure == null ? null : failure.reason();
        yield kind == ServerStreamFailure.Reason.NOT_TRUSTED
                || kind == ServerStreamFailure.Reason.NOT_ACCEPTED
                || kind == ServerStreamFailure.Reason.NO_TLS
            ? Reason.REMOTE_UNTRUSTED
            : Reason.REMOTE_UNREACHABLE;
      }
      default -> Reason.REFUSED;
    };
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
