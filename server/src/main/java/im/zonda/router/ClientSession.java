package im.zonda.router;

import im.zonda.hook.LateDelivery;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import java.time.Instant;
import java.util.function.Consumer;

/// The session behind [BoundSession]: minds which stream is calling.
final class ClientSession implements BoundSession {
  private final StanzaRouter router;
  private final LocalSession session;
  private final Outbound stream;

  ClientSession(StanzaRouter router, LocalSession session, Outbound stream) {
    this.router = router;
    this.session = session;
    this.stream = stream;
  }

  @Override
  public Jid jid() {
    return session.jid();
  }

  @Override
  public void attach(Runnable answer) {
    session.checked(session.outgoing().attach(stream, this::late, answer));
  }

  /// Marks a message that is delivered late.
  private Message late(Message message, Instant time) {
    Message marked = message;
    Dispatch host = router.host(session.jid());
    for (LateDelivery marker : host == null ? new LateDelivery[0] : host.lateDelivery()) {
      marked = marker.mark(marked, time);
    }
    return marked;
  }

  @Override
  public boolean manage(boolean resumable, Consumer<Managed> answer) {
    return router.resumption().manage(session, stream, resumable, answer);
  }

  @Override
  public void begun() {
    router.begun(session);
  }

  @Override
  public void received(Stanza stanza) {
    Management management = session.management();
    if (management == null) {
      router.fromClient(session, stanza, session);
      return;
    }
    HandledCount.Handling handling = management.handled().begin(stream);
    if (handling != null) {
      router.fromClient(session, stanza, handling);
    }
  }

  @Override
  public void dealtWith() {
    Management management = session.management();
    HandledCount.Handling handling = management == null ? null : management.handled().begin(stream);
    if (handling != null) {
      handling.release();
    }
  }

  @Override
  public void send(Stanza stanza) {
    if (stream.equals(session.outgoing().owner())) {
      session.send(stanza);
    }
  }

  @Override
  public boolean requested() {
    Management management = session.management();
    return management == null || management.handled().requested(stream);
  }

  @Override
  public boolean owes() {
    Management management = session.management();
    return management != null && management.handled().owes();
  }

  @Override
  public long handled() {
    Management management = session.management();
    return management == null ? 0 : management.handled().handled();
  }

  @Override
  public boolean acknowledged(long h) {
    return session.outgoing().acknowledged(stream, h) != Unacknowledged.Answer.TOO_HIGH;
  }

  @Override
  public int unacknowledged() {
    return session.outgoing().unacknowledged();
  }

  @Override
  public long sent() {
    return session.outgoing().sent();
  }

  @Override
  public void active(boolean active) {
    session.checked(session.outgoing().active(stream, active));
  }

  @Override
  public void lost() {
    router.lost(session, stream);
  }

  @Override
  public void ended() {
    router.ended(session, stream);
  }
}
