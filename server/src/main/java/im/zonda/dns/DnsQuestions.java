package im.zonda.dns;

import im.zonda.dns.AnswerCache.Question;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;

/// Asks DNS servers, follows aliases and keeps the answers. Equal questions at the same time are
/// asked once. Any thread may call; no call blocks.
final class DnsQuestions {
  /// The most questions at a time.
  private static final int MOST_AT_A_TIME = 1_000;

  private static final int MOST_ANSWERS = 4_096;

  private final Resolver resolver;
  private final boolean validated;
  private final Duration timeout;
  private final InstantSource clock;
  private final Executor executor;
  private final AnswerCache cache = new AnswerCache(MOST_ANSWERS);
  private final Map<Question, CompletableFuture<Answer>> asked = new HashMap<>();

  /// @param validated whether the resolver validates by DNSSEC
  /// @param timeout the time for one question with all its aliases
  /// @param executor runs what answers lead to
  DnsQuestions(
      Resolver resolver,
      boolean validated,
      Duration timeout,
      InstantSource clock,
      Executor executor) {
    this.resolver = resolver;
    this.validated = validated;
    this.timeout = timeout;
    this.clock = clock;
    this.executor = executor;
  }

  /// Asks; the future never fails.
  @SuppressWarnings("FutureReturnValueIgnored") // completes the promise, which is returned
  CompletableFuture<Answer> ask(Name name, int type) {
    Question question = new Question(name, type);
    CompletableFuture<Answer> promise = new CompletableFuture<>();
    synchronized (this) {
      Answer known = cache.find(question, clock.instant());
      if (known != null) {
        return CompletableFuture.completedFuture(known);
      }
      CompletableFuture<Answer> same = asked.get(question);
      if (same != null) {
        return same.copy();
      }
      if (asked.size() >= MOST_AT_A_TIME) {
        return CompletableFuture.completedFuture(
            new Answer.Failed("too many questions to DNS at a time"));
      }
      asked.put(question, promise);
    }
    send(name, type, Long.MAX_VALUE, true, 0)
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((response, failure) -> complete(question, promise, response, failure));
    return promise.copy();
  }

  private void complete(
      Question question,
      CompletableFuture<Answer> promise,
      @Nullable Response response,
      @Nullable Throwable failure) {
    Answer answer = response == null ? null : response.answer();
    long seconds = response == null ? -1 : response.seconds();
    if (answer == null) {
      answer = new Answer.Failed("DNS: " + describe(failure) + " for " + question.name());
    }
    synchronized (this) {
      asked.remove(question);
      cache.put(question, answer, seconds, clock.instant());
    }
    promise.complete(answer);
  }

  private static String describe(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof TimeoutException) {
      return "no answer in time";
    }
    return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
  }

  /// Sends a question and those for its aliases; the future may fail.
  ///
  /// @param seconds the shortest time for which the aliases before are valid
  /// @param authentic whether DNSSEC proves all aliases before
  private CompletableFuture<Response> send(
      Name name, int type, long seconds, boolean authentic, int aliases) {
    Message query = Message.newQuery(Record.newRecord(name, type, DClass.IN));
    return resolver
        .sendAsync(query, executor)
        .toCompletableFuture()
        .thenCompose(message -> {
          Response response = Response.read(message, name, type, validated);
          long shortest = Math.min(seconds, response.seconds());
          Answer answer = response.answer();
          if (answer != null) {
            return CompletableFuture.completedFuture(
                new Response(authentic ? answer : unproved(answer), response.next(), shortest));
          }
          if (aliases >= Response.MAX_ALIASES) {
            Answer failed = new Answer.Failed("DNS has a loop of aliases for " + name);
            return CompletableFuture.completedFuture(new Response(failed, name, -1));
          }
          // An alias without its records: the answer is not proved as a whole.
          return send(response.next(), type, seconds, false, aliases + 1);
        });
  }

  private static Answer unproved(Answer answer) {
    return switch (answer) {
      case Answer.Found found -> new Answer.Found(found.records(), found.owner(), false);
      case Answer.None none -> new Answer.None(none.nameExists(), false);
      case Answer.Failed failed -> failed;
    };
  }

  /// The number of answers that are kept.
  synchronized int answers() {
    return cache.size();
  }
}
