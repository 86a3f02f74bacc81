package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.router.BoundSession;
import im.zonda.router.Managed;
import im.zonda.router.Outbound;
import im.zonda.router.Resumed;
import im.zonda.router.SessionGate;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// A server behind streams that binds at once and hands stanzas from one session to the other.
public final class FakeGate implements SessionGate {
  /// What happened, in words.
  public final List<String> events = Collections.synchronizedList(new ArrayList<>());

  /// All stanzas received.
  public final List<Stanza> received = Collections.synchronizedList(new ArrayList<>());

  /// The ways out of bound sessions.
  public final ConcurrentMap<Jid, Outbound> sessions = new ConcurrentHashMap<>();

  /// Told of every stanza, on the stream's thread.
  public volatile Consumer<Stanza> onReceived = stanza -> {};

  /// If set, binds are refused with it.
  public volatile @Nullable ErrorCondition refusal;

  /// Says how many stanzas of a managed session its client has not acknowledged.
  public volatile IntSupplier unacknowledged = () -> 0;

  /// If set, binds are kept here until the test answers.
  public volatile @Nullable List<Runnable> held;

  /// The way out of a bound session of `romeo@example.org`.
  public Outbound session(String resource) {
    return Objects.requireNonNull(sessions.get(StreamFixture.ROMEO.withResource(resource)));
  }

  @Override
  public void bind(Jid account, @Nullable String resource, Outbound outbound, Binding binding) {
    Runnable answer = () -> answer(account, resource, outbound, binding);
    List<Runnable> waiting = held;
    if (waiting == null) {
      answer.run();
    } else {
      waiting.add(answer);
    }
  }

  private void answer(Jid account, @Nullable String resource, Outbound outbound, Binding binding) {
    ErrorCondition condition = refusal;
    if (condition != null) {
      events.add("refused " + account);
      binding.refused(condition);
      return;
    }
    Jid jid = account.withResource(resource == null ? "made" : resource);
    FakeSession session = new FakeSession(jid, outbound);
    sessions.put(jid, session);
    events.add("bound " + jid);
    binding.bound(session);
  }

  @Override
  public void resume(Jid account, String id, long h, Outbound outbound, Consumer<Resumed> then) {
    events.add("resume " + account + " " + id + " " + h);
    then.accept(new Resumed.NotFound(null));
  }

  /// A session that is managed without keeping anything: what it is sent goes out.
  private final class FakeSession implements BoundSession, Outbound {
    private final Jid jid;
    private final Outbound outbound;
    private final List<Runnable> early = new ArrayList<>();
    private boolean attached;
    private boolean managed;

    private FakeSession(Jid jid, Outbound outbound) {
      this.jid = jid;
      this.outbound = outbound;
    }

    @Override
    public Jid jid() {
      return jid;
    }

    @Override
    public synchronized void attach(Runnable answer) {
      answer.run();
      attached = true;
      early.forEach(Runnable::run);
    }

    @Override
    public boolean manage(boolean resumable, Consumer<Managed> answer) {
      if (managed) {
        return false;
      }
      managed = true;
      answer.accept(new Managed(null, Duration.ZERO));
      return true;
    }

    @Override
    public void begun() {}

    @Override
    public void received(Stanza stanza) {
      received.add(stanza);
      onReceived.accept(stanza);
      Jid to = stanza.to();
      Outbound other = to == null ? null : sessions.get(to);
      if (other != null) {
        other.send(stanza.withAddresses(jid, to), null);
      }
    }

    @Override
    public void dealtWith() {}

    @Override
    public void send(Stanza stanza) {
      send(stanza, null);
    }

    @Override
    public boolean requested() {
      return true;
    }

    @Override
    public boolean owes() {
      return false;
    }

    @Override
    public long handled() {
      return 0;
    }

    @Override
    public boolean acknowledged(long h) {
      return true;
    }

    @Override
    public int unacknowledged() {
      return unacknowledged.getAsInt();
    }

    @Override
    public long sent() {
      return 0;
    }

    @Override
    public void active(boolean active) {
      events.add((active ? "active " : "inactive ") + jid);
    }

    @Override
    public void lost() {
      ended();
    }

    @Override
    public void ended() {
      sessions.remove(jid, this);
      events.add("ended " + jid);
    }

    // ---- for the test

    @Override
    public synchronized void send(Stanza stanza, @Nullable Runnable left) {
      if (attached) {
        outbound.send(stanza, left);
      } else {
        early.add(() -> outbound.send(stanza, left));
      }
    }

    @Override
    public void close(StreamErrorCondition condition, @Nullable String text) {
      outbound.close(condition, text);
    }

    @Override
    public void allHandled() {}

    @Override
    public void pauseReading() {
      outbound.pauseReading();
    }

    @Override
    public void resumeReading() {
      outbound.resumeReading();
    }
  }
}
