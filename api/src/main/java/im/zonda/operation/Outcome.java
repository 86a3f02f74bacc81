package im.zonda.operation;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Result of a run of an operation.
public sealed interface Outcome<R extends Record> {
  /// It is done.
  record Done<R extends Record>(R result) implements Outcome<R> {}

  /// It is done in part.
  ///
  /// @param result what was done
  /// @param failures what was not
  record Partly<R extends Record>(R result, List<Failure> failures) implements Outcome<R> {
    /// Copies the list.
    public Partly {
      failures = List.copyOf(failures);
    }
  }

  /// What was not done, and why.
  ///
  /// @param subject what it was about
  /// @param reason a sentence
  record Failure(String subject, String reason) {}

  /// Nothing was done.
  ///
  /// @param reason why
  /// @param text a sentence for the caller
  /// @param field the component of the input that is wrong, or null
  record Refused<R extends Record>(Reason reason, String text, @Nullable String field)
      implements Outcome<R> {}

  /// It goes on, as a job.
  ///
  /// @param job the identifier of the job
  record Started<R extends Record>(String job) implements Outcome<R> {}

  /// Its results come as they are known.
  record Following<R extends Record>(Feed<R> feed) implements Outcome<R> {}

  /// Results that come as they are known.
  @FunctionalInterface
  interface Feed<R extends Record> {
    /// Gives results to `sink` until there are no more, the thread is interrupted, or the sink
    /// throws because no one takes them.
    void follow(Sink<R> sink) throws IOException, InterruptedException;
  }

  /// Takes results.
  @FunctionalInterface
  interface Sink<R extends Record> {
    /// Waits until the result is taken.
    ///
    /// @throws IOException if no one takes it
    void accept(R result) throws IOException;
  }

  /// Why nothing was done.
  enum Reason {
    /// The input is wrong.
    INVALID,
    /// The caller may not.
    FORBIDDEN,
    /// There is no such thing, or no such operation.
    NOT_FOUND,
    /// It exists already, or something else is in the way.
    CONFLICT,
    /// The server does not have what the operation is for, such as a cluster.
    NOT_APPLICABLE,
    /// There is too much of it at present.
    TOO_MANY,
    /// The store, another node or another server does not answer at present.
    UNAVAILABLE,
    /// It took too long.
    TIMEOUT,
    /// The server has failed; its log says how.
    FAILED;

    /// The word for programs, such as `not-found`.
    public String word() {
      return Value.word(this);
    }
  }

  static <R extends Record> Outcome<R> done(R result) {
    return new Done<>(result);
  }

  static <R extends Record> Outcome<R> refused(Reason reason, String text) {
    return new Refused<>(reason, text, null);
  }

  /// A component of the input is wrong.
  static <R extends Record> Outcome<R> invalid(String field, String text) {
    return new Refused<>(Reason.INVALID, text, field);
  }

  static <R extends Record> Outcome<R> notFound(String text) {
    return refused(Reason.NOT_FOUND, text);
  }

  static <R extends Record> Outcome<R> conflict(String text) {
    return refused(Reason.CONFLICT, text);
  }
}
