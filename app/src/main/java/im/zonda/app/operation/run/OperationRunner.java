package im.zonda.app.operation.run;

import im.zonda.operation.Input;
import im.zonda.operation.InvalidInputException;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome.Reason;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs operations for a command.
public interface OperationRunner extends AutoCloseable {
  /// Runs one.
  ///
  /// @param given the values, as texts, booleans and lists of texts
  /// @param results gets each result of an operation whose results come as they are known
  /// @throws IOException if it cannot be asked for, with words for the administrator
  Answer run(
      Operation<?, ?> operation,
      Map<String, @Nullable Object> given,
      Consumer<Map<String, @Nullable Object>> results)
      throws IOException;

  /// Runs one that ends at once.
  ///
  /// @return its result, as plain data
  /// @throws IllegalArgumentException if the values are wrong, with a sentence
  /// @throws IOException if it was refused or cannot be asked for, with a sentence
  default Map<String, @Nullable Object> result(
      Operation<?, ?> operation, Map<String, @Nullable Object> given) throws IOException {
    return result(operation, run(operation, given, _ -> {}));
  }

  /// The result of an answer.
  private static Map<String, @Nullable Object> result(Operation<?, ?> operation, Answer answer)
      throws IOException {
    return switch (answer) {
      case Answer.Done(var result) -> result;
      case Answer.Partly(var _, var failures) -> throw new IOException(String.join("\n", failures));
      case Answer.Refused(Reason reason, String text) -> {
        if (reason == Reason.INVALID) {
          throw new IllegalArgumentException(text);
        }
        throw new IOException(text);
      }
      case Answer.Started _, Answer.Ended _ ->
          throw new IllegalStateException(operation + " has not one result");
    };
  }

  /// Runs one that ends at once.
  ///
  /// @throws IllegalArgumentException if the values are wrong, with a sentence
  /// @throws IOException if it was refused or cannot be asked for, with a sentence
  default <R extends Record> R ask(Operation<?, R> operation, Map<String, @Nullable Object> given)
      throws IOException {
    return read(operation, run(operation, given, _ -> {}));
  }

  /// Runs one that ends at once, for a command that names what it is about: what is not there, or
  /// is in the way, makes it a wrong command.
  ///
  /// @throws IllegalArgumentException if the values are wrong, or what they name is not there or in
  ///   the way, with a clause
  /// @throws IOException if it was refused otherwise or cannot be asked for, with a sentence
  default <R extends Record> R askNamed(
      Operation<?, R> operation, Map<String, @Nullable Object> given) throws IOException {
    Answer answer = run(operation, given, _ -> {});
    if (answer instanceof Answer.Refused(Reason reason, String text)
        && EnumSet.of(Reason.INVALID, Reason.NOT_FOUND, Reason.CONFLICT).contains(reason)) {
      throw new IllegalArgumentException(clause(text));
    }
    return read(operation, answer);
  }

  /// A sentence without its capital letter and its full stop, as what follows a colon.
  private static String clause(String sentence) {
    String text = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    boolean isWord = text.length() > 1 && !Character.isUpperCase(text.charAt(1));
    return isWord ? Character.toLowerCase(text.charAt(0)) + text.substring(1) : text;
  }

  /// The result of an operation that has ended at once.
  ///
  /// @throws IllegalArgumentException if the values were wrong, with a sentence
  /// @throws IOException if it was refused, with a sentence
  @SuppressWarnings("unchecked") // the result of an operation has its shape
  default <R extends Record> R read(Operation<?, R> operation, Answer answer) throws IOException {
    try {
      return (R) Input.read(operation.result(), result(operation, answer));
    } catch (InvalidInputException e) {
      throw new IOException(
          "the server is of another version than this command: " + e.getMessage(), e);
    }
  }

  /// Runs one that goes on as a job, and waits for its end.
  ///
  /// @param terminal where the progress is shown; null for nowhere
  /// @return what has become of it
  /// @throws IllegalArgumentException if the values are wrong, with a sentence
  /// @throws IOException if it was refused, has failed or cannot be asked for, with a sentence
  default String finish(
      Operation<?, ?> operation,
      Map<String, @Nullable Object> given,
      @Nullable PrintWriter terminal)
      throws IOException {
    Answer answer = run(operation, given, _ -> {});
    if (!(answer instanceof Answer.Started(String id))) {
      result(operation, answer);
      throw new IllegalStateException(operation + " is no job");
    }
    Map<String, @Nullable Object> job = new JobProgress(this, terminal).follow(id);
    String text = String.valueOf(job.get("text"));
    if (!"done".equals(job.get("state"))) {
      throw new IOException(text);
    }
    return text;
  }

  @Override
  void close() throws IOException;
}
