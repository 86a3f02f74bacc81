package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A session that keeps what it is sent.
public final class TestSession implements Session {
  private final Jid jid;
  private final Map<SessionKey<?>, Object> values = new HashMap<>();
  private final List<Stanza> received = new ArrayList<>();
  private final List<Runnable> leaving = new ArrayList<>();
  private @Nullable Presence presence;
  private @Nullable StreamErrorCondition closed;
  private boolean slow;
  private boolean asleep;

  TestSession(Jid jid) {
    this.jid = jid;
  }

  @Override
  public Jid jid() {
    return jid;
  }

  @Override
  public void send(Stanza stanza) {
    if (closed == null) {
      received.add(stanza);
    }
  }

  @Override
  public void send(Stanza stanza, Runnable onAcknowledged) {
    if (closed != null) {
      return;
    }
    received.add(stanza);
    if (slow) {
      leaving.add(onAcknowledged);
    } else {
      onAcknowledged.run();
    }
  }

  @Override
  public void close(StreamErrorCondition condition, @Nullable String text) {
    if (closed == null) {
      closed = condition;
    }
  }

  @Override
  public @Nullable Presence presence() {
    return presence;
  }

  @Override
  public void presence(@Nullable Presence newPresence) {
    presence = newPresence;
  }

  @Override
  public <T> @Nullable T get(SessionKey<T> key) {
    Object value = values.get(key);
    return value == null ? null : key.type().cast(value);
  }

  @Override
  public <T> void set(SessionKey<T> key, @Nullable T value) {
    if (value == null) {
      values.remove(key);
    } else {
      values.put(key, value);
    }
  }

  /// The number of values that modules keep with the session.
  public int valueCount() {
    return values.size();
  }

  /// All that the session was sent and that no `take…` has taken, oldest first.
  public List<Stanza> received() {
    return List.copyOf(received);
  }

  /// The same; the next call starts with nothing.
  public List<Stanza> takeReceived() {
    List<Stanza> taken = List.copyOf(received);
    received.clear();
    return taken;
  }

  /// The stream error that closed it, or null while it is open.
  public @Nullable StreamErrorCondition closed() {
    return closed;
  }

  @Override
  public boolean isAsleep() {
    return asleep;
  }

  /// Sets whether it is asleep, without a notification; [TestDeclarations#asleep] notifies.
  public void asleep(boolean now) {
    asleep = now;
  }

  /// From now on bytes leave only with [#letLeave].
  public void slow() {
    slow = true;
  }

  /// Lets everything sent so far leave to the client.
  public void letLeave() {
    List<Runnable> now = List.copyOf(leaving);
    leaving.clear();
    now.forEach(Runnable::run);
  }

  @Override
  public String toString() {
    return jid.toString();
  }
}
