package im.zonda.link;

import im.zonda.jid.Jid;
import im.zonda.session.ClientConnection;
import im.zonda.session.ClientNetwork;
import im.zonda.session.UserAgent;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Value that a stream sends to the home of its account.
///
/// A stream *brings* stanzas. Those on a stream with stream management (XEP-0198) are numbered from
/// 1 on, over all streams of the session; the number is the count that the client knows. On other
/// streams the number is 0.
public sealed interface ToSession {
  /// Binds a resource (RFC 6120, section 7). Answered by [ToStream.Bound] or [ToStream.NotBound].
  ///
  /// @param account the account that the client has authenticated as
  /// @param resource the resource to bind; null to have one made
  /// @param inline what a client that binds within its authentication (XEP-0386) asks for; null for
  ///   a bind by a request
  /// @param guest where a guest (XEP-0175) comes from; null if the client has proved that the
  ///   account is its own
  /// @param from the connection of the client; null if a stream of a former version does not say
  record Bind(
      Jid account,
      @Nullable String resource,
      @Nullable Inline inline,
      @Nullable ClientNetwork guest,
      @Nullable ClientConnection from)
      implements ToSession {
    /// A bind that does not say from where.
    public Bind(
        Jid account,
        @Nullable String resource,
        @Nullable Inline inline,
        @Nullable ClientNetwork guest) {
      this(account, resource, inline, guest, null);
    }

    /// A bind of an account.
    public Bind(Jid account, @Nullable String resource, @Nullable Inline inline) {
      this(account, resource, inline, null);
    }
  }

  /// The inline requests of a bind that is part of the authentication (XEP-0386).
  ///
  /// @param userAgent the identity that the client has given; its other sessions end
  /// @param request the client's `<bind/>`
  /// @param management the stream management to begin with the bind
  /// @param inactive whether the client begins as inactive (XEP-0352)
  record Inline(UserAgent userAgent, Element request, Management management, boolean inactive) {}

  /// The stream management that a client asks for with its bind.
  enum Management {
    NONE,
    NOT_RESUMABLE,
    RESUMABLE
  }

  /// Resumes a session (XEP-0198, section 5). Answered by [ToStream.Resumed],
  /// [ToStream.SessionNotFound], [ToStream.Unsettled] or [ToStream.CountTooHigh]; or with
  /// [ToStream.Close] to the keeper of a stream that the client has left for another one.
  ///
  /// @param account the account that the client has authenticated as
  /// @param id the id of the session that the client was given
  /// @param h the client's count of stanzas, modulo 2 to the power of 32
  /// @param keeper true if the stream side can recover the session; transient
  /// @param version what the stream has of the session, if the keeper of a stream with the session
  ///   asks; null if a client asks
  record Resume(Jid account, String id, long h, boolean keeper, @Nullable SessionVersion version)
      implements ToSession {
    /// The request of a client.
    public Resume(Jid account, String id, long h) {
      this(account, id, h, false, null);
    }

    /// How many stanzas the client has been sent, if a keeper asks; 0 if that is unknown.
    public long delivered() {
      return version == null ? 0 : version.sent();
    }
  }

  /// Recovers a session whose home was lost, unless the home has it, and resumes it. Answered as
  /// [Resume]. Sent only by the keeper of a stream, which the home trusts.
  record Recover(LostSession session) implements ToSession {}

  /// Enables stream management (XEP-0198, section 3). The stanzas that the stream brings after this
  /// value are numbered from 1 on. Answered by [ToStream.Enabled] or [ToStream.NotEnabled].
  record Enable(boolean resumable) implements ToSession {}

  /// The client has sent a stanza. Its `from` is null or the client's own address.
  record Received(Stanza stanza, long number) implements ToSession {}

  /// The stream itself has handled a stanza of the client, such as a malformed one.
  ///
  /// @param reply the answer, to be sent in its place among all others; null if there is none
  record HandledByStream(long number, @Nullable Stanza reply) implements ToSession {}

  /// The client has handled `h` of the stanzas that it was sent (XEP-0198, section 4).
  record Acknowledged(long h) implements ToSession {}

  /// On a stream without stream management: the bytes of the stanzas up to that number have left.
  /// Sent only if one of them was to be reported ([ToStream.Deliver#report]).
  record Written(long number) implements ToSession {}

  /// Whether the client is active (XEP-0352).
  record Active(boolean active) implements ToSession {}

  /// The client has been bound for a while: messages that wait for it to enable stream management
  /// need no longer wait.
  record EnablingOver() implements ToSession {}

  /// The stream was lost without an end by the client. The session waits for another stream if it
  /// can be resumed, and ends otherwise. The last value, but for [Written].
  record Lost() implements ToSession {}

  /// The stream has ended, and the session with it. The last value, but for [Written].
  record Ended() implements ToSession {}
}
