package im.zonda.home.account;

import im.zonda.module.Scheduler;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/// Finds entries of the message log by their origins, for the homes of senders whose former home
/// has died. All that waits is asked for at once: the homes of a node that has died come at the
/// same time, and the log reads all its newest entries for each question. Any thread may call.
final class OriginLookup {
  /// How long to wait before a database that is away is asked again.
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private record Question(
      Set<Long> origins, Duration age, CompletableFuture<Map<Long, MessageLog.Known>> answer) {}

  private final MessageLog log;
  private final Executor workers;
  private final Scheduler scheduler;

  // Guarded by this.
  private final List<Question> waiting = new ArrayList<>();
  private boolean asking;

  OriginLookup(MessageLog log, Executor workers, Scheduler scheduler) {
    this.log = log;
    this.workers = workers;
    this.scheduler = scheduler;
  }

  /// Finds entries ([MessageLog#findOrigins]). Blocks, also while the database is away.
  ///
  /// @throws StoreException if the log cannot be read any more
  Map<Long, MessageLog.Known> find(Set<Long> origins, Duration age) {
    Question question = new Question(origins, age, new CompletableFuture<>());
    synchronized (this) {
      waiting.add(question);
      if (!asking) {
        asking = true;
        workers.execute(this::ask);
      }
    }
    try {
      return question.answer().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    }
  }

  private void ask() {
    List<Question> asked;
    synchronized (this) {
      asked = List.copyOf(waiting);
      waiting.clear();
      if (asked.isEmpty()) {
        asking = false;
        return;
      }
    }
    Set<Long> origins = new HashSet<>();
    Duration age = Duration.ZERO;
    for (Question each : asked) {
      origins.addAll(each.origins());
      age = each.age().compareTo(age) > 0 ? each.age() : age;
    }
    try {
      Map<Long, MessageLog.Known> found = log.findOrigins(origins, age);
      asked.forEach(each -> each.answer().complete(only(each.origins(), found)));
    } catch (StoreException e) {
      if (e.retryable()) {
        synchronized (this) {
          waiting.addAll(asked);
        }
        scheduler.schedule(AGAIN, () -> workers.execute(this::ask));
        return;
      }
      asked.forEach(each -> each.answer().completeExceptionally(e));
    } catch (RuntimeException | Error e) {
      asked.forEach(each -> each.answer().completeExceptionally(e));
    }
    workers.execute(this::ask);
  }

  private static Map<Long, MessageLog.Known> only(
      Set<Long> origins, Map<Long, MessageLog.Known> found) {
    Map<Long, MessageLog.Known> mine = new HashMap<>(found);
    mine.keySet().retainAll(origins);
    return mine;
  }
}
