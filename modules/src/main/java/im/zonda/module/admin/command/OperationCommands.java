package im.zonda.module.admin.command;

import im.zonda.jid.Jid;
import im.zonda.module.commands.Command;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import im.zonda.operation.Input;
import im.zonda.operation.InvalidInputException;
import im.zonda.operation.Kind;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Scope;
import im.zonda.operation.Value;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Each operation that administrators of a host may run, as a command: it asks for the input by a
/// form, and a second time before it destroys something.
///
/// @param operations runs them
/// @param host the host
/// @param allowed who administers it
public record OperationCommands(Operations operations, Jid host, Predicate<Jid> allowed) {
  /// The node of an operation is this and its name.
  static final String NODE = "urn:zonda:operation:0#";

  /// The commands at present.
  public List<Command> all() {
    List<Command> commands = new ArrayList<>();
    for (Operation<?, ?> operation : operations.catalogue().operations()) {
      if (operation.scope() != Scope.SERVER
          && AdminRun.grant(host).allows(operation, host.domain())
          && OperationForms.canAsk(operation)
          && operations.catalogue().find(operation.name(), host.domain()) != null) {
        commands.add(command(operation));
      }
    }
    return commands;
  }

  private Command command(Operation<?, ?> operation) {
    return AdminRun.command(
        NODE + operation.name(),
        operation.title(),
        allowed,
        operations,
        host,
        run -> stage(run, operation));
  }

  private static void stage(AdminRun run, Operation<?, ?> operation) throws AdminForms.WrongValue {
    List<DataForm> forms = run.stage().forms();
    boolean asks = !OperationForms.asked(operation).isEmpty();
    boolean twice = operation.kind() == Kind.DESTROY;
    int stages = (asks ? 1 : 0) + (twice ? 1 : 0);
    DataForm input = asks && !forms.isEmpty() ? forms.getFirst() : null;
    if (forms.size() >= stages) {
      conclude(run, operation, input);
    } else if (asks && forms.isEmpty()) {
      DataForm form = OperationForms.ask(NODE + operation.name(), operation);
      if (twice) {
        run.stage().askNext(form);
      } else {
        run.stage().ask(form);
      }
    } else {
      run.stage().ask(confirmation(run, operation, input));
    }
  }

  /// Says what will be destroyed.
  private static DataForm confirmation(
      AdminRun run, Operation<?, ?> operation, @Nullable DataForm input)
      throws AdminForms.WrongValue {
    Map<String, @Nullable Object> given = OperationForms.data(operation, run.domain(), input);
    try {
      Input.read(operation.input(), given);
    } catch (InvalidInputException e) {
      throw new AdminForms.WrongValue(String.valueOf(e.getMessage()));
    }
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    OperationForms.asked(operation)
        .forEach(each -> {
          Object value = given.get(each.name());
          if (value != null && !(each.value() instanceof Value.Hidden)) {
            shown.put(each.name(), value);
          }
        });
    return DataForm.builder("form", NODE + operation.name())
        .title(operation.title())
        .instructions("This cannot be undone: " + operation.title() + ": " + text(shown) + ".")
        .build();
  }

  private static String text(Map<String, @Nullable Object> shown) {
    List<String> parts = new ArrayList<>();
    shown.forEach((name, value) ->
        parts.add(
            name
                + " "
                + (value instanceof List<?> many
                    ? String.join(", ", many.stream().map(String::valueOf).toList())
                    : value)));
    return String.join("; ", parts);
  }

  private static void conclude(AdminRun run, Operation<?, ?> operation, @Nullable DataForm input) {
    CommandStage stage = run.stage();
    Outcome<?> outcome =
        run.run(operation.name(), OperationForms.data(operation, run.domain(), input));
    switch (outcome) {
      case Outcome.Done<?>(Record result) -> stage.complete(shown(operation, result), null);
      case Outcome.Partly<?>(Record result, List<Outcome.Failure> failures) ->
          stage.completeWithFailure(shown(operation, result), text(failures));
      case Outcome.Refused<?>(var _, String text, var _) -> stage.fail(text);
      case Outcome.Started<?>(String job) ->
          stage.complete(List.of(), "It goes on as the job " + job + ".");
      case Outcome.Following<?> _ ->
          stage.fail("Its results come as they are known: use the command line.");
    }
  }

  private static List<Element> shown(Operation<?, ?> operation, Record result) {
    return ResultForms.of(NODE + operation.name(), operation.result(), result);
  }

  private static String text(List<Outcome.Failure> failures) {
    return String.join(
        " ", failures.stream().map(each -> each.subject() + ": " + each.reason()).toList());
  }
}
