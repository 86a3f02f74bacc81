package im.zonda.app.status;

import im.zonda.module.Scheduler;
import im.zonda.module.ServerControl;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/// The process: what it does, which version it is, its end.
public final class StatusOperations {
  /// The time for the answer to leave before the server stops.
  private static final Duration ANSWER = Duration.ofMillis(300);

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
          .at("GET /status", "Say what the server does", Nothing.class, ServerStatus.class);

  /// `server.version`.
  public static final Operation<Nothing, Versions> VERSION =
      Operation.read("server.version", Right.SERVER)
          .at("GET /version", "Say which version runs", Nothing.class, Versions.class);

  /// `server.stop`.
  public static final Operation<Nothing, Nothing> STOP =
      Operation.change("server.stop", Right.SERVER)
          .at("POST /server/stop", "Stop the server", Nothing.class, Nothing.class);

  /// `server.restart`.
  public static final Operation<Nothing, Nothing> RESTART =
      Operation.change("server.restart", Right.SERVER)
          .at("POST /server/restart", "Start the server again", Nothing.class, Nothing.class);

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
        STOP.by((_, _) -> stop(process, scheduler, false)),
        RESTART.by((_, _) -> stop(process, scheduler, true)));
  }

  private static Outcome<Nothing> stop(
      ServerControl process, Scheduler scheduler, boolean restart) {
    if (!process.isAvailable()) {
      return Outcome.refused(Reason.NOT_APPLICABLE, "This server is stopped by its program only.");
    }
    var _ = scheduler.schedule(ANSWER, () -> process.stop(restart));
    return Nothing.done();
  }
}
