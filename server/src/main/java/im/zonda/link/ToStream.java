package im.zonda.link;

import im.zonda.jid.Jid;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Value that a session, or the home of the account, sends to a stream.
public sealed interface ToStream {
  /// The resource is bound. Stanzas may follow.
  ///
  /// @param jid the full address
  /// @param answers the answers of modules to an inline bind (XEP-0386)
  /// @param enabled stream management, if it was asked for with the bind
  record Bound(Jid jid, List<Element> answers, @Nullable Enabled enabled) implements ToStream {
    /// Copies the answers.
    public Bound {
      answers = List.copyOf(answers);
    }
  }

  /// The resource is not bound; the stream may try again.
  record NotBound(ErrorCondition condition) implements ToStream {}

  /// Stream management is enabled (XEP-0198, section 3): the stanzas sent from now on are numbered
  /// from 1 on.
  ///
  /// @param id by which the session can be resumed; null if it cannot
  /// @param max how long the session waits for another stream, in whole seconds
  record Enabled(@Nullable String id, Duration max) implements ToStream {}

  /// Stream management was enabled before.
  record NotEnabled() implements ToStream {}

  /// The session continues on this stream (XEP-0198, section 5). Unacknowledged stanzas follow.
  ///
  /// @param jid the full address
  /// @param handled the number of the client's stanzas that have been handled
  /// @param acknowledged the number of stanzas that the client has acknowledged
  /// @param resumptions [SessionVersion#resumptions]
  record Resumed(Jid jid, long handled, long acknowledged, long resumptions) implements ToStream {
    /// For the first time.
    public Resumed(Jid jid, long handled, long acknowledged) {
      this(jid, handled, acknowledged, 0);
    }
  }

  /// There is no such session to resume.
  ///
  /// @param handled the number of the client's stanzas that were handled before it ended; null if
  ///   that is not known
  record SessionNotFound(@Nullable Long handled) implements ToStream {}

  /// Earlier stanzas of the client are still in progress, so that the count for the client is not
  /// known yet; or the account cannot be read from the database now. The session, if there is one,
  /// waits for another attempt to resume it.
  record Unsettled() implements ToStream {}

  /// The client claims to have handled more stanzas than were sent.
  ///
  /// @param sent the number of stanzas that were sent
  record CountTooHigh(long sent) implements ToStream {}

  /// A stanza for the client.
  ///
  /// @param number with stream management: how many were sent, this one included. Without: how many
  ///   to be reported were sent, this one included
  /// @param report whether [ToSession.Written] is wanted once the bytes have left
  /// @param since [im.zonda.module.Origin#since], for measurement; not written to bytes
  record Deliver(Stanza stanza, long number, boolean report, long since) implements ToStream {
    /// A stanza whose way is not measured.
    public Deliver(Stanza stanza, long number, boolean report) {
      this(stanza, number, report, 0);
    }
  }

  /// The count of the client's handled stanzas, without a gap.
  record Handled(long h) implements ToStream {}

  /// Stop reading from the client until [ResumeReading]; counted.
  record PauseReading() implements ToStream {}

  /// Undoes one [PauseReading].
  record ResumeReading() implements ToStream {}

  /// The state of the session beside counts and stanzas, for a keeper ([StreamEnd#keepsState]) that
  /// can recover the session if this process is killed ([LostSession]). It replaces the former
  /// state.
  record State(String state) implements ToStream {}

  /// The home of the session moves to another node. A session that can be resumed is to be resumed
  /// there; another one has ended. The last value.
  record Moved() implements ToStream {}

  /// End the stream with a stream error.
  record Close(StreamErrorCondition condition, @Nullable String text) implements ToStream {}
}
