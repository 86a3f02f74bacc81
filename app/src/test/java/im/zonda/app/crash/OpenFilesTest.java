package im.zonda.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A server whose operating system gives it no more files than a crowd of connections needs.
@EnabledOnOs({OS.LINUX, OS.MAC})
final class OpenFilesTest {
  private static final List<String> FEW_FILES =
      List.of("/bin/sh", "-c", "ulimit -n 256; exec \"$@\"", "sh");

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void aConnectionThatCannotBeAcceptedWaitsAndTheServerAcceptsAgain(@TempDir Path folder)
      throws Exception {
    Path errors = folder.resolve("errors");
    ServerProcess server =
        new ServerProcess(folder.resolve("data"), errors, 256, 2, id -> {}, FEW_FILES);
    List<Socket> crowd = new ArrayList<>();
    try {
      ScriptedClient before = server.login("u0@example.org/before");
      ping(before, "p1"); // loads the classes, which are files here
      for (int i = 0; i < 400; i++) {
        Socket socket = new Socket();
        crowd.add(socket);
        socket.connect(server.address(), 10_000);
      }
      Eventually.await("no file is left", () -> Files.readString(errors).contains("accept_failed"));
      ping(before, "p2");

      for (Socket socket : crowd) {
        socket.close();
      }
      ScriptedClient after = server.login("u1@example.org/after");
      after.send("<message to='u0@example.org/before' id='m'><body>there again</body></message>");
      before.receiveFirst(e -> "m".equals(e.attribute("id")));
      assertThat(Files.readString(errors).split("accept_failed", -1).length)
          .as("a pause after each failure")
          .isLessThan(100);
    } finally {
      for (Socket socket : crowd) {
        socket.close();
      }
      server.kill();
    }
  }

  private static void ping(ScriptedClient client, String id) throws IOException {
    client.send(
        "<iq type='get' id='" + id + "' to='example.org'><ping xmlns='urn:xmpp:ping'/></iq>");
    client.receiveFirst(e -> id.equals(e.attribute("id")));
  }
}
