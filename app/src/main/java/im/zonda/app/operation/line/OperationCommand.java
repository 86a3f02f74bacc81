package im.zonda.app.operation.line;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.JobOperations;
import im.zonda.app.operation.run.Answer;
import im.zonda.app.operation.run.JobProgress;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.users.Confirmation;
import im.zonda.app.users.PasswordInput;
import im.zonda.config.ServerConfig;
import im.zonda.json.JsonText;
import im.zonda.operation.Kind;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Shape;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Runs one operation: in the server if it runs, otherwise on its stores.
final class OperationCommand implements Callable<Integer> {
  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int WRONG = 2;
  private static final String DRY_RUN = "dryRun";

  private final Operation<?, ?> operation;
  private final ConfigOptions options;
  private final Arguments arguments;
  private final OptionSpec json = flag("--json", "Print JSON.");
  private final OptionSpec yes = flag("--yes", "Do not ask.");
  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

  private OperationCommand(Operation<?, ?> operation, ConfigOptions options) {
    this.operation = operation;
    this.options = options;
    this.arguments = new Arguments(operation);
  }

  /// The command of an operation.
  ///
  /// @param name its last word
  /// @param words the words that run it
  static CommandSpec of(
      Operation<?, ?> operation, String name, String words, ConfigOptions options) {
    OperationCommand command = new OperationCommand(operation, options);
    CommandSpec spec = command.spec;
    spec.name(name);
    command.arguments.addTo(spec);
    spec.addMixin("configuration", CommandSpec.forAnnotatedObject(options));
    spec.addOption(command.json);
    if (operation.kind() == Kind.DESTROY) {
      spec.addOption(command.yes);
    }
    String example = words + " " + command.arguments.example();
    spec.usageMessage()
        .description(operation.title() + ".")
        .footer("", "Example:", "  " + example.strip());
    return spec;
  }

  private static OptionSpec flag(String name, String description) {
    return OptionSpec.builder(name).type(boolean.class).arity("0").description(description).build();
  }

  @Override
  public Integer call() throws Exception {
    ServerConfig config = options.read().config();
    Console console = PasswordInput.terminal();
    Map<String, @Nullable Object> values =
        arguments.values(config, new PasswordInput(console, System.in));
    if (operation.kind() == Kind.DESTROY && !Boolean.TRUE.equals(values.get(DRY_RUN))) {
      String subject = arguments.subject(values);
      Confirmation.ask(
          console,
          isGiven(yes),
          operation.title() + "; this cannot be undone. Type " + subject + " to go on",
          subject);
    }
    try (OperationRunner runner = options.openOperations(config)) {
      Answer answer =
          runner.run(
              operation,
              values,
              result -> {
                print(operation.result(), result);
                out().flush();
              });
      int code = answered(answer, runner);
      out().flush();
      return code;
    }
  }

  private int answered(Answer answer, OperationRunner runner) throws IOException {
    return switch (answer) {
      case Answer.Done(var result) -> {
        print(operation.result(), result);
        yield DONE;
      }
      case Answer.Partly(var result, List<String> failures) -> {
        print(operation.result(), result);
        failures.forEach(this::printError);
        yield FAILED;
      }
      case Answer.Refused(Reason reason, String text) -> {
        printError("zonda: " + text);
        yield reason == Reason.INVALID ? WRONG : FAILED;
      }
      case Answer.Started(String job) -> follow(job, runner);
      case Answer.Ended _ -> DONE;
    };
  }

  private int follow(String id, OperationRunner runner) throws IOException {
    PrintWriter terminal = PasswordInput.terminal() == null ? null : spec.commandLine().getErr();
    Map<String, @Nullable Object> job = new JobProgress(runner, terminal).follow(id);
    boolean done = "done".equals(job.get("state"));
    if (isGiven(json)) {
      print(JobOperations.SHOW.result(), job);
    } else if (done) {
      out().println(job.get("text"));
    } else {
      printError("zonda: " + job.get("text"));
    }
    return done ? DONE : FAILED;
  }

  private void print(Shape shape, Map<String, @Nullable Object> result) {
    if (isGiven(json)) {
      out().println(JsonText.of(result));
    } else {
      Ansi ansi = spec.commandLine().getColorScheme().ansi();
      out().print(ResultText.of(shape, result, ansi));
    }
  }

  private static boolean isGiven(OptionSpec flag) {
    return Boolean.TRUE.equals(flag.getValue());
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void printError(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(spec.commandLine().getColorScheme().errorText(text));
  }
}
