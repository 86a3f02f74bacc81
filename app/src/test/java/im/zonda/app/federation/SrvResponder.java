package im.zonda.app.federation;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A DNS server on a loopback port that has an SRV record `_xmpp-server` for each domain, with the
/// target `localhost`, and answers all other questions with NXDOMAIN.
final class SrvResponder implements AutoCloseable {
  private static final int HEADER = 12;
  private static final int SRV = 33;
  private static final int ANSWER = 0x8580;
  private static final int NO_SUCH_NAME = ANSWER | 3;
  private static final String SERVICE = "_xmpp-server._tcp.";

  private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
  private final Map<String, Integer> ports;

  /// @param ports the port of each domain
  SrvResponder(Map<String, Integer> ports) throws IOException {
    this.ports = Map.copyOf(ports);
    Thread.ofVirtual().start(this::serve);
  }

  int port() {
    return socket.getLocalPort();
  }

  private void serve() {
    byte[] bytes = new byte[512];
    try {
      while (true) {
        DatagramPacket question = new DatagramPacket(bytes, bytes.length);
        socket.receive(question);
        byte[] answer = answer(bytes, question.getLength());
        socket.send(new DatagramPacket(answer, answer.length, question.getSocketAddress()));
      }
    } catch (IOException e) {
      // closed
    }
  }

  /// The question again, and the record if there is one (RFC 1035, section 4.1).
  private byte[] answer(byte[] bytes, int length) {
    ByteBuffer question = ByteBuffer.wrap(bytes, 0, length);
    short id = question.getShort();
    question.position(HEADER);
    StringBuilder name = new StringBuilder();
    for (int size = question.get(); size > 0; size = question.get()) {
      byte[] label = new byte[size];
      question.get(label);
      name.append(new String(label, StandardCharsets.US_ASCII)).append('.');
    }
    boolean srv = question.getShort() == SRV;
    question.getShort();
    Integer port = srv ? find(name.toString()) : null;
    ByteBuffer answer = ByteBuffer.allocate(1024);
    answer.putShort(id).putShort((short) (port == null ? NO_SUCH_NAME : ANSWER));
    answer.putShort((short) 1).putShort((short) (port == null ? 0 : 1)).putInt(0);
    answer.put(bytes, HEADER, question.position() - HEADER);
    if (port != null) {
      byte[] target = "\tlocalhost\0".getBytes(StandardCharsets.US_ASCII);
      answer.putShort((short) (0xc000 | HEADER)).putShort((short) SRV).putShort((short) 1);
      answer.putInt(1).putShort((short) (6 + target.length));
      answer.putInt(0).putShort(port.shortValue()).put(target);
    }
    return Arrays.copyOf(answer.array(), answer.position());
  }

  private @Nullable Integer find(String name) {
    boolean known = name.startsWith(SERVICE);
    return known ? ports.get(name.substring(SERVICE.length(), name.length() - 1)) : null;
  }

  @Override
  public void close() {
    socket.close();
  }
}
