package im.zonda.bench.profile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Commands to a virtual machine of Java, by the program `jcmd` of the JDK.
///
/// @param pid the number of its process
record Jcmd(long pid) {
  private static final long SECONDS = 60;

  /// Checks the process first: the signal of jcmd would end any other program.
  ///
  /// @throws IOException if it is no virtual machine of Java
  static Jcmd of(long pid) throws IOException {
    Path maps = Path.of("/proc", Long.toString(pid), "maps");
    if (!Files.exists(maps)
        || Files.readString(maps, StandardCharsets.ISO_8859_1).indexOf("/libjvm.so") < 0) {
      throw new IOException("process " + pid + " is no virtual machine of Java: it has no profile");
    }
    return new Jcmd(pid);
  }

  /// Runs a command.
  ///
  /// @return what it has said
  /// @throws IOException if it fails, or does not end within a minute
  String run(String... words) throws IOException {
    Path program = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(program)) {
      throw new IOException(program + " is missing: a profile needs a whole JDK");
    }
    List<String> command = new ArrayList<>(List.of(program.toString(), Long.toString(pid)));
    command.addAll(List.of(words));
    Path said = Files.createTempFile("zonda-jcmd-", ".out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("jcmd " + words[0] + " has not ended after " + SECONDS + " s");
      }
      String text = Files.readString(said, StandardCharsets.ISO_8859_1);
      if (process.exitValue() != 0) {
        throw new IOException("jcmd " + words[0] + " has failed: " + text.strip());
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while jcmd was waited for", e);
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(said);
    }
  }
}
