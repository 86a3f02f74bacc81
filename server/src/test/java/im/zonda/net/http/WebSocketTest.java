package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.HttpLimits;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Raw WebSockets: the handshake, and what a client of RFC 7395 may not do.
@Timeout(60)
class WebSocketTest {
  private static final String FIELDS =
      """
      Host: example.org\r
      Upgrade: websocket\r
      Connection: keep-alive, Upgrade\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      Sec-WebSocket-Protocol: other, xmpp\r
      """;
  private static final String OPEN =
      "<open xmlns='urn:ietf:params:xml:ns:xmpp-framing' to='example.org' version='1.0'/>";
  private static final String CLOSE = "<close xmlns='urn:ietf:params:xml:ns:xmpp-framing'/>";

  @TempDir private Path folder;
  private TestHttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = new TestHttpServer(folder, HttpLimits.DEFAULTS, List.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String handshake(String fields) throws IOException {
    try (Socket socket = server.connect()) {
      send(
          socket,
          ("GET /xmpp-websocket HTTP/1.1\r\n" + fields + "\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      return TestHttpServer.until(socket.getInputStream(), "\r\n\r\n");
    }
  }

  /// On a connection from before that has carried requests and answers.
  @Test
  void aNodeThatIsDrainedOpensNoWebSockets() throws IOException {
    String request = "GET /xmpp-websocket HTTP/1.1\r\n" + FIELDS + "\r\n";
    String other = "GET /none HTTP/1.1\r\nHost: example.org\r\n\r\n";
    try (Socket drained = server.connect();
        Socket later = server.connect()) {
      for (Socket each : List.of(drained, later)) {
        send(each, other.getBytes(StandardCharsets.US_ASCII));
        assertThat(TestHttpServer.until(each.getInputStream(), "\r\n\r\n")).contains(" 404 ");
      }
      server.net.stopAccepting();
      send(drained, request.getBytes(StandardCharsets.US_ASCII));
      assertThat(TestHttpServer.until(drained.getInputStream(), "moment."))
          .contains("HTTP/1.1 503 ");
      server.net.acceptAgain();
      send(later, request.getBytes(StandardCharsets.US_ASCII));
      assertThat(TestHttpServer.until(later.getInputStream(), "\r\n\r\n"))
          .contains("HTTP/1.1 101 ");
    }
  }

  private static void send(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  private static byte[] frame(int first, byte[] payload) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(first);
    if (payload.length < 126) {
      out.write(0x80 | payload.length);
    } else {
      out.write(0x80 | 126);
      out.write(payload.length >> 8);
      out.write(payload.length);
    }
    out.writeBytes(new byte[4]);
    out.writeBytes(payload);
    return out.toByteArray();
  }

  private static byte[] text(String message) {
    return frame(0x81, message.getBytes(StandardCharsets.UTF_8));
  }

  /// Sends frames after the handshake; returns the messages until the server closes, and the code
  /// of its last frame.
  private List<String> exchange(byte[]... frames) throws IOException {
    return exchange("", frames);
  }

  private List<String> exchange(String fields, byte[]... frames) throws IOException {
    try (Socket socket = server.connect()) {
      send(
          socket,
          ("GET /xmpp-websocket HTTP/1.1\r\n" + FIELDS + fields + "\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      TestHttpServer.until(socket.getInputStream(), "\r\n\r\n");
      for (byte[] frame : frames) {
        send(socket, frame);
      }
      return messages(new DataInputStream(socket.getInputStream()));
    }
  }

  private static List<String> messages(DataInputStream in) throws IOException {
    List<String> all = new ArrayList<>();
    try {
      while (true) {
        int opcode = in.readUnsignedByte() & 0x0F;
        int form = in.readUnsignedByte();
        byte[] payload = in.readNBytes(form == 126 ? in.readUnsignedShort() : form);
        if (opcode == 8) {
          all.add("close " + ((payload[0] & 0xFF) << 8 | (payload[1] & 0xFF)));
          return all;
        }
        all.add((opcode == 10 ? "pong " : "") + new String(payload, StandardCharsets.UTF_8));
      }
    } catch (EOFException e) {
      all.add("end");
      return all;
    }
  }

  @Test
  void theHandshakeIsThatOfTheRfc() throws Exception {
    assertThat(handshake(FIELDS))
        .startsWith("HTTP/1.1 101 ")
        .containsIgnoringCase("\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")
        .containsIgnoringCase("\r\nsec-websocket-protocol: xmpp\r\n");
  }

  @Test
  void row108_otherHandshakesAreRejected() throws Exception {
    assertThat(handshake("Host: example.org\r\n")).startsWith("HTTP/1.1 426 ");
    assertThat(handshake(FIELDS.replace(": 13", ": 8"))).startsWith("HTTP/1.1 426 ");
    assertThat(handshake(FIELDS.replace("other, xmpp", "chat"))).startsWith("HTTP/1.1 400 ");
    assertThat(handshake(FIELDS.replace("dGhlIHNhbXBsZSBub25jZQ==", "AAAA")))
        .startsWith("HTTP/1.1 400 ");
    assertThat(handshake(FIELDS.replace("dGhlIHNhbXBsZSBub25jZQ==", "!")))
        .startsWith("HTTP/1.1 400 ");
  }

  /// Pages of other origins cannot connect in the name of a visitor.
  @Test
  void row109_otherOriginsAreRejected() throws Exception {
    assertThat(handshake(FIELDS + "Origin: https://evil.example\r\n")).startsWith("HTTP/1.1 403 ");
    assertThat(handshake(FIELDS + "Origin: null\r\n")).startsWith("HTTP/1.1 403 ");
    assertThat(handshake(FIELDS + "Origin: https://app.example\r\n")).startsWith("HTTP/1.1 101 ");
    assertThat(handshake(FIELDS + "Origin: http://example.org\r\n")).startsWith("HTTP/1.1 101 ");
  }

  /// A page that may connect to one host gets at no other host of the server with that.
  @Test
  void row109_originsAreThoseOfTheStreamsHost() throws Exception {
    String other = OPEN.replace("example.org", "other.example");
    assertThat(exchange("Origin: https://app.example\r\n", text(other)).toString())
        .contains("<policy-violation ", "pages of this origin may not connect");
    assertThat(
            exchange("Origin: https://app.example\r\n", text(other.replace("other", "OTHER")))
                .toString())
        .contains("<policy-violation ");
    assertThat(exchange("Origin: https://app.example\r\n", text(OPEN), text(CLOSE)).toString())
        .contains("<mechanism>");
    assertThat(exchange(text(other), text(CLOSE)).toString()).as("no page").contains("<mechanism>");
    String fields = FIELDS.replace("example.org", "other.example");
    assertThat(handshake(fields + "Origin: https://app.example\r\n")).startsWith("HTTP/1.1 403 ");
    assertThat(handshake(fields + "Origin: https://app.other.example\r\n"))
        .startsWith("HTTP/1.1 101 ");
  }

  /// A stream's header in the form of a connection by TCP is none here (RFC 7395, section 3.3), and
  /// opens no stream to another host.
  @Test
  void row109_rawHeadersOpenNoStream() throws Exception {
    String raw =
        "<stream:stream xmlns='jabber:client' to='other.example' version='1.0'"
            + " xmlns:stream='http://etherx.jabber.org/streams'>";
    String prefixed = raw.replace("stream:", "x:").replace(":stream=", ":x=");
    for (String header : List.of(raw, prefixed, "<?xml version='1.0'?>" + raw)) {
      for (String origin : List.of("", "Origin: https://app.example\r\n")) {
        assertThat(exchange(origin, text(header)).toString())
            .contains("<bad-format ")
            .doesNotContain("<mechanism>");
        assertThat(exchange(origin, text(header.replace("other.example", "example.org"))))
            .noneMatch(each -> each.contains("<mechanism>"));
      }
    }
  }

  @Test
  void aStreamIsOpenedAndClosed() throws Exception {
    List<String> messages = exchange(text(OPEN), text(CLOSE));
    assertThat(messages.getFirst())
        .startsWith("<open xmlns='urn:ietf:params:xml:ns:xmpp-framing' id='")
        .contains(" from='example.org'")
        .endsWith(" version='1.0'/>");
    assertThat(messages.get(1))
        .startsWith("<stream:features xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org")
        .contains("<mechanism>")
        .doesNotContain("starttls");
    assertThat(messages).endsWith(CLOSE, "close 1000");
    assertThat(
            exchange(text(OPEN), frame(0x89, new byte[] {'x'}), frame(0x88, new byte[] {3, -24})))
        .endsWith("pong x", "close 1000");
  }

  @Test
  void aMessageInFragmentsIsOne() throws Exception {
    byte[] open = OPEN.getBytes(StandardCharsets.US_ASCII);
    byte[] one = {open[0]};
    byte[] rest = new byte[open.length - 1];
    System.arraycopy(open, 1, rest, 0, rest.length);
    assertThat(exchange(frame(0x01, one), frame(0x80, rest), text(CLOSE)))
        .endsWith(CLOSE, "close 1000")
        .first()
        .asString()
        .startsWith("<open ");
  }

  @Test
  void row110_messagesThatAreNoElementEndTheStream() throws Exception {
    for (String wrong : List.of("", " ", "x", " " + OPEN, "<iq type='get'", OPEN + OPEN)) {
      assertThat(exchange(text(OPEN), text(wrong)))
          .as(wrong)
          .anyMatch(each -> each.contains("<stream:error "))
          .endsWith(CLOSE, "close 1000");
    }
    assertThat(exchange(text("<open xmlns='urn:x' to='example.org' version='1.0'/>")))
        .anyMatch(each -> each.contains("<invalid-namespace "))
        .endsWith(CLOSE, "close 1000");
    assertThat(exchange(text("<o" + "x".repeat(5_000))))
        .anyMatch(each -> each.contains("<policy-violation "));
  }

  private void assertRestricted(String message) throws IOException {
    for (String each : List.of(message, OPEN.replace("/>", ">" + message + "</open>"))) {
      assertThat(exchange(text(OPEN), text(each)).toString())
          .as(each)
          .contains("<restricted-xml ")
          .endsWith("close 1000]");
    }
  }

  @Test
  void row03_documentTypesAreRejected() throws Exception {
    assertRestricted("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>");
  }

  @Test
  void row04_commentsAreRejected() throws Exception {
    assertRestricted("<!-- x -->");
  }

  @Test
  void row05_instructionsAreRejected() throws Exception {
    assertRestricted("<?php x?>");
  }

  /// Nothing is compressed, so nothing becomes larger here than it was.
  @Test
  void row28_messagesAreNotCompressed() throws Exception {
    assertThat(handshake(FIELDS + "Sec-WebSocket-Extensions: permessage-deflate\r\n"))
        .startsWith("HTTP/1.1 101 ")
        .doesNotContainIgnoringCase("extensions");
    assertThat(exchange(frame(0xC1, new byte[] {'a'}))).containsExactly("close 1002");
  }

  @Test
  void row28_fragmentsWithoutEndAreBounded() throws Exception {
    for (String begin : List.of("<open ", "<iq ")) {
      byte[][] frames = new byte[20][];
      Arrays.fill(frames, frame(0x00, " ".repeat(1_000).getBytes(StandardCharsets.US_ASCII)));
      frames[0] = text(OPEN);
      frames[1] = frame(0x01, begin.getBytes(StandardCharsets.US_ASCII));
      assertThat(exchange(frames).toString()).as(begin).contains("<policy-violation ");
    }
  }

  @Test
  void row111_framesThatAreNoneEndTheConnection() throws Exception {
    assertThat(exchange(new byte[] {(byte) 0x81, 1, 'a'})).containsExactly("close 1002");
    assertThat(exchange(frame(0x82, new byte[] {'a'}))).containsExactly("close 1003");
    assertThat(exchange(frame(0x88, new byte[] {3, -24}))).containsExactly("close 1000");
  }

  /// Clients do not resume the session after an end tag of the stream (XEP-0198).
  @Test
  void aServerThatStopsLeavesTheStreamUnfinishedIfItCanBeResumed() throws Exception {
    String bind =
        "<iq xmlns='jabber:client' type='set' id='b'>"
            + "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>";
    String auth =
        "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>"
            + Base64.getEncoder().encodeToString("\0romeo\0secret".getBytes(StandardCharsets.UTF_8))
            + "</auth>";
    for (boolean resumable : List.of(true, false)) {
      try (Socket socket = server.connect()) {
        send(
            socket,
            ("GET /xmpp-websocket HTTP/1.1\r\n" + FIELDS + "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        TestHttpServer.until(socket.getInputStream(), "\r\n\r\n");
        for (String message : List.of(OPEN, auth, OPEN, bind)) {
          send(socket, text(message));
        }
        send(socket, text("<enable xmlns='urn:xmpp:sm:3' resume='" + resumable + "'/>"));
        TestHttpServer.until(socket.getInputStream(), "<enabled");
        TestHttpServer.until(socket.getInputStream(), ">");
        assertThat(server.net.endClients(1, stream -> true)).isEqualTo(1);
        List<String> rest = messages(new DataInputStream(socket.getInputStream()));
        if (resumable) {
          assertThat(rest).last().isEqualTo("end");
          assertThat(rest).noneMatch(each -> each.contains("error") || each.contains("<close"));
        } else {
          assertThat(rest).anyMatch(each -> each.contains("<system-shutdown"));
          assertThat(rest).last().isEqualTo("close 1000");
        }
      }
    }
  }
}
