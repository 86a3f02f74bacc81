package im.zonda.app.load;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The loads with stream management get along with a whole server and count rightly.
@Timeout(120)
class ManagedLoadTest {
  @ParameterizedTest
  @CsvSource({"tls, DIRECT_TLS, 1", "starttls, STARTTLS, 1", "tls, DIRECT_TLS, 3"})
  void chatIsDeliveredAndAcknowledged(String word, Login.Security security, int ask)
      throws IOException {
    String report =
        run(
            word,
            security,
            "chat",
            "--pairs",
            "4",
            "--rate",
            "200",
            "--ask",
            String.valueOf(ask),
            "--pid",
            pid());

    // How many are due within the second depends on the clock by one.
    assertThat(report).matches("(?s)sent (199|200|201) .*, delivered \\1: .*").contains("p99.9");
    if (ask == 1) {
      assertThat(report).matches("(?s)sent (\\d+) .* acknowledged \\1: .*");
    } else {
      assertThat(report).matches("(?s).* acknowledged 1\\d\\d: .*");
    }
    assertThat(report).doesNotContain("TOO HIGH").doesNotContain("NaN");
  }

  @Test
  void withoutStreamManagementNothingIsAcknowledged() throws IOException {
    assertThat(run("tls", Login.Security.DIRECT_TLS, "chat", "--sm", "off", "--rate", "100"))
        .containsPattern("delivered (99|100|101):")
        .contains("acknowledged 0:");
  }

  private static String run(String word, Login.Security security, String kind, String... options)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TestServer server = ServerPlan.of(StandardModules::create).startOnSockets();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      server.accounts(accounts());
      List<String> args = new ArrayList<>(List.of(kind, "--security", word));
      args.addAll(List.of("--host", server.address(security).getHostString()));
      args.addAll(List.of("--port", String.valueOf(server.address(security).getPort())));
      args.addAll(
          List.of(
              "--pairs", "2", "--rate", "200", "--seconds", "1", "--warmup", "0", "--rest", "0"));
      args.addAll(List.of(options));
      ManagedLoad.run(out, args.toArray(new String[0]));
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static List<String> accounts() {
    List<String> accounts = new ArrayList<>();
    for (String prefix : List.of("a", "b", "r", "s")) {
      for (int i = 0; i < 6; i++) {
        accounts.add(prefix + i + "@example.org");
      }
    }
    return accounts;
  }

  private static String pid() {
    return String.valueOf(ProcessHandle.current().pid());
  }
}
