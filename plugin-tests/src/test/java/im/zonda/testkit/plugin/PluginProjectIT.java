package im.zonda.testkit.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What an author of a plugin does: `zonda plugin new`, and `mvn verify` in the new folder, without
/// a network. The product must be packed.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PluginProjectIT {
  private static final Path PRODUCT = Path.of("../app/target/zonda").toAbsolutePath().normalize();

  @TempDir private Path folder;

  @Test
  void aNewProjectBuildsAtTheFirstTry() throws Exception {
    run(folder, PRODUCT.resolve("zonda").toString(), "plugin", "new", "greeter");
    Path project = folder.resolve("greeter");
    Path maven = Path.of(Objects.requireNonNull(System.getProperty("maven.home")), "bin/mvn");
    String said =
        run(
            project,
            maven.toString(),
            "-o",
            "-B",
            "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
            "verify");
    assertThat(said).contains("Tests run: 3, Failures: 0, Errors: 0, Skipped: 0");
    assertThat(project.resolve("target/greeter.jar")).isRegularFile();
  }

  /// Runs a command; fails if it fails.
  ///
  /// @return what it has said
  private String run(Path where, String... command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      int code = process.waitFor();
      String said = Files.readString(output);
      assertThat(code).as(said).isZero();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }
}
