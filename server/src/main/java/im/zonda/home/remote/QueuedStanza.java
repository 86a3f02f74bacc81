package im.zonda.home.remote;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.MessageLog.Receipt;
import org.jspecify.annotations.Nullable;

/// A stanza that another server has not acknowledged. Confined to the mailbox of its pair.
final class QueuedStanza {
  /// About what a stanza costs beside its bytes, in bytes.
  private static final int OVERHEAD = 250;

  /// The longest time that an IQ request waits, in milliseconds: its sender does not wait longer
  /// for the answer.
  private static final long REQUEST_TIME = 60_000;

  private final Stanza stanza;
  private final Payer payer;
  private final @Nullable Jid author;
  private final long logId;
  private final @Nullable Receipt receipt;
  private final long since;
  private final int size;
  private final long trace;
  private final long cause;
  private long number;

  /// @param envelope the stanza and its true author where `from` does not say it
  /// @param logId the id of its entry in the message log; 0 if it has none
  /// @param receipt of the entry; null if it was appended before the home was loaded
  /// @param since when it was accepted, in milliseconds since 1970
  QueuedStanza(Envelope envelope, Payer payer, long logId, @Nullable Receipt receipt, long since) {
    this.stanza = envelope.stanza();
    this.payer = payer;
    this.author = envelope.author();
    this.logId = logId;
    this.receipt = receipt;
    this.since = since;
    this.size = sizeOf(stanza);
    this.trace = envelope.origin().trace();
    this.cause = stanza instanceof Message ? envelope.origin().since() : 0;
  }

  /// What a stanza counts in the queue, in bytes.
  static int sizeOf(Stanza stanza) {
    return stanza.writtenSize() + OVERHEAD;
  }

  Stanza stanza() {
    return stanza;
  }

  /// Who pays for it.
  Payer payer() {
    return payer;
  }

  /// The stanza as it is returned or sent on. Its sender no longer waits for it.
  Envelope envelope() {
    return new Envelope(stanza, Origin.traced(trace), author);
  }

  /// See [Origin#trace].
  long trace() {
    return trace;
  }

  /// When the cause of a message came to this process ([Origin#since]), or 0.
  long cause() {
    return cause;
  }

  long logId() {
    return logId;
  }

  @Nullable Receipt receipt() {
    return receipt;
  }

  long since() {
    return since;
  }

  /// How long it waits, of `most`, in milliseconds.
  long patience(long most) {
    return stanza instanceof Iq iq && iq.isRequest() ? Math.min(most, REQUEST_TIME) : most;
  }

  int size() {
    return size;
  }

  /// The number with which it was delivered to a stream.
  long number() {
    return number;
  }

  /// Sets the number with which it is delivered to a stream.
  void number(long deliveredAs) {
    number = deliveredAs;
  }
}
