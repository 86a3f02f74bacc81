package im.zonda.operation;

import org.jspecify.annotations.Nullable;

/// One run of an operation, as its action sees it.
public interface Call {
  /// The caller.
  Caller caller();

  /// Notes for the audit what a change has changed. Never a secret.
  ///
  /// @param what the name of it, such as `affiliation`
  /// @param before what it was, or null if it was not there
  /// @param after what it is now, or null if it is gone
  void changed(String what, @Nullable String before, @Nullable String after);

  /// Begins work that takes long; the action ends at once with what this returns.
  ///
  /// @param title what the work is, as a sentence without a full stop
  <R extends Record> Outcome<R> start(String title, Work work);

  /// Work that takes long.
  @FunctionalInterface
  interface Work {
    /// Does the work; interrupted when someone cancels it.
    ///
    /// @return what has become of it, as a sentence
    /// @throws Exception whose message says why it has failed
    String run(Progress progress) throws Exception;
  }

  /// How far work has come. Any thread may call.
  @FunctionalInterface
  interface Progress {
    /// Says how far the work is.
    ///
    /// @param done how much is done
    /// @param total of how much; 0 if that is not known
    /// @param of what is counted, such as `accounts`
    void at(long done, long total, String of);
  }
}
