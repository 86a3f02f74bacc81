package im.zonda.journal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Why a stanza was not delivered as usual, or what stands in its way at present. The closed set;
/// names are stable. Each has a sentence in every language ([ReasonTexts]).
public enum Reason {
  /// The receiver has blocked the sender (XEP-0191).
  BLOCKED_BY_RECEIVER(Effect.REFUSED),
  /// The sender has blocked the receiver (XEP-0191).
  BLOCKED_BY_SENDER(Effect.REFUSED),
  /// An access list of the host forbids it.
  ACCESS_LIST(Effect.REFUSED),
  /// A guest may not write there, or cannot be written to (XEP-0175).
  GUEST_NOT_ALLOWED(Effect.REFUSED),
  /// Messages of strangers from other servers are rejected.
  STRANGER(Effect.REFUSED),
  /// A message of a stranger is held until the receiver accepts the sender.
  STRANGER_HELD(Effect.HELD),
  /// A filter of a module or plugin has refused it and gave no other reason.
  MODULE(Effect.REFUSED),
  /// The host has no such account.
  NO_SUCH_ACCOUNT(Effect.REFUSED),
  /// It was for one session, which is not there.
  NO_SUCH_SESSION(Effect.REFUSED),
  /// A message of the type groupchat was sent to an account.
  NOT_FOR_ACCOUNTS(Effect.REFUSED),
  /// No session was available, and the message is of a kind that is not stored.
  NOT_STORED(Effect.DROPPED),
  /// The receiver had no session; the message waits in the log.
  NOT_CONNECTED(Effect.STORED),
  /// The sessions of the receiver were unavailable or of negative priority; the message waits in
  /// the log.
  NO_AVAILABLE_SESSION(Effect.STORED),
  /// As many messages wait for the receiver as the limit allows.
  OFFLINE_FULL(Effect.REFUSED),
  /// The message was for the host itself, which takes none.
  NOT_FOR_HOST(Effect.REFUSED),
  /// A file is larger than the limit (XEP-0363).
  FILE_TOO_LARGE(Effect.REFUSED),
  /// The sender has uploaded as many files as the limits allow (XEP-0363).
  FILES_FULL(Effect.REFUSED),
  /// The database did not take the message.
  STORE_UNAVAILABLE(Effect.REFUSED),
  /// The server has failed to handle it.
  SERVER_FAILURE(Effect.REFUSED),
  /// The host is being removed.
  HOST_REMOVED(Effect.REFUSED),
  /// The domain is not served here, and there is no federation.
  NOT_SERVED(Effect.REFUSED),
  /// The settings do not allow the other domain.
  REMOTE_NOT_ALLOWED(Effect.REFUSED),
  /// Too much waits for other servers.
  REMOTE_QUEUE_FULL(Effect.REFUSED),
  /// It waits for a stream to the other server.
  REMOTE_WAITS(Effect.QUEUED),
  /// The other server was not reached in time.
  REMOTE_UNREACHABLE(Effect.BOUNCED),
  /// The other domain does not exist.
  REMOTE_NO_SUCH_DOMAIN(Effect.BOUNCED),
  /// The other server has not proved its domain, or did not trust this one.
  REMOTE_UNTRUSTED(Effect.BOUNCED),
  /// The stanza is larger than the other server accepts (XEP-0478).
  REMOTE_TOO_LARGE(Effect.BOUNCED),
  /// The other server has answered with an error.
  REMOTE_ERROR(Effect.BOUNCED),
  /// The other server sends more than the settings allow, and is read slowly.
  REMOTE_SLOWED(Effect.NONE),
  /// No program is connected for the component's domain.
  COMPONENT_ABSENT(Effect.REFUSED),
  /// Too much waits for the component.
  COMPONENT_QUEUE_FULL(Effect.REFUSED),
  /// The component has not taken it in time.
  COMPONENT_TIMEOUT(Effect.BOUNCED),
  /// A session ended before its client has acknowledged it; it waits in the log.
  SESSION_EXPIRED(Effect.STORED),
  /// A push service was asked to wake the client.
  PUSHED(Effect.NOTIFIED),
  /// A push service does not accept notifications at present.
  PUSH_FAILED(Effect.NONE),
  /// A push service has refused notifications permanently.
  PUSH_DISABLED(Effect.NONE),
  /// There is no such room.
  NO_SUCH_ROOM(Effect.REFUSED),
  /// The sender is not in the room.
  ROOM_NOT_OCCUPANT(Effect.REFUSED),
  /// The sender has no voice in the moderated room.
  ROOM_NO_VOICE(Effect.REFUSED),
  /// The sender is banned from the room.
  ROOM_BANNED(Effect.REFUSED),
  /// Only members may enter the room.
  ROOM_MEMBERS_ONLY(Effect.REFUSED),
  /// The password of the room was wrong or missing.
  ROOM_PASSWORD(Effect.REFUSED),
  /// The room is full.
  ROOM_FULL(Effect.REFUSED),
  /// The archive of the room has the message: it was sent to those who were in the room.
  ROOM_HAS_IT(Effect.DELIVERED),
  /// The sender has sent too much to the room in a short time.
  ROOM_TOO_FAST(Effect.REFUSED),
  /// The sender has to wait between two messages in the room (XEP-0500).
  ROOM_SLOW_MODE(Effect.REFUSED),
  /// A private message was for someone who is not in the room.
  ROOM_NO_SUCH_OCCUPANT(Effect.REFUSED),
  /// The room does not let the sender write private messages.
  ROOM_NO_PRIVATE(Effect.REFUSED),
  /// The sender may not change the subject of the room.
  ROOM_SUBJECT(Effect.REFUSED),
  /// The sender may not invite to the room, or has invited too many.
  ROOM_INVITATION(Effect.REFUSED),
  /// Another person has the nickname, or has reserved it.
  ROOM_NICKNAME_TAKEN(Effect.REFUSED),
  /// The room is locked until its creator has accepted its settings.
  ROOM_LOCKED(Effect.REFUSED),
  /// There is no such room, and the sender may not create it, or has created too many.
  ROOM_NOT_CREATED(Effect.REFUSED),
  /// The account, or the one that has created the room, uses too much memory in rooms.
  ROOM_MEMORY(Effect.REFUSED),
  /// The archive of the room did not take the message.
  ROOM_NOT_STORED(Effect.REFUSED),
  /// The room has refused it for another reason.
  ROOM_REFUSED(Effect.REFUSED),
  /// It was answered with an error for a reason that has no name here.
  REFUSED(Effect.REFUSED),
  /// The account of the receiver is disabled.
  ACCOUNT_DISABLED(Effect.NONE),
  /// The message waits in the receiver's log.
  WAITS_IN_LOG(Effect.STORED),
  /// The receiver's archive has the message, and a client has it.
  DELIVERED(Effect.DELIVERED),
  /// A session of the receiver has lost its connection and may be resumed.
  SESSION_DETACHED(Effect.NONE),
  /// A client of the receiver does not acknowledge what it was sent.
  SESSION_UNACKNOWLEDGED(Effect.NONE),
  /// A client of the receiver is inactive (XEP-0352).
  SESSION_ASLEEP(Effect.NONE),
  /// No session of the receiver gets messages to the bare address.
  NEGATIVE_PRIORITY(Effect.NONE),
  /// The receiver has no session.
  OFFLINE(Effect.NONE),
  /// The server has no trace of the message.
  NEVER_SENT(Effect.NONE),
  /// The sender's archive has the message, and the receiver is not of this server.
  LEFT_SENDER(Effect.NONE),
  /// A message would be delivered at present.
  WOULD_ARRIVE(Effect.DELIVERED),
  /// A filter has effects, so that it cannot be asked.
  NOT_ASKED(Effect.NONE);

  private final Effect effect;

  Reason(Effect effect) {
    this.effect = effect;
  }

  /// What it means for the stanza.
  public Effect effect() {
    return effect;
  }

  /// The stable word for people and programs, such as `blocked-by-receiver`.
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The reason of a word; null if there is none, as of another version.
  public static @Nullable Reason of(String word) {
    for (Reason each : values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    return null;
  }
}
