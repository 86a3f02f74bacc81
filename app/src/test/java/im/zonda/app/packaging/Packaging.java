package im.zonda.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The scripts of `zonda package` with folders of a test's own.
///
/// @param product the product that is packed
/// @param folder where packages are made, each call in a folder of its own
record Packaging(Path product, Path folder) {
  /// The source tree.
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /// The folder of the scripts.
  static final Path SCRIPTS = ROOT.resolve("packaging");

  /// The end of a process.
  ///
  /// @param said the output and the errors
  record Result(int code, String said) {}

  /// Makes packages, which must succeed.
  ///
  /// @param name the folder to make them in
  /// @return the folder
  Path make(String name, String... kinds) throws IOException, InterruptedException {
    Result result = tryToMake(name, kinds);
    assertThat(result.code()).as(result.said()).isZero();
    return folder.resolve(name);
  }

  /// Makes packages, or fails.
  Result tryToMake(String name, String... kinds) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                SCRIPTS.resolve("package").toString(),
                product.toString(),
                System.getProperty("java.home")));
    command.addAll(List.of(kinds));
    return run(
        Map.of(
            "ZONDA_PACKAGING",
            folder.resolve(name + "-work").toString(),
            "ZONDA_PACKAGES",
            folder.resolve(name).toString()),
        command);
  }

  /// Runs a program.
  ///
  /// @param variables in addition to those of this process
  static Result run(Map<String, String> variables, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(variables);
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), said);
  }

  /// Whether this machine has a program.
  static boolean has(String program) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
  }

  /// Asserts that two folders have the same files, byte for byte.
  static void assertSame(Path one, Path other) throws IOException {
    List<String> names = names(one);
    assertThat(names(other)).isEqualTo(names).isNotEmpty();
    for (String name : names) {
      assertThat(Files.mismatch(one.resolve(name), other.resolve(name))).as(name).isEqualTo(-1);
    }
  }

  /// The files of a folder, in order.
  static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(each -> String.valueOf(each.getFileName())).sorted().toList();
    }
  }

  /// The one file of a folder whose name ends so.
  static Path file(Path folder, String ending) throws IOException {
    List<String> fitting = names(folder).stream().filter(each -> each.endsWith(ending)).toList();
    assertThat(fitting).as("files with " + ending).hasSize(1);
    return folder.resolve(fitting.getFirst());
  }

  /// The lines that a listing of an archive has.
  static List<String> listed(Path archive) throws IOException, InterruptedException {
    Result result =
        run(
            Map.of("TZ", "UTC"),
            List.of("tar", "--full-time", "--numeric-owner", "-tvf", archive.toString()));
    assertThat(result.code()).as(result.said()).isZero();
    return result.said().lines().toList();
  }
}
