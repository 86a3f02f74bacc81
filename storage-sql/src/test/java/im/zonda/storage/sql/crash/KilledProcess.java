package im.zonda.storage.sql.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// A process that works on a data folder and reports what it has done, until it is killed.
///
/// @param main what it runs; its arguments are the folder and the round
/// @param folder the data folder
record KilledProcess(Class<?> main, Path folder) {
  /// Starts the process, reads its reports, and kills it at the first for which `last` holds. What
  /// it had written until it was dead is read too.
  ///
  /// @param report is given the words of each complete line; a complete line ends with a dot
  void run(int round, Consumer<List<String>> report, Predicate<String> last)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData", // its file is memory that is mapped
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                folder.toString(),
                Integer.toString(round))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    boolean killed = false;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        // The last line may be cut off by the kill.
        if (line.endsWith(" .")) {
          report.accept(List.of(line.split(" ", -1)));
        }
        if (!killed && last.test(line)) {
          killed = true;
          process.toHandle().destroyForcibly(); // kill -9 of our own child, its output left open
        }
      }
      assertThat(killed).as("killed by us").isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
