package im.zonda.home.session;

import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.module.InboundFlow;
import org.jspecify.annotations.Nullable;

/// The end of a link at the account's home. Hands each value to the home's mailbox.
///
/// The account is set by the stream's thread with the first value, the session in the mailbox. A
/// session has one link at a time; what an older link brings is ignored, but for the bytes that
/// have left on it.
public final class HomeLink implements SessionEnd, SessionPhase.Link, InboundFlow {
  private static final ToStream PAUSE = new ToStream.PauseReading();
  private static final ToStream RESUME = new ToStream.ResumeReading();

  private final SessionHomes homes;
  private final StreamEnd stream;
  private @Nullable Jid account;
  private @Nullable LocalSession session;

  public HomeLink(SessionHomes homes, StreamEnd stream) {
    this.homes = homes;
    this.stream = stream;
  }

  @Override
  public void receive(ToSession value) {
    switch (value) {
      case ToSession.Bind bind -> {
        account = bind.account();
        homes.bind(this, bind);
      }
      case ToSession.Resume resume -> {
        account = resume.account();
        homes.resume(this, resume);
      }
      case ToSession.Recover(var lost) -> {
        account = lost.jid().bare();
        homes.recover(this, lost);
      }
      case ToSession.Received received -> homes.received(this, account(), received);
      default -> homes.submit(this, account(), value);
    }
  }

  private Jid account() {
    Jid bound = account;
    if (bound == null) {
      throw new IllegalStateException("the first value of a link binds or resumes");
    }
    return bound;
  }

  @Override
  public StreamEnd stream() {
    return stream;
  }

  /// The session that this link has or had; null before the bind.
  public @Nullable LocalSession session() {
    return session;
  }

  public void session(LocalSession bound) {
    session = bound;
  }

  @Override
  public void pauseReading() {
    stream.receive(PAUSE);
  }

  @Override
  public void resumeReading() {
    stream.receive(RESUME);
  }
}
