package im.zonda.dns;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/// The answers that are still valid; above the maximum number, the one not used for longest goes.
/// Confined to the lock of [DnsQuestions].
final class AnswerCache {
  /// Answers are kept for that time at least: one that says 0 would be asked for at each stanza.
  private static final Duration SHORTEST = Duration.ofSeconds(10);

  private static final Duration LONGEST = Duration.ofHours(1);

  /// The longest time for which a record is believed not to exist.
  private static final Duration LONGEST_NONE = Duration.ofMinutes(15);

  /// RFC 9520: a failure is remembered too, so that it is not asked for all the time.
  private static final Duration FAILED = Duration.ofSeconds(5);

  /// A question.
  record Question(Name name, int type) {}

  private record Valid(Answer answer, Instant until) {}

  private final Map<Question, Valid> entries;

  /// @param most how many answers are kept
  AnswerCache(int most) {
    entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Question, Valid> eldest) {
            return size() > most;
          }
        };
  }

  /// The valid answer, or null.
  @Nullable Answer find(Question question, Instant now) {
    Valid entry = entries.get(question);
    if (entry == null) {
      return null;
    }
    if (entry.until().isAfter(now)) {
      return entry.answer();
    }
    entries.remove(question);
    return null;
  }

  /// Keeps an answer.
  ///
  /// @param seconds how long DNS says that it is valid; negative if it does not say
  void put(Question question, Answer answer, long seconds, Instant now) {
    Duration time =
        switch (answer) {
          case Answer.Found _ -> bounded(seconds, LONGEST);
          case Answer.None _ -> bounded(seconds, LONGEST_NONE);
          case Answer.Failed _ -> FAILED;
        };
    entries.put(question, new Valid(answer, now.plus(time)));
  }

  private static Duration bounded(long seconds, Duration longest) {
    return Duration.ofSeconds(Math.clamp(seconds, SHORTEST.toSeconds(), longest.toSeconds()));
  }

  int size() {
    return entries.size();
  }
}
