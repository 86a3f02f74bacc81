package im.zonda.bench.command;

import im.zonda.bench.pages.Pages;
import im.zonda.bench.report.ReportFiles;
import im.zonda.bench.report.TrendPage;
import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Commands that make pages from the files of runs.
final class FileCommands {
  private FileCommands() {}

  /// Work with files of which an error is that of the user.
  interface Work {
    int run() throws IOException;
  }

  /// Runs a command; a wrong file ends it with a sentence instead of a stack trace.
  static int orExplain(CommandSpec spec, Work work) throws IOException {
    try {
      return work.run();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /// `zonda bench report`.
  @Command(name = "report", description = "Make the report of a run again, from its files.")
  static final class ReportCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
        paramLabel = "RUN",
        description = "The folder of a run, or its run.json. The report is written there.")
    private Path run;

    @SuppressWarnings("NullAway.Init") // picocli sets the fields
    ReportCommand() {}

    @Override
    public Integer call() throws IOException {
      return orExplain(
          spec,
          () -> {
            spec.commandLine().getOut().println("Report: " + ReportFiles.write(run));
            return 0;
          });
    }
  }

  /// `zonda bench trend`.
  @Command(name = "trend", description = "Draw the figures of many runs over time, in one page.")
  static final class TrendCommand implements Callable<Integer> {
    /// A page with more runs cannot be read.
    private static final int MOST = 1_000;

    private static final int DEPTH = 3;

    @Spec private CommandSpec spec;

    @Parameters(
        paramLabel = "DIR",
        description = "A folder of results, SCENARIO.json or folders of runs.")
    private Path folder;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        defaultValue = "trend.html",
        description = "The page (default: trend.html).")
    private Path out;

    @SuppressWarnings("NullAway.Init") // picocli sets the fields
    TrendCommand() {}

    @Override
    public Integer call() throws IOException {
      return orExplain(
          spec,
          () -> {
            List<Result> results = results();
            Files.writeString(out, TrendPage.html(results));
            spec.commandLine().getOut().println(results.size() + " runs: " + out);
            return 0;
          });
    }

    private List<Result> results() throws IOException {
      if (!Files.isDirectory(folder)) {
        throw new IllegalArgumentException(folder + " is no folder");
      }
      List<Path> files;
      try (Stream<Path> all = Files.walk(folder, DEPTH)) {
        files = all.filter(TrendCommand::isResult).sorted().limit(MOST + 1L).toList();
      }
      if (files.isEmpty() || files.size() > MOST) {
        throw new IllegalArgumentException(
            folder + (files.isEmpty() ? " holds no result" : " holds more than " + MOST));
      }
      List<Result> results = new ArrayList<>();
      for (Path file : files) {
        results.add(ResultJson.read(file));
      }
      return results;
    }

    /// Tables of earlier times are no results.
    private static boolean isResult(Path file) {
      return file.toString().endsWith(".json")
          && !file.toString().contains("earlier")
          && Files.isRegularFile(file);
    }
  }

  /// `zonda bench pages`.
  @Command(
      name = "pages",
      description =
          "Make docs/performance.md, measurements.md and then-and-now.md of a source tree from bench/results.")
  static final class PagesCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
        paramLabel = "TREE",
        arity = "0..1",
        defaultValue = ".",
        description = "The source tree (default: the current folder).")
    private Path tree;

    @SuppressWarnings("NullAway.Init") // picocli sets the fields
    PagesCommand() {}

    @Override
    public Integer call() throws IOException {
      return orExplain(
          spec,
          () -> {
            List<String> changed = Pages.write(tree);
            spec.commandLine()
                .getOut()
                .println(changed.isEmpty() ? "No page has changed." : String.join("\n", changed));
            return 0;
          });
    }
  }
}
