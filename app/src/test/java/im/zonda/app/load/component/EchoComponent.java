package im.zonda.app.load.component;

import im.zonda.app.load.client.Attributes;
import im.zonda.app.load.client.StanzaCutter;
import im.zonda.app.load.options.ComponentOptions;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// An external component (XEP-0114) that sends every message back to its sender. What one read has
/// brought goes back in one write, on a thread of its own.
public final class EchoComponent implements AutoCloseable, StanzaCutter.Listener {
  private static final int READ = 65_536;

  private final SocketWire wire;
  private final StanzaCutter cutter = new StanzaCutter(this);
  private final ByteArrayOutputStream answers = new ByteArrayOutputStream(READ);

  private EchoComponent(SocketWire wire) {
    this.wire = wire;
  }

  /// Connects and authenticates, and begins to send back.
  ///
  /// @throws IOException if the server does not accept the component
  public static EchoComponent connect(ComponentOptions options) throws IOException {
    SocketWire wire = SocketWire.connect(options.address());
    EchoComponent component = new EchoComponent(wire);
    try {
      component.authenticate(options);
    } catch (IOException e) {
      wire.close();
      throw e;
    }
    Thread.ofPlatform().daemon().name("echo-component").start(component::read);
    return component;
  }

  private void authenticate(ComponentOptions options) throws IOException {
    send(
        "<?xml version='1.0'?><stream:stream xmlns='"
            + ScriptedClient.COMPONENT
            + "' xmlns:stream='"
            + ScriptedClient.STREAMS
            + "' to='"
            + options.domain()
            + "'>");
    String id = Attributes.of(until("<stream:stream"), "id");
    send("<handshake>" + digest(id + options.secret()) + "</handshake>");
    String answer = until("<handshake", "<stream:error");
    if (!answer.contains("<handshake")) {
      throw new IOException("the component is not accepted: " + answer);
    }
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-1", e);
    }
  }

  private void send(String xml) throws IOException {
    wire.out().write(xml.getBytes(StandardCharsets.UTF_8));
    wire.out().flush();
  }

  /// Reads up to and including a tag that begins with one of the marks.
  private String until(String... marks) throws IOException {
    StringBuilder heard = new StringBuilder();
    while (true) {
      int next = wire.in().read();
      if (next < 0) {
        throw new EOFException("the server closes the stream: " + heard);
      }
      heard.append((char) next);
      for (String mark : marks) {
        if (next == '>' && heard.indexOf(mark) >= 0) {
          return heard.toString();
        }
      }
    }
  }

  private void read() {
    byte[] bytes = new byte[READ];
    try {
      InputStream in = wire.in();
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        cutter.take(bytes, 0, n);
        answers.writeTo(wire.out());
        answers.reset();
      }
    } catch (IOException | UncheckedIOException e) {
      // The connection has ended; the counters will show what is missing.
    }
  }

  @Override
  public void element(byte[] bytes, int from, int to) {
    String element = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    int tag = element.indexOf('>');
    String sender = Attributes.of(element, "from");
    String addressee = Attributes.of(element, "to");
    if (element.startsWith("<message ") && sender != null && addressee != null) {
      String answer = "<message type='chat' from='" + addressee + "' to='" + sender + "'>";
      answers.writeBytes(
          (answer + element.substring(tag + 1)).getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  @Override
  public void end() {}

  @Override
  public void close() {
    wire.close();
  }
}
