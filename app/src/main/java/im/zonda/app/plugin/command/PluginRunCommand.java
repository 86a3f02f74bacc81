package im.zonda.app.plugin.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.control.ApiClient;
import im.zonda.app.operation.run.Answer;
import im.zonda.app.operation.run.JobProgress;
import im.zonda.app.operation.run.RunningServerRunner;
import im.zonda.app.users.PasswordInput;
import im.zonda.json.JsonText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda plugin run`: an operation of a plugin, which only the running server knows.
@Command(
    name = "run",
    description = {
      "Run an operation of a plugin.",
      "The pages of the plugin and the console say which there are and what goes in."
    },
    footer = {
      "",
      "Examples:",
      "  zonda plugin run content-filter.status host=example.org",
      "  zonda plugin run user-generator.create host=example.org count=1000 seed=1"
    })
final class PluginRunCommand implements Callable<Integer> {
  private static final int DONE = 0;
  private static final int FAILED = 1;

  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "PLUGIN.OPERATION",
      description = "The operation, such as content-filter.test.")
  private String operation;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "NAME=VALUE",
      description = "What goes in; of a list, values with commas between.")
  private List<String> values = List.of();

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  PluginRunCommand() {}

  @Override
  public Integer call() throws Exception {
    Map<String, @Nullable Object> given = new LinkedHashMap<>();
    for (String each : values) {
      int end = each.indexOf('=');
      if (end <= 0) {
        throw new IllegalArgumentException(each + " is not of the form NAME=VALUE");
      }
      given.put(each.substring(0, end), each.substring(end + 1));
    }
    PrintWriter out = spec.commandLine().getOut();
    try (RunningServerRunner runner =
        new RunningServerRunner(new ApiClient(options.read().config().data()))) {
      Answer answer = runner.runNamed(operation, given, result -> out.println(JsonText.of(result)));
      int code = answered(answer, runner, out);
      out.flush();
      return code;
    }
  }

  private int answered(Answer answer, RunningServerRunner runner, PrintWriter out)
      throws IOException {
    return switch (answer) {
      case Answer.Done(var result) -> {
        print(result, out);
        yield DONE;
      }
      case Answer.Partly(var result, var failures) -> {
        print(result, out);
        failures.forEach(spec.commandLine().getErr()::println);
        yield FAILED;
      }
      case Answer.Refused(var _, String text) -> throw new IOException(text);
      case Answer.Started(String id) -> {
        PrintWriter terminal =
            PasswordInput.terminal() == null ? null : spec.commandLine().getErr();
        Map<String, @Nullable Object> job = new JobProgress(runner, terminal).follow(id);
        out.println(job.get("text"));
        yield "done".equals(job.get("state")) ? DONE : FAILED;
      }
      case Answer.Ended() -> DONE;
    };
  }

  private static void print(Map<String, @Nullable Object> result, PrintWriter out) {
    if (!result.isEmpty()) {
      out.println(JsonText.of(result));
    }
  }
}
