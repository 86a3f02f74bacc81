package im.zonda.app.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import im.zonda.app.StandardModules;
import im.zonda.bench.room.RoomLoad;
import im.zonda.config.ServerConfig;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The loads of people in rooms get along with a whole server and count every copy.
@Timeout(120)
class RoomLoadTest {
  private static final String[] SMALL = {
    "--sessions",
    "40",
    "--rooms",
    "5",
    "--largest",
    "15",
    "--copies",
    "400",
    "--seconds",
    "1",
    "--warmup",
    "0",
    "--sources",
    "1"
  };

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  @Test
  void everyCopyOfWhatIsSaidInRoomsIsCounted(@TempDir Path folder) throws IOException {
    Path seconds = folder.resolve("seconds.tsv");

    String report = onSockets("chat", "--out", seconds.toString());

    assertThat(report).startsWith("40 people in 5 rooms: largest 15");
    assertThat(report).containsPattern("messages, ([1-9]\\d*) copies of \\1 that were expected");
    assertThat(report).doesNotContain("failures").doesNotContain("NaN");
    assertThat(Files.readAllLines(seconds).size()).isGreaterThan(1);
  }

  @Test
  void manyEnterOneRoomWhileOthersTalk() throws IOException {
    String report = onSockets("storm", "--joiners", "20");

    // Each of the 20 gets what the others before it, and after it, say of themselves, and its own.
    assertThat(report).contains("enter one room: 20 in").contains("to them: 400 (20 each)");
    assertThat(report).containsPattern("others before: [1-9]").containsPattern("after: +[1-9]");
    assertThat(report).doesNotContain("failures");
  }

  @Test
  void peopleComeAndGoInFullRooms() throws IOException {
    String report = onSockets("joins", "--joiners", "2", "--rounds", "2");

    assertThat(report).containsPattern("full rooms of \\d+ to 17: 20 times, entering \\d");
    assertThat(report).doesNotContain("failures");
  }

  @Test
  void withoutSocketsEveryCopyIsCountedToo() throws IOException {
    RoomsInMemory.run(out, SMALL);

    assertThat(text()).containsPattern("messages, ([1-9]\\d*) copies of \\1 that were expected");
    assertThat(text()).contains("one occupant: ").doesNotContain("failures");
  }

  @Test
  void accountsAreMadeOnce(@TempDir Path folder) throws IOException {
    LoadAccounts.make(folder, "example.org", "s", 3, out);
    LoadAccounts.make(folder, "example.org", "s", 5, out);

    assertThat(text()).isEqualToNormalizingNewlines("added 3 of 3\nadded 2 of 5\n");
    ServerPlan plan = ServerPlan.of(StandardModules::create).withData(folder);
    try (TestServer server = plan.startInMemory()) {
      assertThat(
              server
                  .login(Login.of("s4@example.org/a", "secret").withSecurity(Login.Security.NONE))
                  .jid())
          .isEqualTo("s4@example.org/a");
    }
  }

  @Test
  void wrongArguments() {
    assertThatIllegalArgumentException().isThrownBy(() -> RoomLoad.run(out, "dance"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoomLoad.run(out, "chat", "--rooms", "some"))
        .withMessageContaining("--joiners");
  }

  private String onSockets(String kind, String... more) throws IOException {
    ServerPlan plan =
        ServerPlan.of(StandardModules::create)
            .with("c2s.plaintext", ServerConfig.Plaintext.LOOPBACK);
    try (TestServer server = plan.startOnSockets()) {
      server.accounts(IntStream.range(0, 80).mapToObj(i -> "s" + i + "@example.org").toList());
      List<String> arguments = new ArrayList<>(List.of(kind));
      arguments.addAll(List.of(SMALL));
      arguments.addAll(List.of(more));
      arguments.addAll(
          List.of(
              "--host",
              server.address(Login.Security.STARTTLS).getHostString(),
              "--port",
              String.valueOf(server.address(Login.Security.STARTTLS).getPort()),
              "--pid",
              String.valueOf(ProcessHandle.current().pid())));
      RoomLoad.run(out, arguments.toArray(new String[0]));
      return text();
    }
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
