package im.zonda.app.operation.line;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.Answer;
import im.zonda.app.operation.run.JobProgress;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.recording.RecordingOperations;
import im.zonda.app.users.PasswordInput;
import im.zonda.json.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda record`: the operation `server.record`, and the summary of the recording.
@Command(
    name = "record",
    description = {
      "Record what the running server spends its time on, and sum it up in words.",
      "The recording (JDK Flight Recorder) stays in the data folder, the last ten of them."
    },
    footer = {"", "Examples:", "  zonda record 60s", "  zonda record 5m --to server.jfr"})
public final class RecordCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "How long to record, from 1s to 10m (default: ${DEFAULT-VALUE}).")
  private String time;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "Write the recording to a file, too, for JDK Mission Control or `jfr`.")
  private @Nullable Path file;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  public RecordCommand() {}

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter terminal = PasswordInput.terminal() == null ? null : spec.commandLine().getErr();
    try (OperationRunner runner = options.runningServer(options.read().config())) {
      String name = record(runner, terminal);
      if (file != null) {
        write(runner, name, file);
      }
      Map<String, @Nullable Object> summary =
          runner.result(RecordingOperations.SHOW, Map.of("name", name));
      if (json) {
        out.println(JsonText.of(summary));
      } else {
        out.print(summary.get("text"));
        out.println("The recording is " + (file == null ? name : file) + ".");
      }
      out.flush();
      return 0;
    }
  }

  /// Records.
  ///
  /// @return the name of the recording
  private String record(OperationRunner runner, @Nullable PrintWriter terminal) throws IOException {
    Answer answer = runner.run(RecordingOperations.RECORD, Map.of("time", time), _ -> {});
    if (!(answer instanceof Answer.Started(String id))) {
      // It was refused, which this says; nothing else is possible.
      return Objects.toString(runner.read(RecordingOperations.RECORD, answer));
    }
    Map<String, @Nullable Object> job = new JobProgress(runner, terminal).follow(id);
    if (!"done".equals(job.get("state"))) {
      throw new IOException(Objects.toString(job.get("text"), "the recording has failed"));
    }
    List<RecordingOperations.Row> all = runner.ask(RecordingOperations.LIST, Map.of()).recordings();
    return all.getFirst().name();
  }

  /// Writes the recording to a file, which appears once it is whole.
  private static void write(OperationRunner runner, String name, Path file) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    Base64.Decoder decoder = Base64.getDecoder();
    try {
      Answer answer;
      try (OutputStream out = Files.newOutputStream(unfinished)) {
        answer =
            runner.run(
                RecordingOperations.FILE,
                Map.of("name", name),
                part -> append(out, decoder.decode(Objects.toString(part.get("base64"), ""))));
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      if (answer instanceof Answer.Refused(var _, String text)) {
        throw new IOException(text);
      }
      Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static void append(OutputStream out, byte[] bytes) {
    try {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
