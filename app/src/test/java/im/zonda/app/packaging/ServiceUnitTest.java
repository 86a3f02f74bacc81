package im.zonda.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The unit for systemd and the scripts of the package for Debian speak of the same user and paths.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ServiceUnitTest {
  private static final Path DEBIAN = Packaging.SCRIPTS.resolve("debian");

  private static String unit() throws IOException {
    return Files.readString(Path.of("src", "main", "dist", "zonda.service"));
  }

  private static String value(String text, String expression) {
    Matcher matcher = Pattern.compile(expression, Pattern.MULTILINE).matcher(text);
    assertThat(matcher.find()).as(expression).isTrue();
    return matcher.group(1);
  }

  @Test
  void theUnitFitsThePackage() throws IOException {
    String unit = unit();
    String user = value(unit, "^User=(.*)");
    String data = "/var/lib/" + value(unit, "^StateDirectory=(.*)");
    String cache = "/var/cache/" + value(unit, "^CacheDirectory=(.*)");
    String config = value(unit, " --config (\\S+)");
    assertThat(value(unit, "^ExecStart=(\\S+)")).isEqualTo("/opt/zonda/zonda");
    assertThat(value(unit, "^WorkingDirectory=(.*)")).isEqualTo(data);
    assertThat(value(unit, " --data (\\S+)")).isEqualTo(data);
    assertThat(value(unit, "^Environment=ZONDA_CACHE=(.*)")).isEqualTo(cache);

    String install = Files.readString(DEBIAN.resolve("postinst"));
    assertThat(install)
        .contains(
            "adduser --quiet --system --group --home " + data + " --no-create-home " + user + "\n",
            "chown " + user + ":" + user,
            "give 0700 " + data + "\n",
            "give 0755 " + cache + "\n",
            "give 0640 " + config + "\n");
    assertThat(Files.readString(DEBIAN.resolve("postrm"))).contains(cache + " " + data + " ");
    assertThat(Files.readString(DEBIAN.resolve("zonda")))
        .contains(":-" + config + "}", ":-" + cache + "}", "runuser -u " + user + " ");
    assertThat(Files.readString(DEBIAN.resolve("zonda.toml")))
        .contains("data = \"" + data + "\"\n");
    assertThat(Files.readString(Packaging.SCRIPTS.resolve("debian.sh")))
        .contains("\"$1/etc/zonda/zonda.toml\"", "echo " + config + " >\"$1/DEBIAN/conffiles\"");
  }

  /// The unit says `Type=notify`, and the server reports the states that systemd waits for.
  @Test
  void theServerReportsWhatTheUnitWaitsFor() throws IOException {
    assertThat(unit()).contains("\nType=notify\n", "\nExecReload=/bin/kill -HUP $MAINPID\n");
    String start = Files.readString(Path.of("src/main/java/im/zonda/app/Start.java"));
    assertThat(start).contains("State.READY", "State.STOPPING");
  }

  @Test
  void systemdReadsTheUnit() throws Exception {
    assumeTrue(Packaging.has("systemd-analyze"), "systemd-analyze is not installed");
    Packaging.Result result =
        Packaging.run(
            Map.of(),
            List.of(
                "systemd-analyze",
                "verify",
                "--man=no",
                Path.of("src", "main", "dist", "zonda.service").toAbsolutePath().toString()));
    assertThat(result.said().lines().filter(each -> each.contains("zonda.service")))
        .allMatch(each -> each.contains("/opt/zonda/zonda is not executable"), result.said());
  }

  /// The launcher and the scripts are POSIX shell without the mistakes that ShellCheck knows.
  @Test
  void theScriptsAreClean() throws Exception {
    assumeTrue(Packaging.has("shellcheck"), "shellcheck is not installed");
    List<String> command = new ArrayList<>(List.of("shellcheck", "-x", "-P", "."));
    command.add(Packaging.ROOT.resolve("zonda").toString());
    try (Stream<Path> files = Files.walk(Packaging.SCRIPTS)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        if (Files.readString(file).startsWith("#!/bin/sh\n")) {
          command.add(file.toString());
        }
      }
    }
    assertThat(command).hasSizeGreaterThan(8);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Process process = builder.directory(Packaging.ROOT.toFile()).start();
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEmpty();
    assertThat(process.waitFor()).isZero();
  }
}
