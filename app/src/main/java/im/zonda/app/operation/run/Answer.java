package im.zonda.app.operation.run;

import im.zonda.operation.Outcome.Reason;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The outcome of an operation as plain data: the same from a running server and from the stores of
/// a stopped one.
public sealed interface Answer {
  /// It is done.
  ///
  /// @param result the components of the result
  record Done(Map<String, @Nullable Object> result) implements Answer {}

  /// It is done in part.
  ///
  /// @param result the components of the result
  /// @param failures what was not done, in a sentence each
  record Partly(Map<String, @Nullable Object> result, List<String> failures) implements Answer {
    /// Copies the list.
    public Partly {
      failures = List.copyOf(failures);
    }
  }

  /// Nothing was done.
  ///
  /// @param reason why; [Reason#INVALID] is a wrong command
  /// @param text a sentence
  record Refused(Reason reason, String text) implements Answer {}

  /// It goes on, as a job.
  ///
  /// @param job the identifier of the job
  record Started(String job) implements Answer {}

  /// Its results have come, and have ended.
  record Ended() implements Answer {}
}
