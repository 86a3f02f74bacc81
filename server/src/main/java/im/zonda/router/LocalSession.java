package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A session whose socket is on this node.
public final class LocalSession implements Session {
  private static final Object[] NOTHING = new Object[0];

  private final Jid jid;
  private final Outbound outbound;
  private volatile @Nullable Presence presence;
  private Object[] values = NOTHING;
  private volatile boolean catchingUp;

  LocalSession(Jid jid, Outbound outbound) {
    this.jid = jid;
    this.outbound = outbound;
  }

  @Override
  public Jid jid() {
    return jid;
  }

  /// The way out.
  public Outbound outbound() {
    return outbound;
  }

  @Override
  public void send(Stanza stanza) {
    outbound.send(stanza, null);
  }

  @Override
  public void send(Stanza stanza, Runnable left) {
    outbound.send(stanza, left);
  }

  @Override
  public void close(StreamErrorCondition condition, @Nullable String text) {
    outbound.close(condition, text);
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
    for (int i = 0; i < values.length; i += 2) {
      if (key.equals(values[i])) {
        return key.type().cast(values[i + 1]);
      }
    }
    return null;
  }

  @Override
  public <T> void set(SessionKey<T> key, @Nullable T value) {
    int at = 0;
    while (at < values.length && !key.equals(values[at])) {
      at += 2;
    }
    if (value != null) {
      if (at == values.length) {
        values = Arrays.copyOf(values, at + 2);
      }
      values[at] = key;
      values[at + 1] = value;
    } else if (at < values.length) {
      Object[] fewer = new Object[values.length - 2];
      System.arraycopy(values, 0, fewer, 0, at);
      System.arraycopy(values, at + 2, fewer, at, fewer.length - at);
      values = fewer;
    }
  }

  /// Whether it is being given what waited in the log; touched only at its home.
  boolean isCatchingUp() {
    return catchingUp;
  }

  void catchingUp(boolean catching) {
    catchingUp = catching;
  }

  @Override
  public String toString() {
    return jid.toString();
  }
}
