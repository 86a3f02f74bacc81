package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// HTTP/2: what works.
@Timeout(60)
class Http2Test extends Http2Routes {
  @Test
  void theSameRoutesAreServed() throws Exception {
    try (HttpClient client = client()) {
      var hello = client.send(to("/hello").build(), BodyHandlers.ofString());
      assertThat(hello.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(hello.statusCode()).isEqualTo(200);
      assertThat(hello.body()).isEqualTo("hello of example.org\n");
      assertThat(hello.headers().firstValue("x-content-type-options")).contains("nosniff");
      assertThat(hello.headers().firstValue("content-length")).contains("21");
      assertThat(hello.headers().firstValue("date")).isPresent();
      assertThat(client.send(to("/none").build(), BodyHandlers.ofString()).statusCode())
          .isEqualTo(404);
      var head = client.send(to("/hello").HEAD().build(), BodyHandlers.ofString());
      assertThat(head.headers().firstValue("content-length")).contains("21");
      assertThat(head.body()).isEmpty();
      assertThat(client.send(to("/xmpp-websocket").build(), BodyHandlers.ofString()).statusCode())
          .isEqualTo(426);
    }
  }

  @Test
  void bodiesAreStreamedInBothDirections() throws Exception {
    try (HttpClient client = client()) {
      byte[] large = new byte[3_000_000];
      var counted =
          client.send(
              to("/count").POST(BodyPublishers.ofByteArray(large)).build(),
              BodyHandlers.ofString());
      assertThat(counted.body()).isEqualTo("bytes: 3000000\n");
      var unknown =
          client.send(
              to("/count")
                  .POST(BodyPublishers.ofInputStream(() -> InputStream.nullInputStream()))
                  .build(),
              BodyHandlers.ofString());
      assertThat(unknown.body()).isEqualTo("bytes: 0\n");
      var expecting =
          client.send(
              to("/count").POST(BodyPublishers.ofByteArray(large)).expectContinue(true).build(),
              BodyHandlers.ofString());
      assertThat(expecting.body()).isEqualTo("bytes: 3000000\n");
      var file = client.send(to("/file").build(), BodyHandlers.ofByteArray());
      assertThat(file.body()).hasSize(FILE_BYTES - 100);
    }
  }

  @Test
  void requestsOfOneConnectionAreAnsweredAtOnce() throws Exception {
    try (HttpClient client = client()) {
      client.send(to("/hello").build(), BodyHandlers.ofString()); // the connection is there
      List<CompletableFuture<?>> waiting = new ArrayList<>();
      for (int i = 0; i < STREAMS - 1; i++) {
        waiting.add(client.sendAsync(to("/wait").build(), BodyHandlers.ofString()));
      }
      assertThat(client.send(to("/hello").build(), BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
      released.countDown();
      CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void clientsWithoutHttp2AreServedByHttp1() throws Exception {
    for (String[] offered : new String[][] {{}, {"http/1.1"}}) {
      try (SSLSocket socket = TrustAll.connect(server.tls, offered)) {
        assertThat(socket.getApplicationProtocol()).isEqualTo(String.join("", offered));
        socket
            .getOutputStream()
            .write(
                "GET /hello HTTP/1.1\r\nHost: b.example\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(TestHttpServer.rest(socket.getInputStream())).endsWith("of b.example\n");
      }
    }
  }

  @Test
  void cookiesAreJoined() throws Exception {
    try (RawHttp2 client = raw()) {
      client.send(
          RawHttp2.HEADERS,
          RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
          1,
          RawHttp2.request("GET", "/cookie", "cookie", "a=b", "cookie", "c=d"));
      assertThat(client.status(1)).isEqualTo("200");
      RawHttp2.Frame body = Objects.requireNonNull(client.next(RawHttp2.DATA));
      assertThat(new String(body.payload(), StandardCharsets.US_ASCII)).isEqualTo("[a=b; c=d]\n");
    }
  }

  /// A client that sends more than the handler reads is held back within the window.
  @Test
  void aBodyThatIsNotReadIsNotBuffered() throws Exception {
    try (RawHttp2 client = raw()) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.request("POST", "/slow"));
      byte[] part = new byte[16_383];
      for (int i = 0; i < 4; i++) {
        client.send(RawHttp2.DATA, 0, 1, part);
      }
      client.send(RawHttp2.PING, 0, 0, new byte[8]);
      List<Integer> types = new ArrayList<>();
      RawHttp2.Frame frame = client.next();
      while (frame != null && frame.type() != RawHttp2.PING) {
        types.add(frame.type());
        frame = client.next();
      }
      assertThat(types).doesNotContain(RawHttp2.WINDOW_UPDATE);
      released.countDown();
      assertThat(client.next(RawHttp2.WINDOW_UPDATE)).isNotNull();
      client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, part);
      assertThat(client.status(1)).isEqualTo("200");
      assertThat(received.get()).isEqualTo(5L * part.length);
    }
  }

  @Test
  void anIdleConnectionIsClosed() throws Exception {
    try (RawHttp2 client = raw()) {
      client.get(1, "/hello");
      assertThat(client.status(1)).isEqualTo("200");
      RawHttp2.Frame end = Objects.requireNonNull(client.next(RawHttp2.GOAWAY));
      assertThat(end.error()).isZero();
      assertThat(client.next(-1)).isNull();
    }
  }
}
