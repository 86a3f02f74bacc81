package im.zonda.home.session;

import im.zonda.home.session.Outgoing.Fate;
import im.zonda.hook.LateDelivery;
import im.zonda.jid.Jid;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToStream;
import im.zonda.link.ack.AckCount;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A session that is at no home, for tests of what it sends in which phase.
final class LoneSession {
  private final NoHomes homes = new NoHomes();
  private final InstantSource clock;
  private final LocalSession session;

  /// @param first the stream that binds it; null if it is restored
  LoneSession(Jid jid, @Nullable StreamEnd first, Budget<?> budget, InstantSource clock) {
    this.clock = clock;
    this.session =
        new LocalSession(
            jid,
            first == null
                ? new SessionPhase.Arriving(clock.millis())
                : new SessionPhase.Binding(link(first)),
            budget,
            homes);
  }

  private HomeLink link(StreamEnd stream) {
    return new HomeLink(homes, stream);
  }

  private SessionPhase.Link link() {
    return Objects.requireNonNull(session.link());
  }

  LocalSession session() {
    return session;
  }

  Outgoing outgoing() {
    return session.outgoing();
  }

  NoHomes homes() {
    return homes;
  }

  Fate bound() {
    session.bound(link(), new ToStream.Bound(session.jid(), List.of(), null));
    return fate();
  }

  @Nullable AckCount resuming(StreamEnd stream, long h) {
    return session.resuming(link(stream), h);
  }

  Fate resumed(LateDelivery late) {
    ToStream.Resumed answer =
        new ToStream.Resumed(session.jid(), 0, session.outgoing().acknowledged());
    session.resumed(link(), answer, late);
    return fate();
  }

  Fate active(boolean active) {
    session.active(active);
    return fate();
  }

  void detach() {
    Object _ = session.detached(clock.millis(), SessionPhase.NEVER);
  }

  private Fate fate() {
    return homes.asked().remove("noRoom") ? Fate.NO_ROOM : Fate.TAKEN;
  }
}
