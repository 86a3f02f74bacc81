package im.zonda.auth.provider;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.ProviderException;
import im.zonda.metric.Counter;
import im.zonda.metric.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks one provider: a limited number of questions at a time, each for a limited time, and none
/// while the provider is away. What hangs keeps its place until it ends, and nobody waits for it.
/// Any thread may call.
///
/// After [#MOST_FAILURES] questions in a row without an answer the provider counts as away. One
/// question is let through after a pause, which grows from [#FIRST_PAUSE] to [#LONGEST_PAUSE]; when
/// it is answered, all are.
public final class ProviderGate {
  /// Failures in a row after which nobody is asked for a while.
  static final int MOST_FAILURES = 5;

  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /// How many may wait for a place, for each place.
  private static final int WAITING = 32;

  /// The most characters of the last error that are kept.
  private static final int MOST_TEXT = 500;

  private static final Logger LOG = LoggerFactory.getLogger(ProviderGate.class);

  private final String name;
  private final AccountProvider provider;
  private final Duration limit;
  private final int questions;
  private final Semaphore places;
  private final AtomicInteger waiting = new AtomicInteger();
  private final InstantSource clock;
  private final Executor workers;
  private final Timing time = new Timing();
  private final Counter failed = new Counter();

  // Guarded by this object's monitor.
  private int failures;
  private Duration pause = FIRST_PAUSE;
  private @Nullable Instant away;
  private @Nullable Instant retry;
  private @Nullable Instant lastFailed;
  private @Nullable String lastError;

  /// What is asked.
  interface Question<T> {
    T ask(AccountProvider provider) throws ProviderException, InterruptedException;
  }

  /// What an administrator sees of a provider.
  ///
  /// @param away since when it does not answer; null while it does
  /// @param retry when the next question is let through, if it is away
  /// @param running how many questions wait for its answer
  /// @param lastFailed when a question was not answered for the last time, or null
  /// @param lastError why, or null
  public record State(
      @Nullable Instant away,
      @Nullable Instant retry,
      int running,
      @Nullable Instant lastFailed,
      @Nullable String lastError) {}

  /// @param name its name in the settings
  /// @param limit the most time for an answer
  /// @param questions how many may be asked at a time
  /// @param workers runs what may block, each task on a thread of its own
  ProviderGate(
      String name,
      AccountProvider provider,
      Duration limit,
      int questions,
      InstantSource clock,
      Executor workers) {
    this.name = name;
    this.provider = provider;
    this.limit = limit;
    this.questions = questions;
    this.places = new Semaphore(questions, true);
    this.clock = clock;
    this.workers = workers;
  }

  /// Its name in the settings.
  public String name() {
    return name;
  }

  /// The provider, for what does not block.
  public AccountProvider provider() {
    return provider;
  }

  /// How long answers take.
  public Timing time() {
    return time;
  }

  /// Questions that were not answered.
  public Counter failed() {
    return failed;
  }

  /// How the provider is.
  public synchronized State state() {
    int running = questions - places.availablePermits();
    return new State(away, retry, running, lastFailed, lastError);
  }

  /// Asks, and waits for the answer.
  ///
  /// @throws ProviderException if there is none: the provider is away, too slow or asked too much
  <T> T ask(Question<T> question) throws ProviderException, InterruptedException {
    requireHere();
    long begun = System.nanoTime();
    enter();
    CompletableFuture<T> answer = new CompletableFuture<>();
    Asking asking = new Asking();
    try {
      workers.execute(() -> {
        asking.begin();
        try {
          answer.complete(question.ask(provider));
        } catch (ProviderException | InterruptedException | RuntimeException e) {
          answer.completeExceptionally(e);
        } finally {
          asking.end();
          places.release();
        }
      });
    } catch (RuntimeException e) {
      places.release();
      throw e;
    }
    try {
      T found = answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      answered(System.nanoTime() - begun);
      return found;
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } catch (TimeoutException e) {
      asking.interrupt();
      throw failed("no answer within " + limit.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      asking.interrupt();
      throw e;
    }
  }

  /// The thread that waits for an answer, if there is one.
  private static final class Asking {
    private @Nullable Thread thread;

    synchronized void begin() {
      thread = Thread.currentThread();
    }

    synchronized void end() {
      thread = null;
    }

    synchronized void interrupt() {
      if (thread != null) {
        thread.interrupt();
      }
    }
  }

  private synchronized void requireHere() throws ProviderException {
    Instant next = retry;
    if (next == null) {
      return;
    }
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      throw new ProviderException(name + " is away: " + lastError);
    }
    // This question is let through; the others wait for what becomes of it.
    retry = now.plus(limit).plus(pause);
  }

  private void enter() throws ProviderException, InterruptedException {
    if (places.tryAcquire()) {
      return;
    }
    if (waiting.incrementAndGet() > questions * WAITING) {
      waiting.decrementAndGet();
      throw failed("too many questions wait", null);
    }
    try {
      if (!places.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        throw failed("all " + questions + " questions at a time wait for an answer", null);
      }
    } finally {
      waiting.decrementAndGet();
    }
  }

  private ProviderException failure(@Nullable Throwable cause) {
    if (cause instanceof ProviderException known) {
      return failed(String.valueOf(known.getMessage()), known);
    }
    if (cause instanceof InterruptedException) {
      return failed("interrupted", cause);
    }
    LOG.atError().addKeyValue("provider", name).setCause(cause).log("provider_defect");
    return failed("a defect: " + cause, cause);
  }

  private ProviderException failed(String reason, @Nullable Throwable cause) {
    failed.increment();
    String text = reason.substring(0, Math.min(reason.length(), MOST_TEXT));
    boolean gone = false;
    synchronized (this) {
      Instant now = clock.instant();
      lastFailed = now;
      lastError = text;
      failures++;
      if (away != null) {
        pause = pause.multipliedBy(2);
        pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        retry = now.plus(pause);
      } else if (failures >= MOST_FAILURES) {
        gone = true;
        away = now;
        pause = FIRST_PAUSE;
        retry = now.plus(pause);
      }
    }
    if (gone) {
      LOG.atError().addKeyValue("provider", name).addKeyValue("reason", text).log("provider_away");
    }
    return new ProviderException(name + ": " + text, cause);
  }

  private void answered(long nanos) {
    time.record(nanos);
    boolean back;
    synchronized (this) {
      back = away != null;
      failures = 0;
      away = null;
      retry = null;
      pause = FIRST_PAUSE;
    }
    if (back) {
      LOG.atInfo().addKeyValue("provider", name).log("provider_back");
    }
  }

  /// Ends its connections.
  void close() {
    provider.close();
  }
}
