package im.zonda.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Running out of heap ends the process with the product's options, on whatever thread.
final class OutOfMemoryTest {
  private static final Path OPTIONS = Path.of("src", "main", "dist", "jvm.options");

  @ParameterizedTest
  @ValueSource(strings = {"loop", "virtual"})
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void theProcessEndsAndSaysWhy(String thread) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + OPTIONS.toAbsolutePath(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                HungryProcess.class.getName(),
                thread)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(3);
    assertThat(output).contains("Terminating due to java.lang.OutOfMemoryError: Java heap space");
  }
}
