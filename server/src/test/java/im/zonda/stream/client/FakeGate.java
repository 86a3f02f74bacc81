package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A server behind streams that binds at once and hands stanzas from one session to the other.
public final class FakeGate implements SessionGate {
  /// What happened, in words.
  public final List<String> events = Collections.synchronizedList(new ArrayList<>());

  /// The bare addresses that were bound as guests.
  public final List<Jid> guests = Collections.synchronizedList(new ArrayList<>());

  /// All stanzas received.
  public final List<Stanza> received = Collections.synchronizedList(new ArrayList<>());

  /// The bound sessions.
  public final ConcurrentMap<Jid, FakeSession> sessions = new ConcurrentHashMap<>();

  /// Told of every stanza, on the stream's thread.
  public volatile Consumer<Stanza> onReceived = stanza -> {};

  /// If set, binds are rejected with it.
  public volatile @Nullable ErrorCondition refusal;

  /// If set, binds are kept here until the test answers.
  public volatile @Nullable List<Runnable> held;

  /// A bound session of `romeo@example.org`.
  public FakeSession session(String resource) {
    return Objects.requireNonNull(sessions.get(StreamFixture.ROMEO.withResource(resource)));
  }

  @Override
  public SessionEnd open(StreamEnd stream) {
    return new FakeSession(stream);
  }

  /// A session that is managed without keeping anything: what it is sent goes out.
  public final class FakeSession implements SessionEnd {
    private final StreamEnd stream;
    private final Queue<Runnable> unwritten = new ArrayDeque<>();
    private @Nullable Jid jid;
    private boolean managed;
    private long number;
    private long written;

    private FakeSession(StreamEnd stream) {
      this.stream = stream;
    }

    @Override
    public void receive(ToSession value) {
      List<Runnable> waiting = held;
      if (waiting == null) {
        handle(value);
      } else {
        // What follows a bind waits behind it.
        waiting.add(() -> handle(value));
      }
    }

    private void handle(ToSession value) {
      switch (value) {
        case ToSession.Bind bind -> bind(bind);
        case ToSession.Resume(var account, var id, var h, var _, var _) -> {
          events.add("resume " + account + " " + id + " " + h);
          stream.receive(new ToStream.SessionNotFound(null));
        }
        case ToSession.Enable(boolean resumable) -> {
          ToStream answer = managed ? new ToStream.NotEnabled() : enabled();
          stream.receive(answer);
        }
        case ToSession.Received(Stanza stanza, long _) -> received(stanza);
        case ToSession.HandledByStream(long _, Stanza reply) -> {
          if (reply != null) {
            send(reply, null);
          }
        }
        case ToSession.Active(boolean active) ->
            events.add((active ? "active " : "inactive ") + jid);
        case ToSession.Written(long upTo) -> left(upTo);
        case ToSession.Lost(), ToSession.Ended() -> ended();
        case ToSession.Acknowledged(long _), ToSession.EnablingOver(), ToSession.Recover _ -> {}
      }
    }

    private synchronized ToStream.Enabled enabled() {
      managed = true;
      number = 0;
      return new ToStream.Enabled(null, Duration.ZERO);
    }

    private void bind(ToSession.Bind bind) {
      ErrorCondition condition = refusal;
      if (condition != null) {
        events.add("refused " + bind.account());
        stream.receive(new ToStream.NotBound(condition));
        return;
      }
      String resource = bind.resource();
      Jid full = bind.account().withResource(resource == null ? "made" : resource);
      jid = full;
      sessions.put(full, this);
      events.add("bound " + full);
      if (bind.guest() != null) {
        guests.add(bind.account());
      }
      ToSession.Inline inline = bind.inline();
      boolean manage = inline != null && inline.management() != ToSession.Management.NONE;
      List<Element> answers = inline == null ? List.of() : FakeInlineBind.answers(inline.request());
      stream.receive(new ToStream.Bound(full, answers, manage ? enabled() : null));
      if (inline != null && inline.inactive()) {
        events.add("inactive " + full);
      }
    }

    private void received(Stanza stanza) {
      received.add(stanza);
      onReceived.accept(stanza);
      Jid to = stanza.to();
      FakeSession other = to == null ? null : sessions.get(to);
      if (other != null) {
        other.send(stanza.withAddresses(jid, to), null);
      }
    }

    private synchronized void left(long upTo) {
      for (; written < upTo; written++) {
        unwritten.remove().run();
      }
    }

    private void ended() {
      Jid bound = jid;
      if (bound != null) {
        sessions.remove(bound, this);
        events.add("ended " + bound);
      }
    }

    // ---- for the test

    /// Sends a stanza; `left` runs when its bytes have left. Any thread may call.
    public synchronized void send(Stanza stanza, @Nullable Runnable left) {
      if (left != null) {
        unwritten.add(left);
      }
      if (managed || left != null) {
        number++;
      }
      stream.receive(new ToStream.Deliver(stanza, number, left != null));
    }

    /// Ends the stream.
    public void close(StreamErrorCondition condition, @Nullable String text) {
      stream.receive(new ToStream.Close(condition, text));
    }

    /// Has the stream stop reading.
    public void pauseReading() {
      stream.receive(new ToStream.PauseReading());
    }

    /// Undoes one [#pauseReading].
    public void resumeReading() {
      stream.receive(new ToStream.ResumeReading());
    }
  }
}
