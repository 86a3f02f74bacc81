package im.zonda.link.keeper;

import im.zonda.link.StreamEnd;
import im.zonda.link.ToStream;
import org.jspecify.annotations.Nullable;

/// The stream of a [SessionKeeper], and the reasons not to read from its client: pauses that the
/// session has asked for, and the keeper's own. Guarded by the keeper.
final class KeptStream {
  private static final ToStream PAUSE = new ToStream.PauseReading();
  private static final ToStream GO_ON = new ToStream.ResumeReading();

  private @Nullable StreamEnd stream;

  /// How many pauses the session has asked for.
  private int pauses;

  /// Whether there is no session at present.
  private boolean paused;

  /// Whether there are too many unhandled bytes.
  private boolean tooMuch;

  void open(StreamEnd opened) {
    stream = opened;
  }

  void send(ToStream value) {
    StreamEnd to = stream;
    if (to != null) {
      to.receive(value);
    }
  }

  /// Passes on a value of the session, but no state that the stream does not want.
  void sendFromSession(ToStream value) {
    StreamEnd to = stream;
    if (to != null && (to.keepsState() || !(value instanceof ToStream.State))) {
      to.receive(value);
    }
  }

  /// The session pauses the stream.
  void pauseForSession() {
    pauses++;
    send(PAUSE);
  }

  /// Undoes one [#pauseForSession].
  void resumeForSession() {
    pauses--;
    send(GO_ON);
  }

  /// The session is gone, and with it its pauses.
  void endPausesOfSession() {
    for (; pauses > 0; pauses--) {
      send(GO_ON);
    }
  }

  /// Whether the stream is paused because it has no session.
  boolean isPaused() {
    return paused;
  }

  /// Pauses the stream while it has no session, or ends that.
  void pause(boolean on) {
    if (paused != on) {
      paused = on;
      send(on ? PAUSE : GO_ON);
    }
  }

  /// Pauses the stream while it has too much that is not handled.
  void pauseIfTooMuch(StreamSideSession session) {
    if (!tooMuch && session.isTooMuch()) {
      tooMuch = true;
      send(PAUSE);
    }
  }

  /// Ends that.
  void resumeIfFew(StreamSideSession session) {
    if (tooMuch && session.isFew()) {
      tooMuch = false;
      send(GO_ON);
    }
  }
}
