package im.zonda.operation;

/// Carries out an operation. Only what implements [Operations] calls it: then the caller may, and
/// the input is valid.
@FunctionalInterface
public interface Action<I extends Record, R extends Record> {
  /// Does it. Runs on a virtual thread and may block; interrupted when it takes too long, and then
  /// its outcome counts no longer.
  Outcome<R> run(Call call, I input) throws InterruptedException;
}
