package im.zonda.app.support.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.Answer;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.support.SupportOperations;
import im.zonda.operation.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `zonda support-bundle`.
@Command(
    name = "support-bundle",
    description = {
      "Write what the running server says of itself to a file for those who help: configuration"
          + " without secrets, versions, what the doctor finds, log, figures, threads; of all nodes"
          + " of a cluster.",
      "It has no contents of messages, no passwords and no keys; look through it all the same."
    },
    footer = {"", "Examples:", "  zonda support-bundle", "  zonda support-bundle --to help.zip"})
public final class SupportCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "The file (default: zonda-support-TIME.zip in the current folder).")
  private @Nullable Path to;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  public SupportCommand() {}

  @Override
  public Integer call() throws Exception {
    Instant now = InstantSource.system().instant();
    Path file = (to == null ? Path.of(SupportOperations.name(now)) : to).toAbsolutePath();
    try (OperationRunner server = options.runningServer(options.read().config())) {
      SupportOperations.write(file, (operation, given) -> ask(server, operation, given), now);
    } catch (FileAlreadyExistsException e) {
      throw new IOException("there is a file " + file + " already", e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("wrote " + file);
    out.flush();
    return 0;
  }

  private static Map<String, @Nullable Object> ask(
      OperationRunner server, Operation<?, ?> operation, Map<String, String> given)
      throws IOException {
    Answer answer = server.run(operation, new LinkedHashMap<>(given), _ -> {});
    return switch (answer) {
      case Answer.Done(var result) -> result;
      case Answer.Partly(var result, List<String> failures) -> {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(result);
        all.put("failures", failures);
        yield all;
      }
      case Answer.Refused(var _, String text) -> throw new IOException(text);
      case Answer.Started _, Answer.Ended _ ->
          throw new IllegalStateException(operation + " shows nothing at once");
    };
  }
}
