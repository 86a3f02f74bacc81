package im.zonda.study.load;

import im.zonda.study.statistics.Samples;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// The load of the document: threads of JMeter that each ask for the page, wait for a random time,
/// and ask again. JMeter runs in a process of its own, without the classes of this one.
///
/// @param java the program
/// @param libraries the jar that starts JMeter, and JMeter's own
/// @param folder for its files
public record JmeterLoad(Path java, List<Path> libraries, Path folder) {
  /// The threads of the document.
  public static final int THREADS = 48;

  private static final String MAIN = "im.zonda.study.jmeter.JmeterMain";

  /// Copies the list.
  public JmeterLoad {
    libraries = List.copyOf(libraries);
  }

  /// Runs it until each thread has made its part of the samples.
  ///
  /// @param samples how many in all; a multiple of [#THREADS]
  /// @param timer the longest random wait of a thread, in milliseconds
  /// @throws IOException if JMeter cannot run
  public PageLoad run(int port, String path, int samples, int timer) throws IOException {
    Path results = folder.resolve("samples.jtl");
    Files.deleteIfExists(results);
    Path log = folder.resolve("jmeter.log");
    String classes =
        libraries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    Process process =
        new ProcessBuilder(
                java.toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                // JMeter writes preferences of the user there.
                "-Duser.home=" + folder,
                "-cp",
                classes,
                MAIN,
                "http://127.0.0.1:" + port + path,
                Integer.toString(THREADS),
                Integer.toString(samples / THREADS),
                Integer.toString(timer),
                results.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    long most = TimeUnit.MILLISECONDS.toSeconds((long) timer * (samples / THREADS)) + 600;
    try {
      if (!process.waitFor(most, TimeUnit.SECONDS)) {
        throw new IOException("JMeter has not ended within " + most + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
    if (process.exitValue() != 0 || !Files.exists(results)) {
      throw new IOException("JMeter failed:\n" + Files.readString(log));
    }
    return parse(Files.readAllLines(results));
  }

  /// A line of JMeter's results.
  private record Line(long begin, long millis, boolean good) {}

  /// Reads JMeter's results: comma-separated values under a line of names.
  static PageLoad parse(List<String> lines) {
    List<String> names = List.of(lines.getFirst().split(",", -1));
    int time = names.indexOf("timeStamp");
    int elapsed = names.indexOf("elapsed");
    int code = names.indexOf("responseCode");
    List<Line> all = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] values = line.split(",", -1);
      all.add(
          new Line(
              Long.parseLong(values[time]),
              Long.parseLong(values[elapsed]),
              values[code].equals("200")));
    }
    all.sort(Comparator.comparingLong(Line::begin));
    double[] millis = all.stream().mapToDouble(Line::millis).toArray();
    int errors = (int) all.stream().filter(line -> !line.good()).count();
    long first = all.getFirst().begin();
    long last = all.stream().mapToLong(line -> line.begin() + line.millis()).max().orElse(first);
    return new PageLoad(new Samples(millis), errors, (last - first) / 1e3, Double.NaN);
  }
}
