package im.zonda.operation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Work of an operation that takes long.
public record Job(
    @Field(Field.NODE) @Nullable String node,
    @Field("the identifier") String id,
    @Field("the operation") String operation,
    @Field("what it does") String title,
    @Field("who has begun it") String caller,
    @Field("what becomes of it") State state,
    @Field("when it began") Instant started,
    @Field("when it ended") @Nullable Instant ended,
    @Field("how much is done") long done,
    @Field("of how much; 0 if that is not known") long total,
    @Field("what is counted") String of,
    @Field("what has become of it") @Nullable String text) {
  /// What becomes of a job.
  public enum State {
    RUNNING,
    DONE,
    FAILED,
    CANCELLED
  }

  /// The same, so far.
  public Job at(long nowDone, long nowTotal, String counted) {
    return new Job(
        node, id, operation, title, caller, state, started, ended, nowDone, nowTotal, counted,
        text);
  }

  /// The same, at its end.
  public Job end(State last, Instant time, String said) {
    return new Job(node, id, operation, title, caller, last, started, time, done, total, of, said);
  }
}
