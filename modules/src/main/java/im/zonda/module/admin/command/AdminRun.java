package im.zonda.module.admin.command;

import im.zonda.jid.Jid;
import im.zonda.module.commands.Command;
import im.zonda.module.commands.CommandStage;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One stage of a command of an administrator, which runs operations on a thread of its own.
///
/// @param operations runs them
/// @param host the host
/// @param stage what was submitted, and what answers
record AdminRun(Operations operations, Jid host, CommandStage stage) {
  private static final Logger LOG = LoggerFactory.getLogger(AdminRun.class);

  /// What a stage does.
  @FunctionalInterface
  interface Action {
    /// Does it.
    ///
    /// @throws AdminForms.WrongValue if something cannot be used
    void run(AdminRun run) throws AdminForms.WrongValue;
  }

  /// A command whose stages do that.
  ///
  /// @param allowed who may run it
  static Command command(
      String node,
      String title,
      Predicate<Jid> allowed,
      Operations operations,
      Jid host,
      Action action) {
    return new Command(
        node,
        title,
        allowed,
        stage -> operations.later(() -> new AdminRun(operations, host, stage).act(node, action)));
  }

  private void act(String node, Action action) {
    try {
      action.run(this);
    } catch (AdminForms.WrongValue e) {
      stage.fail(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("node", node).setCause(e).log("command_failed");
      stage.fail("The server has failed to do this; its log says how.");
    }
  }

  /// What administrators of a host may do.
  static Grant grant(Jid host) {
    return new Grant(Role.HOST_ADMIN, Set.of(host.domain()), null);
  }

  private Caller caller(Grant grant) {
    return new Caller(stage.from().bare().toString(), Caller.Via.ADHOC, null, grant);
  }

  /// Runs an operation on the process, which administrators of any host may stop (XEP-0133,
  /// sections 4.30 and 4.31).
  Outcome<?> runAtServer(String operation, Map<String, @Nullable Object> input) {
    Grant process = new Grant(Role.OPERATOR, null, Set.of(Right.SERVER));
    return operations.run(caller(process), operation, input);
  }

  <I extends Record, R extends Record> Outcome<R> run(Operation<I, R> operation, I input) {
    return operations.run(caller(grant(host)), operation, input);
  }

  Outcome<?> run(String operation, Map<String, @Nullable Object> input) {
    return operations.run(caller(grant(host)), operation, input);
  }

  /// Runs an operation whose result is needed to go on.
  ///
  /// @throws AdminForms.WrongValue if it was refused; the message says why
  <I extends Record, R extends Record> R result(Operation<I, R> operation, I input)
      throws AdminForms.WrongValue {
    return switch (run(operation, input)) {
      case Outcome.Done<R>(R result) -> result;
      case Outcome.Partly<R>(R result, var _) -> result;
      case Outcome.Refused<R>(var _, String text, var _) -> throw new AdminForms.WrongValue(text);
      case Outcome.Started<R> _, Outcome.Following<R> _ ->
          throw new IllegalStateException(operation + " has no result yet");
    };
  }

  String domain() {
    return host.domain();
  }
}
