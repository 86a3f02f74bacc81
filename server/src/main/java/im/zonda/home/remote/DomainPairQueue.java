package im.zonda.home.remote;

import im.zonda.config.limits.S2sLimits;
import im.zonda.home.remote.OpenStreams.OpenStream;
import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamFailure.Reason;
import im.zonda.link.ServerStreamLink;
import im.zonda.module.Envelope;
import im.zonda.module.Scheduler;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The home of a pair of domains: the queue of stanzas for the remote domain, and the streams that
/// can carry them. Confined to the mailbox of the pair.
///
/// While stanzas wait and there is no stream, the home tries to connect at growing intervals. A
/// stanza that has waited for `s2s.give-up` is returned to its sender as an error after the next
/// attempt that fails; all are returned if the domain does not exist.
final class DomainPairQueue {
  private static final Logger LOG = LoggerFactory.getLogger(DomainPairQueue.class);

  /// The time after which an attempt without an outcome counts as failed, in milliseconds.
  private static final long CONNECT_TIME = 120_000;

  /// How long the other server has to resume a stream that it has opened before another one is
  /// opened, in milliseconds.
  private static final long RESUME_TIME = 5_000;

  /// How many stanzas are recorded that wait when the first attempt fails.
  private static final int NOTED = 100;

  private static final ServerStreamFailure INTERRUPTED =
      new ServerStreamFailure(Reason.LOST, "the connection broke; the stream waits to be resumed");

  private final DomainPair pair;
  private final StoredQueue stored;
  private final RemoteShared shared;
  private final RemoteErrors errors;
  private final RemoteQueue queue;

  /// Streams that can carry the pair; the first one is used, another one only when that has ended,
  /// so that stanzas keep their order.
  private final List<OpenStream> streams = new ArrayList<>(1);

  /// Whether the first stream waits to be resumed.
  private boolean interrupted;

  /// When the present attempt began, in milliseconds since 1970; 0 if there is none.
  private long connectingSince;

  /// No attempt is made before this, in milliseconds since 1970.
  private long retryAt;

  private int failures;
  private @Nullable ServerStreamFailure lastFailure;
  private Scheduler.@Nullable Cancellable retryTimer;

  /// Whether the settings allow no stanzas for the remote domain.
  private boolean forbidden;

  /// Whether the pair has lost its place among all pairs.
  private boolean displaced;

  /// Runs when no stanza is unacknowledged; null unless the home leaves this node.
  private @Nullable Runnable leaving;

  DomainPairQueue(DomainPair pair, Jid address, RemoteShared shared) {
    this.pair = pair;
    this.stored = new StoredQueue(address, shared.setup());
    ErrorReplies replies = shared.setup().routes().errors();
    this.queue = new RemoteQueue(pair, shared.budget(), replies.tracing());
    this.shared = shared;
    this.errors = new RemoteErrors(replies);
  }

  /// Reads the messages that wait from before the home was loaded. Blocks.
  void load() {
    for (QueuedStanza queued : stored.load(now())) {
      queue.add(queued, 0);
    }
    forbidden = isForbidden();
  }

  private boolean isForbidden() {
    return !shared.setup().settings().get().permits(pair.remote());
  }

  // ---- stanzas of the pair

  /// Whether accepting the stanza may block.
  boolean mayBlock(Envelope envelope) {
    return stored.mayBlock(envelope);
  }

  /// Queues a stanza, or answers its sender with an error.
  void accept(Envelope envelope) {
    if (forbidden) {
      errors.reject(envelope, ErrorCondition.NOT_ALLOWED);
      return;
    }
    ServerStreamFailure failure = lastFailure;
    long now = now();
    if (failure != null && failure.isPermanent() && streams.isEmpty() && now < retryAt) {
      errors.reject(envelope, failure);
      return;
    }
    displaced = false;
    S2sLimits limits = shared.setup().settings().get().limits();
    Payer payer = Payer.of(envelope, shared.setup().routes());
    int size = QueuedStanza.sizeOf(envelope.stanza());
    returnToSenders(queue.makeRoom(payer, size, limits), ErrorCondition.RESOURCE_CONSTRAINT);
    if (!queue.take(payer, size, limits)) {
      errors.reject(envelope, ErrorCondition.RESOURCE_CONSTRAINT);
      return;
    }
    QueuedStanza queued = stored.accept(envelope, payer, !streams.isEmpty() && !interrupted, now);
    if (queued == null) {
      queue.give(payer, size);
      errors.reject(envelope, ErrorCondition.RESOURCE_CONSTRAINT);
      return;
    }
    queue.add(queued, size);
    if (failure != null && streams.isEmpty()) {
      errors.waits(envelope, failure, retryAt);
    }
    send();
  }

  /// Delivers waiting stanzas to the stream, within its window, or connects.
  private void send() {
    if (leaving != null) {
      leaveIfQuiet();
      return;
    }
    if (streams.isEmpty() || interrupted) {
      connect();
      return;
    }
    OpenStream stream = streams.getFirst();
    long now = now();
    long window = shared.setup().window() / stream.pairCount();
    int most = stream.link().maxStanzaBytes();
    List<QueuedStanza> large = null;
    for (QueuedStanza next = queue.send(window); next != null; next = queue.send(window)) {
      if (next.size() > most) {
        large = large == null ? new ArrayList<>() : large;
        large.add(queue.removeSent());
      } else {
        stream.used(now);
        Stanza stanza = RemoteMessages.stamped(next, pair.local(), now);
        stream.link().deliver(pair, stanza, next.number(), next.cause());
      }
    }
    if (large != null) {
      // The other server would end the stream for them (XEP-0478).
      returnToSenders(large, ErrorCondition.POLICY_VIOLATION);
    }
  }

  /// All queues together exceed their bound: returns stanzas of the payer with the most bytes. If
  /// all of them were sent and the other server does not acknowledge them, the stream ends.
  void shed(Payer payer) {
    List<QueuedStanza> shed = queue.shed(payer, shared.budget().excess());
    returnToSenders(shed, ErrorCondition.RESOURCE_CONSTRAINT);
    if (shared.budget().excess() > 0
        && shed.isEmpty()
        && queue.hasSent(sent -> sent.payer().equals(payer))) {
      streams.forEach(stream -> stream.link().close());
    }
  }

  /// The pair was displaced: all waiting stanzas are returned.
  void displace() {
    displaced = true;
    connectingSince = 0;
    retryAt = 0;
    returnToSenders(queue.removeWaiting(queued -> true), ErrorCondition.RESOURCE_CONSTRAINT);
  }

  private void returnToSenders(List<QueuedStanza> undelivered, ErrorCondition condition) {
    errors.returnToSenders(pair, undelivered, condition, lastFailure);
    stored.delivered(undelivered);
  }

  // ---- attempts

  /// Connects if stanzas wait, unless there is an attempt or it is too early for one.
  private void connect() {
    if (leaving != null) {
      return;
    }
    if (forbidden || displaced) {
      returnToSenders(
          queue.removeWaiting(queued -> true),
          forbidden ? ErrorCondition.NOT_ALLOWED : ErrorCondition.RESOURCE_CONSTRAINT);
      return;
    }
    if (connectingSince != 0 || !needsStream()) {
      return;
    }
    long now = now();
    if (now < retryAt) {
      if (retryTimer == null) {
        retryTimer = shared.scheduleRetry().schedule(pair, Duration.ofMillis(retryAt - now));
      }
      return;
    }
    connectingSince = now;
    try {
      shared.connector().connect(pair);
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("pair", pair).setCause(e).log("remote_domain_not_connected");
      failed(new ServerStreamFailure(Reason.UNREACHABLE, "no attempt could be made: " + e));
    }
  }

  /// An interrupted bidirectional stream is resumed even if no stanza waits here: the other server
  /// may have stanzas to send, and cannot resume it.
  private boolean needsStream() {
    if (!interrupted) {
      return streams.isEmpty() && !queue.isEmpty();
    }
    ServerStreamLink.Status status = streams.getFirst().link().status();
    return !queue.isEmpty() || (status.bidirectional() && !status.incoming());
  }

  /// The delay before the next attempt has passed.
  void retry() {
    retryTimer = null;
    connect();
  }

  /// The other server has opened a stream to this one, so it can perhaps be reached again: connects
  /// at once, unless that server still has time to resume a stream of its own.
  void reachable() {
    if (interrupted && streams.getFirst().link().status().incoming()) {
      return;
    }
    retryAt = Math.min(retryAt, now());
    connect();
  }

  /// An attempt has failed.
  void failed(ServerStreamFailure failure) {
    connectingSince = 0;
    if (!streams.isEmpty() && !interrupted) {
      return;
    }
    waitAfter(failure);
    long overdue = now() - giveUp();
    if (interrupted
        && (failure.isPermanent()
            || streams.size() > 1
            || queue.hasSent(sent -> sent.since() <= overdue))) {
      abandon();
    }
    if (failure.isPermanent()) {
      List<QueuedStanza> all = queue.removeWaiting(queued -> true);
      returnToSenders(all, RemoteErrors.conditionOf(failure));
    } else {
      returnExpired();
    }
    send();
  }

  private void waitAfter(ServerStreamFailure failure) {
    if (!failure.equals(lastFailure)) {
      LOG.atInfo()
          .addKeyValue("pair", pair)
          .addKeyValue("reason", failure.reason())
          .addKeyValue("detail", failure.detail())
          .log("remote_domain_failed");
    }
    lastFailure = failure;
    failures++;
    retryAt = now() + shared.backoff().after(failures).toMillis();
    if (failures == 1) {
      queue.firstWaiting(NOTED).forEach(waiting -> errors.waits(waiting, failure, retryAt));
    }
  }

  private void returnExpired() {
    long now = now();
    long giveUp = giveUp();
    List<QueuedStanza> expired =
        queue.removeWaiting(queued -> now - queued.since() >= queued.patience(giveUp));
    returnToSenders(expired, RemoteErrors.conditionOf(lastFailure));
  }

  private long giveUp() {
    return shared.setup().settings().get().giveUpOf(pair.remote()).toMillis();
  }

  // ---- streams

  /// A stream can carry the pair.
  void ready(ServerStreamLink link) {
    connectingSince = 0;
    OpenStream stream = shared.streams().of(link);
    if (stream != null && !streams.contains(stream)) {
      if (interrupted) {
        abandon();
      }
      streams.add(stream);
    }
    send();
  }

  /// The other server has acknowledged the stanzas up to that number.
  void acknowledged(long number, ServerStreamLink link) {
    if (isUsed(link)) {
      failures = 0;
      lastFailure = null;
      stored.delivered(queue.acknowledge(number));
      send();
    }
  }

  /// The connection of a stream broke. If this server has opened the stream, it resumes it at once;
  /// otherwise the other server resumes it.
  void interrupted(ServerStreamLink link) {
    if (!isUsed(link)) {
      streams.removeIf(stream -> stream.link().equals(link));
      return;
    }
    interrupted = true;
    leaveIfQuiet();
    boolean worked = failures == 0;
    waitAfter(INTERRUPTED);
    if (link.status().incoming()) {
      retryAt = now() + RESUME_TIME;
    } else if (worked) {
      retryAt = now();
    }
    connect();
  }

  /// A stream has been resumed.
  void resumed(ServerStreamLink link) {
    connectingSince = 0;
    lastFailure = null;
    if (isUsed(link)) {
      interrupted = false;
      send();
    } else {
      ready(link);
    }
  }

  /// Gives up on the resumption of a stream: its unacknowledged stanzas wait for another stream.
  private void abandon() {
    ServerStreamLink link = streams.removeFirst().link();
    interrupted = false;
    returnToSenders(queue.requeue(), ErrorCondition.REMOTE_SERVER_TIMEOUT);
    link.close();
  }

  /// A stream no longer carries the pair.
  void ended(ServerStreamLink link, ServerStreamFailure failure) {
    boolean used = isUsed(link);
    streams.removeIf(stream -> stream.link().equals(link));
    if (!used) {
      return;
    }
    interrupted = false;
    returnToSenders(queue.requeue(), ErrorCondition.REMOTE_SERVER_TIMEOUT);
    if (streams.isEmpty()) {
      if (queue.isEmpty()) {
        lastFailure = failure;
      } else {
        boolean worked = failures == 0;
        waitAfter(failure);
        retryAt = worked ? now() : retryAt;
        returnExpired();
      }
    }
    send();
  }

  private boolean isUsed(ServerStreamLink link) {
    return !streams.isEmpty() && streams.getFirst().link().equals(link);
  }

  // ---- upkeep

  /// Whether [#check] may block: it removes the queue from the store.
  boolean mayBlockCheck() {
    return stored.exists() && isIdle();
  }

  /// The settings may have changed: returns the stanzas for a domain that is no longer allowed.
  void checkPermission() {
    forbidden = isForbidden();
    if (forbidden && (streams.isEmpty() || interrupted)) {
      connect();
    }
  }

  /// Ends an attempt without an outcome, returns expired stanzas, and removes the queue from the
  /// store if it is not needed. Called every few seconds.
  void check() {
    checkPermission();
    long now = now();
    if (connectingSince != 0 && now - connectingSince >= CONNECT_TIME) {
      failed(new ServerStreamFailure(Reason.TIMEOUT, "the attempt has had no outcome"));
    } else if (connectingSince == 0 && (streams.isEmpty() || interrupted)) {
      if (queue.waiting() > 0 && failures > 0) {
        returnExpired();
      }
      connect();
    }
    if (isIdle()) {
      stored.remove();
    }
  }

  /// The queue exists in the store: it was found there after a start.
  ///
  /// @return who pays for most of what waits there, or null
  @Nullable Payer restored() {
    stored.found();
    Payer payer = queue.mainPayer();
    connect();
    return payer;
  }

  private boolean isIdle() {
    return queue.isEmpty() && streams.isEmpty() && connectingSince == 0;
  }

  /// The home moves to another node: no more stanzas are sent.
  ///
  /// @param whenQuiet runs once, when the other server has acknowledged all stanzas, or cannot
  void leave(Runnable whenQuiet) {
    leaving = whenQuiet;
    leaveIfQuiet();
  }

  private void leaveIfQuiet() {
    Runnable whenQuiet = leaving;
    if (whenQuiet != null && (queue.unacknowledged() == 0 || streams.isEmpty() || interrupted)) {
      leaving = () -> {}; // once
      whenQuiet.run();
    }
  }

  /// Ends the streams and returns the stanzas that are not in the log, oldest first.
  List<QueuedStanza> takeUnstored() {
    streams.forEach(stream -> stream.link().close());
    streams.clear();
    returnToSenders(queue.requeue(), ErrorCondition.REMOTE_SERVER_TIMEOUT);
    List<QueuedStanza> unstored = queue.removeWaiting(queued -> queued.logId() == 0);
    stored.delivered(unstored);
    return unstored;
  }

  /// Whether the home can be unloaded without a loss.
  boolean canUnload() {
    return isIdle() && !stored.exists() && now() >= retryAt;
  }

  /// The home is not used again.
  void unloaded() {
    queue.clear();
    if (retryTimer != null) {
      retryTimer.cancel();
    }
  }

  DomainPair pair() {
    return pair;
  }

  /// The present status, for administrators.
  RemoteLinkStatus status() {
    return new RemoteLinkStatus(
        pair,
        queue.waiting(),
        queue.unacknowledged(),
        queue.bytes(),
        connectingSince != 0,
        retryTimer == null ? 0 : retryAt,
        lastFailure,
        streams.isEmpty() ? null : streams.getFirst().link().status());
  }

  private long now() {
    return shared.setup().runtime().clock().millis();
  }
}
