package im.zonda.bench.run;

import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/// The files of a run in its folder.
final class RunFiles {
  private RunFiles() {}

  /// Writes `run.json`, `latency.hlog`, `seconds.tsv`, and `gc.log` if there is one.
  static void write(Path folder, Result result, Measurements measurements, @Nullable Path gcLog)
      throws IOException {
    Files.createDirectories(folder);
    ResultJson.write(folder.resolve(ResultJson.FILE), result);
    Files.writeString(folder.resolve("seconds.tsv"), SeriesOfRun.table(result.series()));
    log(folder.resolve("latency.hlog"), result, measurements.seconds());
    if (gcLog != null && Files.exists(gcLog)) {
      Files.copy(gcLog, folder.resolve("gc.log"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /// An interval log of HdrHistogram, version 1.3, with the tag of each histogram; microseconds.
  private static void log(Path file, Result result, List<Measurements.Second> seconds)
      throws IOException {
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputComment("[Times in microseconds; the largest value of a line in milliseconds]");
      log.outputLogFormatVersion();
      log.outputStartTime(result.run().started().toEpochMilli());
      log.setBaseTime(result.run().started().toEpochMilli());
      log.outputLegend();
      for (int i = 0; i < seconds.size(); i++) {
        Measurements.Second second = seconds.get(i);
        for (String tag : second.latencies().keySet()) {
          Histogram histogram = second.histogram(tag);
          histogram.setTag(tag);
          log.outputIntervalHistogram(i, i + 1.0, histogram, 1e3);
        }
      }
    }
  }
}
