package im.zonda.cluster.session;

import im.zonda.cluster.handover.Segments;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.link.keeper.SessionKeeper;
import im.zonda.link.keeper.SessionWire;
import org.jspecify.annotations.Nullable;

/// The end of a link at a stream of this node. The session is on this node or on another one, and
/// may move: the [SessionKeeper] resumes it at its present node. Any thread may call.
public final class StreamLink implements SessionEnd {
  private final Streams streams;
  private final SessionChannels remote;
  private final Segments segments;
  private final StreamEnd stream;
  private final SessionGate gate;
  private final SessionKeeper keeper;

  /// The account of the session. Set by the stream's thread before the keeper asks for a wire; the
  /// same for each attempt.
  private volatile @Nullable Jid account;

  /// @param gate opens links to sessions of this node
  public StreamLink(
      Streams streams,
      SessionChannels remote,
      Segments segments,
      StreamEnd stream,
      SessionGate gate) {
    this.streams = streams;
    this.remote = remote;
    this.segments = segments;
    this.stream = stream;
    this.gate = gate;
    this.keeper = new SessionKeeper(streams.shared(), this::wire);
    keeper.stream(() -> stream);
  }

  SessionKeeper keeper() {
    return keeper;
  }

  @Override
  public void receive(ToSession value) {
    switch (value) {
      case ToSession.Bind bind -> asks(bind.account());
      case ToSession.Resume resume -> asks(resume.account());
      case ToSession.Recover rebuild -> asks(rebuild.session().jid());
      case ToSession.Enable _,
          ToSession.Received _,
          ToSession.HandledByStream _,
          ToSession.Acknowledged _,
          ToSession.Written _,
          ToSession.Active _,
          ToSession.EnablingOver _,
          ToSession.Lost _,
          ToSession.Ended _ -> {}
    }
    keeper.receive(value);
  }

  private void asks(Jid by) {
    account = by.bare();
    streams.add(this);
  }

  @Override
  public void outputEnded() {
    keeper.outputEnded();
    streams.remove(this);
  }

  /// A wire to the node of the session's home. Null while the home moves to this node, and while
  /// this process may have been evicted.
  private @Nullable SessionWire wire() {
    Jid owner = account;
    if (owner == null || segments.isComing(segments.of(owner.toString())) || !streams.isCurrent()) {
      return null;
    }
    return segments.isHere(owner.toString())
        ? new LocalWire(owner)
        : new RemoteWire(remote, owner, keeper);
  }

  /// A connection to a home on this node. The stream dies with this process, so the keeper needs no
  /// snapshot of the session.
  private final class LocalWire implements SessionWire, StreamEnd {
    private final Jid owner;
    private final SessionEnd session;

    LocalWire(Jid owner) {
      this.owner = owner;
      this.session = gate.open(this);
    }

    @Override
    public void send(ToSession value) {
      session.receive(value);
    }

    @Override
    public boolean isAway() {
      return !segments.isHere(owner.toString());
    }

    @Override
    public void receive(ToStream value) {
      keeper.receive(value, this);
    }

    @Override
    public boolean keepsState() {
      return stream.keepsState();
    }
  }
}
