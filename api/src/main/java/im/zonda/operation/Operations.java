package im.zonda.operation;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Runs operations, for every caller and by every way: finds the operation, decides whether the
/// caller may, checks the input, runs the action for a limited time, and writes the audit. A port
/// for modules. Any thread that may block may call.
public interface Operations {
  /// What is offered.
  Catalogue catalogue();

  /// The names of the nodes of the cluster, in their order; empty without a cluster.
  List<String> nodes();

  /// Runs an operation with plain data ([Input]). If it is about a node ([Operation#reach]), the
  /// data may have its name as [Operation#NODE].
  Outcome<?> run(Caller caller, String name, Map<String, ? extends @Nullable Object> given);

  /// Runs an operation with its record.
  <I extends Record, R extends Record> Outcome<R> run(
      Caller caller, Operation<I, R> operation, I input);

  /// Whether the caller may run an operation with plain data, which exists at present. Nothing is
  /// run, and nothing written to the audit.
  boolean allows(Caller caller, String name, Map<String, ? extends @Nullable Object> given);

  /// Runs a task on a thread of its own, which may block and run operations. Returns at once.
  ///
  /// @throws java.util.concurrent.RejectedExecutionException if the server stops
  void later(Runnable task);
}
