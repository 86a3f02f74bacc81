package im.zonda.cluster.infinispan;

import im.zonda.cluster.Member;
import java.io.IOException;
import java.nio.file.Path;

/// An engine in a process of its own. In the process of the test nothing dies as by a kill: threads
/// go on and connect to the others while their channel is being closed.
final class EngineProcess implements AutoCloseable {
  private final Process process;

  EngineProcess(Member self, int host, int nodes, int port) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                EngineProcess.class.getName(),
                self.name(),
                Long.toString(self.incarnation()),
                Integer.toString(host),
                Integer.toString(nodes),
                Integer.toString(port))
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
  }

  /// Runs until it is killed, or until the test's process has ended.
  public static void main(String[] args) throws IOException {
    Member self = new Member(args[0], Long.parseLong(args[1]));
    EngineSettings settings =
        TestEngine.settings(
            Integer.parseInt(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4]), null);
    try (TestEngine _ = new TestEngine(self, settings).start()) {
      while (System.in.read() >= 0) {
        // Nothing is written to it.
      }
    }
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
