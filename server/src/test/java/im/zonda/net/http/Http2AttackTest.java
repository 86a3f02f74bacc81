package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Attacks by HTTP/2.
@Timeout(60)
class Http2AttackTest extends Http2Routes {
  private static final String[] GOOD = {
    ":method", "GET", ":scheme", "https", ":authority", "example.org", ":path", "/hello"
  };

  private String answerTo(byte[] header, boolean ends) throws Exception {
    try (RawHttp2 client = raw()) {
      client.send(
          RawHttp2.HEADERS, RawHttp2.END_HEADERS | (ends ? RawHttp2.END_STREAM : 0), 1, header);
      return client.status(1);
    }
  }

  /// Streams that are reset count until their handlers have ended, and a client that goes on is
  /// disconnected.
  @Test
  void row120_rapidResetStartsNoMoreThanTheLimit() throws Exception {
    try (RawHttp2 client = raw()) {
      for (int i = 0; i < 400; i++) {
        int stream = 2 * i + 1;
        byte[] both =
            concat(
                RawHttp2.frame(
                    RawHttp2.HEADERS,
                    RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                    stream,
                    RawHttp2.request("GET", "/wait")),
                RawHttp2.frame(RawHttp2.RESET, 0, stream, RawHttp2.bytes(0, 0, 0, 8)));
        client.sendOften(both, 1);
      }
      RawHttp2.Frame end = client.next(RawHttp2.GOAWAY);
      assertThat(end == null || end.error() == 11).isTrue(); // ENHANCE_YOUR_CALM
      assertThat(entered.get()).isLessThanOrEqualTo(STREAMS);
    }
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] all = java.util.Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  @Test
  void row121_aHeaderWithoutEndIsEnded() throws Exception {
    try (RawHttp2 client = raw()) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.request("GET", "/hello"));
      byte[] small = RawHttp2.frame(RawHttp2.CONTINUATION, 0, 1, RawHttp2.fields("a", "b"));
      client.sendOften(small, 2_000);
      RawHttp2.Frame end = client.next(RawHttp2.GOAWAY);
      assertThat(end == null || end.error() != 0).isTrue();
      assertThat(client.next(-1)).isNull();
    }
    try (RawHttp2 client = raw()) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.request("GET", "/hello"));
      byte[] large =
          RawHttp2.frame(RawHttp2.CONTINUATION, 0, 1, RawHttp2.fields("a", "b".repeat(16_000)));
      client.sendOften(large, 100);
      assertThat(client.next(-1)).isNull();
    }
    assertThat(entered.get()).isZero();
  }

  @Test
  void row122_floodsOfFramesThatCarryNothingEndTheConnection() throws Exception {
    byte[][] floods = {
      RawHttp2.frame(RawHttp2.PING, 0, 0, new byte[8]),
      RawHttp2.frame(RawHttp2.SETTINGS, 0, 0, RawHttp2.setting(INITIAL_WINDOW_SIZE, 65_535)),
      RawHttp2.frame(2, 0, 1, RawHttp2.bytes(0, 0, 0, 3, 16)), // PRIORITY
      RawHttp2.frame(RawHttp2.WINDOW_UPDATE, 0, 0, RawHttp2.bytes(0, 0, 0, 1)),
      RawHttp2.frame(200, 0, 0, RawHttp2.bytes(1, 2, 3)), // an unknown type
    };
    for (byte[] flood : floods) {
      try (RawHttp2 client = raw()) {
        client.get(1, "/wait");
        client.sendOften(flood, 2 * FrameGuard.FIRST_FRAMES);
        RawHttp2.Frame end = client.next(RawHttp2.GOAWAY);
        assertThat(end == null ? 11 : end.error()).as("type " + flood[3]).isEqualTo(11);
        assertThat(client.next(-1)).isNull();
      }
    }
  }

  @Test
  void row122_aFewOfThemAreAllowed() throws Exception {
    try (RawHttp2 client = raw()) {
      client.get(1, "/wait");
      client.sendOften(RawHttp2.frame(RawHttp2.PING, 0, 0, new byte[8]), 500);
      client.get(3, "/hello");
      assertThat(client.status(3)).isEqualTo("200");
    }
  }

  @Test
  void row123_headersThatAreTooLargeAreRejected() throws Exception {
    assertThat(answerTo(RawHttp2.request("GET", "/hello", "x", "a".repeat(4_096)), true))
        .isEqualTo("431");
    String[] many = new String[2 * 40];
    for (int i = 0; i < many.length; i++) {
      many[i] = i % 2 == 0 ? "x" + i : "a";
    }
    assertThat(answerTo(RawHttp2.request("GET", "/hello", many), true)).isEqualTo("431");
    assertThat(entered.get()).isZero();
  }

  /// HPACK: one entry of the table that is named a thousand times.
  @Test
  void row123_aHeaderThatGrowsWhenItIsReadIsRejected() throws Exception {
    byte[] start = RawHttp2.request("GET", "/hello");
    byte[] entry = RawHttp2.fields("x", "a".repeat(3_000));
    entry[0] = 0x40; // with the table
    byte[] bomb =
        java.util.Arrays.copyOf(concat(start, entry), start.length + entry.length + 2_000);
    java.util.Arrays.fill(bomb, start.length + entry.length, bomb.length, (byte) (0x80 | 62));
    assertThat(answerTo(bomb, true)).isIn("431", "closed");
    assertThat(entered.get()).isZero();
  }

  @Test
  void row124_aClientThatGivesNoWindowIsReset() throws Exception {
    try (RawHttp2 client = raw(RawHttp2.setting(INITIAL_WINDOW_SIZE, 0))) {
      for (int i = 0; i < STREAMS; i++) {
        client.get(2 * i + 1, "/file");
      }
      for (int i = 0; i < STREAMS; i++) {
        assertThat(client.next(RawHttp2.RESET)).isNotNull();
      }
      assertThat(client.next(RawHttp2.GOAWAY)).isNotNull(); // idle
    }
  }

  @Test
  void row124_aClientThatSendsNoBodyIsAnswered() throws Exception {
    try (RawHttp2 client = raw()) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.request("POST", "/count"));
      assertThat(client.status(1)).isEqualTo("408");
      RawHttp2.Frame end = Objects.requireNonNull(client.next(RawHttp2.RESET));
      assertThat(end.number()).isZero(); // NO_ERROR: the answer is complete
    }
  }

  @Test
  void row125_moreStreamsThanAllowedAreRefused() throws Exception {
    try (RawHttp2 client = raw()) {
      RawHttp2.Frame settings = Objects.requireNonNull(client.next(RawHttp2.SETTINGS));
      assertThat(java.util.HexFormat.of().formatHex(settings.payload()))
          .contains("%04x%08x".formatted(MAX_CONCURRENT_STREAMS, STREAMS));
      for (int i = 0; i <= STREAMS; i++) {
        client.get(2 * i + 1, "/wait");
      }
      assertThat(client.status(2 * STREAMS + 1)).isEqualTo("reset 7"); // REFUSED_STREAM
      released.countDown();
      assertThat(client.status(1)).isEqualTo("204");
    }
  }

  /// What would be another request after its translation to HTTP/1.1.
  private static List<byte[]> headersThatAreNone() {
    List<byte[]> bad = new ArrayList<>();
    for (String[] more :
        new String[][] {
          {"connection", "close"},
          {"transfer-encoding", "chunked"},
          {"upgrade", "websocket"},
          {"keep-alive", "1"},
          {"proxy-connection", "x"},
          {"te", "gzip"},
          {":path", "/other"},
          {":method", "POST"},
          {":authority", "b.example"},
          {":status", "200"},
          {":protocol", "websocket"},
          {":other", "x"},
          {"host", "b.example"},
          {"Upper", "x"},
          {"x y", "x"},
          {"x:y", "x"},
          {"", "x"},
          {"x", "a\r\nb: c"},
          {"x", "a\0b"},
          {"x", " a"},
          {"content-length", "5"},
          {"content-length", "-1"},
        }) {
      bad.add(concat(RawHttp2.fields(GOOD), RawHttp2.fields(more)));
    }
    bad.addAll(incompleteHeaders());
    bad.add(concat(RawHttp2.fields("x", "y"), RawHttp2.fields(GOOD)));
    return bad;
  }

  private static List<byte[]> incompleteHeaders() {
    List<byte[]> bad = new ArrayList<>();
    bad.add(RawHttp2.fields(":method", "GET", ":scheme", "https", ":authority", "example.org"));
    bad.add(RawHttp2.fields(":method", "GET", ":path", "/hello", ":authority", "example.org"));
    bad.add(RawHttp2.fields(":scheme", "https", ":path", "/hello", ":authority", "example.org"));
    for (String path : List.of("", "hello", "https://b.example/hello", "*")) {
      bad.add(
          RawHttp2.fields(
              ":method", "GET", ":scheme", "https", ":authority", "example.org", ":path", path));
    }
    bad.add(
        RawHttp2.fields(
            ":method",
            "GET /x HTTP/1.1\r\n",
            ":scheme",
            "https",
            ":authority",
            "example.org",
            ":path",
            "/hello"));
    bad.add(
        RawHttp2.fields(
            ":method", "GET", ":scheme", "http", ":authority", "example.org", ":path", "/hello"));
    return bad;
  }

  @Test
  void row126_requestsThatAreNoneAreReset() throws Exception {
    assertThat(answerTo(RawHttp2.fields(GOOD), true)).isEqualTo("200");
    int before = entered.get();
    for (byte[] header : headersThatAreNone()) {
      assertThat(answerTo(header, true))
          .as(new String(header, StandardCharsets.ISO_8859_1))
          .isIn("reset 1", "closed", "400");
    }
    assertThat(entered.get()).isEqualTo(before);
  }

  @Test
  void row126_pathsAndHostsAreCheckedAsByHttp1() throws Exception {
    for (String path : List.of("/a/../hello", "/%2e%2e/hello", "//hello", "/a%2fb", "/a\\b")) {
      assertThat(answerTo(RawHttp2.request("GET", path), true)).as(path).isEqualTo("400");
    }
    String[] other = {":method", "GET", ":scheme", "https", ":path", "/hello", ":authority", null};
    for (String host : List.of("c.example", "user@example.org", "example.org:x", "")) {
      other[7] = host;
      assertThat(answerTo(RawHttp2.fields(other), true)).as(host).isIn("421", "400", "reset 1");
    }
    assertThat(
            answerTo(RawHttp2.fields(":method", "CONNECT", ":authority", "example.org:80"), true))
        .isEqualTo("501");
    assertThat(answerTo(RawHttp2.request("TRACE", "/hello"), true)).isEqualTo("501");
  }

  /// A body that is longer or shorter than announced never reaches the end of the handler.
  @Test
  void row127_aLengthThatLiesIsAnError() throws Exception {
    for (int sent : new int[] {3, 9}) {
      try (RawHttp2 client = raw()) {
        client.send(
            RawHttp2.HEADERS,
            RawHttp2.END_HEADERS,
            1,
            RawHttp2.request("POST", "/count", "content-length", "5"));
        client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[sent]);
        assertThat(client.status(1)).as(sent + " bytes").isEqualTo("reset 1");
      }
    }
  }

  @Test
  void row127_trailersMayNotContinueTheHeader() throws Exception {
    for (String name : List.of(":path", "transfer-encoding")) {
      try (RawHttp2 client = raw()) {
        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.request("POST", "/count"));
        client.send(RawHttp2.DATA, 0, 1, new byte[5]);
        client.send(
            RawHttp2.HEADERS,
            RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
            1,
            RawHttp2.fields(name, "x"));
        assertThat(client.status(1)).as(name).isIn("reset 1", "closed");
      }
    }
  }

  @Test
  void row128_clientsThatSendNothingAreDisconnected() throws Exception {
    try (RawHttp2 silent = raw();
        SSLSocket bare = TrustAll.connect(server.tls, "h2")) {
      assertThat(silent.next(-1)).isNull();
      assertThat(bare.getInputStream().readAllBytes()).isNotNull();
    }
  }
}
