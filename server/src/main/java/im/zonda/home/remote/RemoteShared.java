package im.zonda.home.remote;

import im.zonda.link.DomainPair;
import im.zonda.module.Scheduler;
import java.time.Duration;

/// The context that all homes of remote domains share.
///
/// @param scheduleRetry calls [DomainPairQueue#retry] in the mailbox of the pair, after the delay
record RemoteShared(
    RemoteSetup setup,
    Connector connector,
    OpenStreams streams,
    QueueBudget budget,
    Backoff backoff,
    RetryTimer scheduleRetry) {
  /// Starts the timer of the next attempt.
  @FunctionalInterface
  interface RetryTimer {
    Scheduler.Cancellable schedule(DomainPair pair, Duration delay);
  }
}
