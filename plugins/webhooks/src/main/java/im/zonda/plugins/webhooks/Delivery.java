package im.zonda.plugins.webhooks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import im.zonda.plugins.webhooks.Answer.Accepted;
import im.zonda.plugins.webhooks.Answer.Failed;
import im.zonda.plugins.webhooks.Answer.Rejected;
import im.zonda.plugins.webhooks.queue.Batch;
import im.zonda.plugins.webhooks.queue.EventQueue;
import im.zonda.plugins.webhooks.queue.QueuedEvent;
import im.zonda.plugins.webhooks.queue.RejectedEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The way of events to one target: a queue on the disk, and a thread that posts one batch after
/// another. A batch that fails is posted again until it is accepted or rejected.
final class Delivery implements AutoCloseable {
  /// The most bytes of a batch, unless one event alone has more.
  static final int MOST_BATCH = 1024 * 1024;

  /// How long a target fails before the administrators are notified.
  static final Duration PATIENCE = Duration.ofMinutes(5);

  /// The longest delay after a batch was rejected.
  private static final Duration MOST_REJECTED_DELAY = Duration.ofMinutes(1);

  private static final Duration UNREADABLE = Duration.ofMinutes(1);
  private static final Duration END = Duration.ofSeconds(3);

  private final Surroundings surroundings;
  private final EventQueue queue;
  private final RejectedEvents rejected;
  private final LossReport losses;
  private final String queueId;
  private final Thread thread;
  private final RetryDelay delay = new RetryDelay(RandomGenerator.getDefault());
  private volatile Target target;
  private volatile boolean closed;

  // Of the thread.
  private @Nullable Receiver receiver;
  private @Nullable Target received;
  private @Nullable Instant failingSince;
  private boolean hasAlarmed;

  // Guarded by this.
  private boolean woken;
  private Status.State state = Status.State.IDLE;
  private long sent;
  private long failures;
  private @Nullable String error;
  private @Nullable Instant errorTime;
  private @Nullable Instant next;

  private Delivery(
      Target target,
      Surroundings surroundings,
      EventQueue queue,
      RejectedEvents rejected,
      LossReport losses,
      String queueId) {
    this.target = target;
    this.surroundings = surroundings;
    this.queue = queue;
    this.rejected = rejected;
    this.losses = losses;
    this.queueId = queueId;
    this.thread =
        Thread.ofPlatform().daemon().name("webhooks-send-" + target.name()).unstarted(this::run);
  }

  /// Opens the queue of a target and begins to send.
  ///
  /// @param folder of the queue, which is created if there is none
  /// @throws IOException if the queue cannot be read
  static Delivery open(Target target, Path folder, Duration sync, Surroundings surroundings)
      throws IOException {
    Files.createDirectories(folder);
    LossReport losses = new LossReport(target.name(), surroundings);
    RejectedEvents rejected = new RejectedEvents(folder, target.rejectedBytes(), losses);
    EventQueue queue = EventQueue.open(folder, limits(target, sync), losses);
    try {
      Delivery delivery =
          new Delivery(target, surroundings, queue, rejected, losses, identifier(folder));
      delivery.thread.start();
      return delivery;
    } catch (IOException e) {
      queue.close();
      throw e;
    }
  }

  private static EventQueue.Limits limits(Target target, Duration sync) {
    return new EventQueue.Limits(target.queueBytes(), sync, Duration.ofSeconds(5));
  }

  /// What tells the queue from that of another node, or of another time.
  private static String identifier(Path folder) throws IOException {
    Path file = folder.resolve("id");
    if (Files.exists(file) && Files.size(file) == 16) {
      return Files.readString(file, US_ASCII);
    }
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    String made = HexFormat.of().formatHex(random);
    Files.writeString(file, made, US_ASCII);
    return made;
  }

  Target target() {
    return target;
  }

  /// Adds an event. Does not block.
  void offer(QueuedEvent event) {
    queue.offer(event);
  }

  /// The file of the target has changed.
  void change(Target changed, Duration sync) {
    target = changed;
    queue.limit(limits(changed, sync));
    rejected.limit(changed.rejectedBytes());
    wake();
  }

  /// Ends a delay after a failure.
  synchronized void wake() {
    woken = true;
    notifyAll();
  }

  /// Adds rejected events to the queue again.
  ///
  /// @return how many
  long retryRejected() throws IOException, InterruptedException {
    return rejected.retry(queue);
  }

  /// Writes to the log which events were lost.
  void reportLosses() {
    losses.report(target.filter());
  }

  synchronized Status status() {
    return new Status(
        state,
        queue.size(),
        queue.bytes(),
        queue.oldest(),
        sent,
        rejected.count(),
        losses.total(),
        failures,
        error,
        errorTime,
        next);
  }

  private void run() {
    try {
      while (!closed) {
        sendNext();
      }
    } catch (InterruptedException _) {
      // It is closed.
    } finally {
      if (receiver != null) {
        receiver.close();
      }
    }
  }

  private void sendNext() throws InterruptedException {
    try {
      become(Status.State.IDLE);
      Target.Pace pace = target.pace();
      Batch batch = queue.take(pace.events(), MOST_BATCH, pace.gather());
      byte[] body = Body.of(target.name(), queueId, batch);
      become(Status.State.SENDING);
      while (!attempt(batch, body)) {
        become(Status.State.SENDING);
      }
    } catch (IOException e) {
      fail("The queue cannot be used: " + e.getMessage() + ".");
      pause(UNREADABLE);
    }
  }

  private synchronized void become(Status.State now) {
    state = now;
    next = null;
  }

  /// Posts a batch.
  ///
  /// @return whether it is done
  private boolean attempt(Batch batch, byte[] body) throws IOException, InterruptedException {
    Target.Pace pace = target.pace();
    Answer answer = receiver().post(body);
    return switch (answer) {
      case Accepted _ -> {
        succeed(batch.events().size());
        queue.done(batch);
        yield true;
      }
      case Rejected(int status) -> {
        fail(answer.text());
        boolean isKept = keep(batch, status);
        if (isKept) {
          surroundings.meters().rejected().add(batch.events().size());
          queue.done(batch);
        }
        Duration most = pace.mostDelay();
        pause(
            delay.next(
                pace.firstDelay(),
                most.compareTo(MOST_REJECTED_DELAY) < 0 ? most : MOST_REJECTED_DELAY));
        yield isKept;
      }
      case Failed(String text, Duration after) -> {
        fail(text);
        Duration own = delay.next(pace.firstDelay(), pace.mostDelay());
        pause(after == null || after.compareTo(own) < 0 ? own : after);
        yield false;
      }
    };
  }

  private Receiver receiver() throws IOException {
    Target current = target;
    Receiver used = receiver;
    if (used != null && current.equals(received)) {
      return used;
    }
    if (used != null) {
      used.close();
    }
    Receiver created = new Receiver(current, surroundings.version(), surroundings.clock());
    receiver = created;
    received = current;
    return created;
  }

  private boolean keep(Batch batch, int status) {
    try {
      rejected.add(batch, surroundings.clock().instant(), status);
      return true;
    } catch (IOException e) {
      fail("Rejected events cannot be kept: " + e.getMessage() + ".");
      return false;
    }
  }

  private void succeed(int events) {
    surroundings.meters().sent().add(events);
    delay.reset();
    synchronized (this) {
      sent += events;
    }
    if (failingSince != null) {
      failingSince = null;
      hasAlarmed = false;
      surroundings.log().info("Target {} accepts events again.", target.name());
    }
  }

  private void fail(String text) {
    surroundings.meters().failures().increment();
    Instant now = surroundings.clock().instant();
    synchronized (this) {
      failures++;
      error = text;
      errorTime = now;
    }
    if (failingSince == null) {
      failingSince = now;
      surroundings.log().warn("Target {}: {}", target.name(), text);
    } else if (!hasAlarmed && !now.isBefore(failingSince.plus(PATIENCE))) {
      hasAlarmed = true;
      surroundings
          .alarm()
          .raise(
              target.filter().hosts(), "The webhook target " + target.name() + " fails. " + text);
    }
  }

  /// Waits until the time is over or [#wake] is called.
  private void pause(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    synchronized (this) {
      state = Status.State.WAITING;
      next = surroundings.clock().instant().plus(time);
      for (long left = time.toNanos();
          left > 0 && !woken && !closed;
          left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      woken = false;
    }
  }

  /// Stops sending, and closes the queue. A batch that is being sent is sent again later.
  @Override
  public void close() throws IOException {
    closed = true;
    thread.interrupt();
    boolean interrupted = false;
    try {
      thread.join(END);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    queue.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
