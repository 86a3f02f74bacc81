package im.zonda.home.lifecycle;

import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.session.ClientNetwork;
import im.zonda.stanza.Stanza;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A link as a stream uses it. Not safe for use by many threads at the same time, as the stream's
/// end is not.
public final class TestLink {
  private final RecordingStream stream;
  private final SessionEnd end;
  private final Consumer<Jid> accounts;
  private boolean counting;
  private long received;

  TestLink(Sessions sessions, RecordingStream stream) {
    this(sessions, stream, account -> {});
  }

  /// @param accounts creates an account that does not exist
  TestLink(Sessions sessions, RecordingStream stream, Consumer<Jid> accounts) {
    this.stream = stream;
    this.accounts = accounts;
    this.end = sessions.open(stream);
  }

  public RecordingStream stream() {
    return stream;
  }

  /// Binds a resource; the answer may come later.
  public CompletableFuture<ToStream> bind(Jid jid) {
    accounts.accept(jid.bare());
    CompletableFuture<ToStream> answer = stream.answer();
    end.receive(new ToSession.Bind(jid.bare(), jid.resource(), null));
    return answer;
  }

  /// Binds a resource as a guest from that network, or as an account if it is null.
  public CompletableFuture<ToStream> bind(Jid jid, @Nullable ClientNetwork guest) {
    CompletableFuture<ToStream> answer = stream.answer();
    end.receive(new ToSession.Bind(jid.bare(), jid.resource(), null, guest));
    return answer;
  }

  /// Enables stream management; returns by what the session can be resumed.
  public String manage() {
    counting = true;
    CompletableFuture<ToStream> answer = stream.answer();
    end.receive(new ToSession.Enable(true));
    if (answer.join() instanceof ToStream.Enabled enabled) {
      return Objects.requireNonNull(enabled.id());
    }
    throw new AssertionError("not managed");
  }

  /// Resumes a session; the answer may come later.
  public CompletableFuture<ToStream> resume(Jid jid, String id, long h) {
    counting = true;
    CompletableFuture<ToStream> answer = stream.answer();
    CompletableFuture<ToStream> then =
        answer.thenApply(value -> {
          received = value instanceof ToStream.Resumed resumed ? resumed.handled() : 0;
          return value;
        });
    end.receive(new ToSession.Resume(jid.bare(), id, h));
    return then;
  }

  public void received(Stanza stanza) {
    end.receive(new ToSession.Received(stanza, counting ? ++received : 0));
  }

  public void acknowledged(long h) {
    end.receive(new ToSession.Acknowledged(h));
  }

  public void written(long number) {
    end.receive(new ToSession.Written(number));
  }

  public void active(boolean active) {
    end.receive(new ToSession.Active(active));
  }

  public void lost() {
    end.receive(new ToSession.Lost());
  }

  public void ended() {
    end.receive(new ToSession.Ended());
  }
}
