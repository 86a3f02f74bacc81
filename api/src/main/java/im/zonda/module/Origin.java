package im.zonda.module;

import im.zonda.jid.Jid;
import org.jspecify.annotations.Nullable;

/// Where a stanza on its way came from, and what waits until it has been handled.
///
/// The origin travels with the stanza through every home. Each holder that works on the stanza
/// after its own call has returned calls [#hold] first and [#release] when it is done, on any
/// thread and in any order. When nobody holds the stanza it has been handled in the sense of
/// XEP-0198, section 4: everything that it caused is done and durable, and the client's `<a h/>`
/// may count it.
///
/// [#session] and [#number] identify it in writing, so that an answer can find its way back from
/// another process.
public interface Origin {
  /// The origin of stanzas that the server itself sends; no client waits for them.
  Origin NONE =
      new Origin() {
        @Override
        public boolean acknowledges() {
          return false;
        }

        @Override
        public void hold() {}

        @Override
        public void release() {}

        @Override
        public String toString() {
          return "Origin.NONE";
        }
      };

  /// The full address of the session that sent the stanza; null if no session did.
  default @Nullable Jid session() {
    return null;
  }

  /// Which of the session's stanzas it is, counted from 1 as by the `h` of XEP-0198; 0 if its
  /// stream is not managed.
  default long number() {
    return 0;
  }

  /// Recognises the stanza when it is sent again after a process of a cluster has died
  /// ([im.zonda.store.StanzaIdentity]); 0 if it is not, or cannot be recognised.
  default long identity() {
    return 0;
  }

  /// How long ago a process of a cluster that is gone may have handled the stanza first, in ms and
  /// at least 1: what has an entry of the stanza in the message log is not to be done again. 0 if
  /// no such process can have handled it.
  default long age() {
    return 0;
  }

  /// The entry of the message log that the stanza has caused at the home that gets it now, where a
  /// process that is gone has appended it; 0 if there is none.
  default long entry() {
    return 0;
  }

  /// By which the steps of the message are found that administrators have chosen to trace
  /// ([im.zonda.module.Tracer]), on all nodes; 0 if it is not traced.
  default long trace() {
    return 0;
  }

  /// An origin of stanzas that the server itself sends, as [#NONE], but for its [#trace].
  static Origin traced(long trace) {
    return trace == 0
        ? NONE
        : new Origin() {
          @Override
          public long trace() {
            return trace;
          }

          @Override
          public boolean acknowledges() {
            return false;
          }

          @Override
          public void hold() {}

          @Override
          public void release() {}
        };
  }

  /// When the stanza was read from its sender's connection to this process, by [System#nanoTime]; 0
  /// if that is not known.
  default long since() {
    return 0;
  }

  /// The stream to pause while too much waits; null if there is none.
  default @Nullable InboundFlow flow() {
    return null;
  }

  /// Whether the client gets an acknowledgement when the stanza has been handled. It may then
  /// discard the stanza, so the server must have stored it or answered it with an error by then.
  boolean acknowledges();

  /// Keeps the stanza from being handled until the matching [#release].
  void hold();

  /// Ends one [#hold].
  void release();
}
