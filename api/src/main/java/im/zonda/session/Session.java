package im.zonda.session;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An authenticated client with a bound resource: a full JID. Used at the account's home only,
/// sending included; to send from elsewhere, route the stanza to the session's address.
public interface Session {
  /// The full address.
  Jid jid();

  /// Sends a stanza to the client, in the order of the calls. Never blocks. Discards it if the
  /// session has ended, or ends because of its outbound limit.
  void send(Stanza stanza);

  /// Sends a stanza and runs `onAcknowledged` once the client has acknowledged it (XEP-0198) or,
  /// without stream management, once its bytes have been written. Otherwise `onAcknowledged` never
  /// runs.
  void send(Stanza stanza, Runnable onAcknowledged);

  /// Ends the stream with a stream error.
  void close(StreamErrorCondition condition, @Nullable String text);

  /// The last presence that the client broadcast while available; null while it is unavailable.
  @Nullable Presence presence();

  /// Sets the broadcast presence; null makes the session unavailable.
  void presence(@Nullable Presence presence);

  /// The value under that key, or null.
  <T> @Nullable T get(SessionKey<T> key);

  /// Sets the value under that key; null removes it.
  <T> void set(SessionKey<T> key, @Nullable T value);

  /// Whether no one sees at present what is sent to the session: it has no stream and waits for its
  /// client (XEP-0198), or its client is inactive (XEP-0352).
  boolean isAsleep();

  /// How far a client has come with what it was sent.
  ///
  /// @param detached whether it has no stream at present
  /// @param unacknowledged how many stanzas it has not acknowledged
  /// @param since when the oldest of them was sent, or null
  record Progress(boolean detached, int unacknowledged, @Nullable Instant since) {}

  /// How far the client has come with what it was sent.
  default Progress progress() {
    return new Progress(false, 0, null);
  }

  /// Whether the session is available.
  default boolean available() {
    return presence() != null;
  }

  /// The priority of the broadcast presence; -129 while it is unavailable.
  default int priority() {
    Presence presence = presence();
    return presence == null ? -129 : presence.priority();
  }
}
