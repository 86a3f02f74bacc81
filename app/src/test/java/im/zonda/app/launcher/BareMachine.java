package im.zonda.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A folder with the launcher, whose processes see the usual tools of a system and no JDK, no
/// Maven, no npm and no package manager.
final class BareMachine {
  private static final List<String> TOOLS =
      List.of(
          "awk",
          "basename",
          "cat",
          "chmod",
          "cksum",
          "cp",
          "curl",
          "cut",
          "dirname",
          "env",
          "find",
          "grep",
          "gzip",
          "head",
          "id",
          "ls",
          "mkdir",
          "mktemp",
          "mv",
          "nice",
          "readlink",
          "rm",
          "sed",
          "sh",
          "sha256sum",
          "sleep",
          "sort",
          "tar",
          "tee",
          "tr",
          "uname",
          "xargs");

  private final Path folder;
  private final Path bin;
  private final String service;
  private final Map<String, String> variables = new HashMap<>();

  /// @param folder an empty folder
  /// @param service the address of the service for downloads
  BareMachine(Path folder, String service) throws IOException {
    this.folder = folder;
    this.service = service;
    bin = Files.createDirectory(folder.resolve("bin"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(bin.resolve(tool), installed(tool));
    }
    Files.createDirectories(root());
    Files.copy(Path.of("..", "zonda"), launcher());
  }

  private static Path installed(String tool) {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .map(each -> Path.of(each, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("this machine lacks " + tool));
  }

  /// The folder of the launcher.
  Path root() {
    return folder.resolve("zonda");
  }

  /// The launcher.
  Path launcher() {
    return root().resolve("zonda");
  }

  /// Sets a value at the head of the launcher.
  void setValue(String name, String value) throws IOException {
    String script = Files.readString(launcher());
    assertThat(script).contains("\n" + name + "=");
    Files.writeString(launcher(), script.replaceFirst("(?m)^" + name + "=.*$", name + "=" + value));
  }

  /// Sets a variable of the environment.
  void setVariable(String name, String value) {
    variables.put(name, value);
  }

  /// Installs a program on this machine.
  void install(String name, String script) throws IOException {
    write(bin.resolve(name), "#!/bin/sh\n" + script);
  }

  /// Removes a tool from this machine.
  void remove(String name) throws IOException {
    Files.delete(bin.resolve(name));
  }

  /// Files of the launcher's folder, without folders and in order.
  List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(root())) {
      return all.filter(Files::isRegularFile)
          .map(file -> root().relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  /// An archive with one folder.
  ///
  /// @param programs the text of each program by its path
  byte[] archive(Map<String, String> programs) throws Exception {
    Path content = Files.createTempDirectory(folder, "archive");
    for (Map.Entry<String, String> program : programs.entrySet()) {
      write(content.resolve(program.getKey()), program.getValue());
    }
    Path file = Files.createTempFile(folder, "archive", ".tar.gz");
    String top = programs.keySet().iterator().next().split("/", -1)[0];
    new ProcessBuilder("tar", "-czf", file.toString(), "-C", content.toString(), top)
        .start()
        .waitFor();
    return Files.readAllBytes(file);
  }

  /// Writes a file that can be executed, with its folders.
  static void write(Path file, String text) throws IOException {
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /// What a process printed.
  ///
  /// @param said the output and the errors, as they came
  record Result(int code, String said) {}

  /// Runs the launcher.
  Result run(String... arguments) throws IOException, InterruptedException {
    Process process = start(arguments);
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), said);
  }

  /// Starts the launcher. Its output has the errors, too.
  Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/sh", launcher().toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.put("PATH", bin.toString());
    environment.put("HOME", folder.toString());
    environment.put("ZONDA_SYSTEM", folder.resolve("system").toString());
    environment.put("ZONDA_JDK_SERVICE", service);
    environment.put("ZONDA_MAVEN_SERVICE", service + "/maven");
    environment.putAll(variables);
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
