package im.zonda.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Api;
import im.zonda.operation.Grant;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A stream of events ends with what its caller may.
@Timeout(60)
class EventStreamTest {
  /// The last chunk: the response ends in order.
  private static final String END = "\r\n0\r\n\r\n";

  private RunningApi api;

  @SuppressWarnings("NullAway.Init") // set before each test
  EventStreamTest() {}

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    api = new RunningApi(folder, new Api(List.of("127.0.0.1:0"), List.of(), List.of()));
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private Socket watch(String token) throws IOException {
    Socket socket = api.connect();
    String request =
        "GET /api/v1/probes/x/words HTTP/1.1\r\nHost: own.example\r\nAuthorization: Bearer "
            + token
            + "\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    assertThat(until(socket, "data: {\"words\":\"x\",\"note\":null}\n\n"))
        .contains("HTTP/1.1 200 ");
    return socket;
  }

  private static String until(Socket socket, String text) throws IOException {
    StringBuilder all = new StringBuilder();
    while (all.indexOf(text) < 0) {
      int next = socket.getInputStream().read();
      assertThat(next).as("closed after %s", all).isNotNegative();
      all.append((char) next);
      assertThat(all.toString().split("\n:\n", -1)).as("twenty seconds").hasSizeLessThan(4);
    }
    return all.toString();
  }

  @Test
  void itEndsWhenItsTokenIsRevoked() throws IOException {
    String revoked = api.token("revoked", Grant.ALL);
    String other = api.token("other", Grant.ALL);
    try (Socket ends = watch(revoked);
        Socket stays = watch(other)) {
      assertThat(api.tokens.revoke("revoked")).isTrue();
      until(ends, END);
      assertThat(api.tokens.revoke("other")).isTrue();
      until(stays, END);
    }
  }

  @Test
  void itEndsWhenItsTokenExpires() throws IOException {
    String brief =
        Objects.requireNonNull(
            api.tokens.create(
                "brief",
                new Grant(Role.OPERATOR, null, Set.of(Right.SERVER)),
                "test",
                api.clock.instant().plusSeconds(60)));
    try (Socket ends = watch(brief)) {
      api.clock.advance(Duration.ofSeconds(60));
      until(ends, END);
    }
  }
}
