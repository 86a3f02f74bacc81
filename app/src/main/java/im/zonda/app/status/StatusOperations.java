package im.zonda.app.status;

import im.zonda.module.Scheduler;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/// The process: what it does, which version it is, its end.
public final class StatusOperations {
  /// The time for the answer to leave before the server stops.
  private static final Duration ANSWER = Duration.ofMillis(300);

  private static final Duration LONGEST = Duration.ofHours(1);

  /// When to stop.
  public record Stopping(
      @Field(value = "how long to wait before, at most 1h", fallback = "0s") Duration delay) {}

  /// The versions.
  public record Versions(
      @Field("the version of Zonda") String zonda, @Field("the version of Java") String java) {
    /// Those of this process.
    public static Versions current() {
      return new Versions(
          Version.current(), Runtime.version() + " (" + System.getProperty("java.vendor") + ")");
    }
  }

  /// `server.status`.
  public static final Operation<Nothing, ServerStatus> STATUS =
      Operation.read("server.status", Right.SERVER)
          .ofNode()
          .at("GET /status", "Say what the server does", Nothing.class, ServerStatus.class);

  /// `server.version`.
  public static final Operation<Nothing, Versions> VERSION =
      Operation.read("server.version", Right.SERVER)
          .ofNode()
          .at("GET /version", "Say which version runs", Nothing.class, Versions.class);

  /// `server.stop`.
  public static final Operation<Stopping, Nothing> STOP =
      Operation.change("server.stop", Right.SERVER)
          .ofNode()
          .at("POST /server/stop", "Stop the server", Stopping.class, Nothing.class);

  /// `server.restart`.
  public static final Operation<Stopping, Nothing> RESTART =
      Operation.change("server.restart", Right.SERVER)
          .ofNode()
          .at("POST /server/restart", "Start the server again", Stopping.class, Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(STATUS, VERSION, STOP, RESTART);

  private StatusOperations() {}

  /// The operations of a running server.
  ///
  /// @param process stops the process that it runs in
  /// @param scheduler waits until the requester has the answer
  public static List<Offer<?, ?>> of(
      Supplier<ServerStatus> status, ServerControl process, Scheduler scheduler) {
    return List.of(
        STATUS.by((_, _) -> Outcome.done(status.get())),
        VERSION.by((_, _) -> Outcome.done(Versions.current())),
        STOP.by((_, stopping) -> stop(process, scheduler, stopping.delay(), false)),
        RESTART.by((_, stopping) -> stop(process, scheduler, stopping.delay(), true)));
  }

  private static Outcome<Nothing> stop(
      ServerControl process, Scheduler scheduler, Duration delay, boolean restart) {
    if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
      return Outcome.invalid("delay", "delay must be between 0s and 1h.");
    }
    var _ = scheduler.schedule(delay.plus(ANSWER), () -> process.stop(restart));
    return Nothing.done();
  }
}
