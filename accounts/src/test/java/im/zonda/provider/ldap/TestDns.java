package im.zonda.provider.ldap;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A name server that knows the SRV records of one name, and no other name.
final class TestDns implements AutoCloseable {
  private static final int HEADER = 12;
  private static final int SRV = 33;
  private static final int NO_SUCH_NAME = 3;

  private record Srv(int priority, int port, String target) {}

  private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
  private final List<Srv> records = new CopyOnWriteArrayList<>();
  private final AtomicInteger questions = new AtomicInteger();
  private final byte[] name;

  TestDns(String name) throws IOException {
    this.name = encoded(name);
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              DatagramPacket question = new DatagramPacket(new byte[512], 512);
              socket.receive(question);
              questions.incrementAndGet();
              byte[] answer = answer(Arrays.copyOf(question.getData(), question.getLength()));
              socket.send(new DatagramPacket(answer, answer.length, question.getSocketAddress()));
            }
          } catch (IOException e) {
            // The test is over.
          }
        });
  }

  void add(int priority, int port, String target) {
    records.add(new Srv(priority, port, target));
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
  }

  int questions() {
    return questions.get();
  }

  private byte[] answer(byte[] question) throws IOException {
    int end = HEADER;
    while (question[end] != 0) {
      end += question[end] + 1;
    }
    boolean known = Arrays.equals(Arrays.copyOfRange(question, HEADER, end + 1), name);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(question, 0, 2);
    out.writeShort(0x8580 | (known ? 0 : NO_SUCH_NAME));
    out.writeShort(1);
    out.writeShort(known ? records.size() : 0);
    out.writeInt(0);
    out.write(question, HEADER, end + 5 - HEADER);
    for (Srv record : known ? records : List.<Srv>of()) {
      byte[] target = encoded(record.target);
      out.writeShort(0xc000 | HEADER);
      out.writeShort(SRV);
      out.writeShort(1);
      out.writeInt(60);
      out.writeShort(6 + target.length);
      out.writeShort(record.priority);
      out.writeShort(1);
      out.writeShort(record.port);
      out.write(target);
    }
    return bytes.toByteArray();
  }

  private static byte[] encoded(String name) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String label : name.split("\\.", -1)) {
      if (!label.isEmpty()) {
        bytes.write(label.length());
        bytes.write(label.getBytes(StandardCharsets.US_ASCII));
      }
    }
    bytes.write(0);
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    socket.close();
  }
}
