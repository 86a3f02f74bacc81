package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.bound.SessionLink;
import im.zonda.stream.bound.StreamManagement;
import im.zonda.xml.Element;
import im.zonda.xml.framing.Frame;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Gives the stream the session of an older one (XEP-0198, section 5), asked for by itself or
/// within an authentication.
final class Resuming {
  private final Negotiation negotiation;
  private final ClientStream stream;

  Resuming(Negotiation negotiation, ClientStream stream) {
    this.negotiation = negotiation;
    this.stream = stream;
  }

  /// Takes a first-level element of stream management before a resource is bound: only a session
  /// that exists can be managed. A request out of order is answered, and the stream goes on
  /// (section 3).
  ///
  /// @param account who the client has proved to be, or null
  void element(StreamHost at, @Nullable Jid account, Frame frame) {
    boolean resume = frame.name().name().equals("resume");
    if (account != null && resume) {
      resume(at, account, frame.toElement(), (_, answer) -> stream.write(answer), stream::write);
    } else if (account != null || resume || frame.name().name().equals("enable")) {
      stream.write(StreamManagement.failed(ErrorCondition.UNEXPECTED_REQUEST, null));
    } else {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
    }
  }

  /// Tries to resume.
  ///
  /// @param granted tells the client, before anything else is sent on the session
  /// @param refused tells the client; the stream has no session
  void resume(
      StreamHost at,
      Jid account,
      Element request,
      BiConsumer<Jid, Element> granted,
      Consumer<Element> refused) {
    StreamManagement.Resume resume = StreamManagement.Resume.of(request);
    if (resume == null) {
      refused.accept(StreamManagement.failed(ErrorCondition.BAD_REQUEST, null));
      return;
    }
    negotiation.await();
    SessionLink link = stream.link(at);
    boolean guest = negotiation.guest() != null;
    link.resume(
        resume.owner(account, guest),
        resume.id(guest),
        resume.h(),
        outcome -> ended(at, link, resume, outcome, granted, refused));
  }

  private void ended(
      StreamHost at,
      SessionLink link,
      StreamManagement.Resume resume,
      ToStream outcome,
      BiConsumer<Jid, Element> granted,
      Consumer<Element> refused) {
    switch (outcome) {
      case ToStream.Resumed(var jid, var handled, var acknowledged, var _) -> {
        stream.bound(at.domain(), link, jid).managed(acknowledged, true);
        granted.accept(jid, StreamManagement.resumed(resume.previd(), handled));
        negotiation.goOn();
      }
      case ToStream.SessionNotFound(var handled) -> {
        if (negotiation.guest() != null) {
          stream.abandonLink(); // the client's new address has another home than its former one
        }
        refused.accept(StreamManagement.failed(ErrorCondition.ITEM_NOT_FOUND, handled));
        negotiation.goOn();
      }
      case ToStream.Unsettled() ->
          // Not <failed/>: the client would take it for the end of the session (XEP-0198, section
          // 5), bind a new one and send again what is still being stored.
          stream.fail(
              StreamErrorCondition.RESOURCE_CONSTRAINT,
              "the session cannot be resumed now; resume again later");
      case ToStream.CountTooHigh(var sent) ->
          stream.fail(
              StreamErrorCondition.UNDEFINED_CONDITION,
              null,
              StreamManagement.tooHigh(resume.h(), sent));
      default -> throw new IllegalStateException("no answer to a resumption: " + outcome);
    }
  }
}
