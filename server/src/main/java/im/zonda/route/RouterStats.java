package im.zonda.route;

import im.zonda.jfr.MailboxWait;
import im.zonda.jfr.StanzaSlow;
import im.zonda.metric.Timing;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// Counters since the start. Read by any thread.
public final class RouterStats {
  private final LongSupplier refused;
  public final LongAdder messages = new LongAdder();
  public final LongAdder presence = new LongAdder();
  public final LongAdder iqs = new LongAdder();
  public final LongAdder delivered = new LongAdder();
  public final LongAdder stored = new LongAdder();
  public final LongAdder unlogged = new LongAdder();
  public final LongAdder failed = new LongAdder();
  public final LongAdder detached = new LongAdder();
  public final LongAdder resumed = new LongAdder();
  public final LongAdder expired = new LongAdder();

  /// From the arrival of a client's stanza to its start at the home of its sender.
  public final Timing mailboxWait = new Timing();

  /// From the arrival of a client's message, on a stream with stream management, until it has been
  /// handled, so that the client may be sent the acknowledgement.
  public final Timing acknowledged = new Timing();

  /// @param refused how many stanzas were answered with an error
  public RouterStats(LongSupplier refused) {
    this.refused = refused;
  }

  /// A stanza has waited for the home of its sender for that time, in ns.
  public void measureWait(long nanos) {
    mailboxWait.record(nanos);
    MailboxWait.record(nanos);
  }

  /// A message was handled that time after its arrival, in ns.
  public void measureAcknowledged(long nanos) {
    acknowledged.record(nanos);
    StanzaSlow.record("acknowledged", nanos);
  }

  /// The counts at one moment.
  ///
  /// @param messages messages taken from clients
  /// @param presence presence taken from clients
  /// @param iqs IQs taken from clients
  /// @param delivered messages handed to sessions, each copy
  /// @param stored messages kept for accounts that were away
  /// @param refused stanzas answered with an error
  /// @param unlogged messages delivered without the log because it would take no more
  /// @param failed tasks at homes that failed
  /// @param detached sessions that lost their stream and waited for another
  /// @param resumed sessions that got another stream
  /// @param expired sessions that ended because no stream resumed them in time
  public record Snapshot(
      long messages,
      long presence,
      long iqs,
      long delivered,
      long stored,
      long refused,
      long unlogged,
      long failed,
      long detached,
      long resumed,
      long expired) {}

  /// The counts now.
  public Snapshot snapshot() {
    return new Snapshot(
        messages.sum(),
        presence.sum(),
        iqs.sum(),
        delivered.sum(),
        stored.sum(),
        refused.getAsLong(),
        unlogged.sum(),
        failed.sum(),
        detached.sum(),
        resumed.sum(),
        expired.sum());
  }
}
