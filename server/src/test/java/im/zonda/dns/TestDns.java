package im.zonda.dns;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Master;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// A DNS server on a loopback port, over UDP and TCP, which also lies where a test says so.
final class TestDns implements AutoCloseable {
  private static final int UDP_BYTES = 512;

  /// The TTL and the minimum of its SOA records, in seconds.
  private static final int NEGATIVE_SECONDS = 60;

  private final DatagramSocket udp;
  private final ServerSocket tcp;
  private final List<Record> records = new CopyOnWriteArrayList<>();
  private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
  private final Map<Name, BiFunction<Message, Message, List<byte[]>>> lies =
      new ConcurrentHashMap<>();
  private final AtomicInteger overTcp = new AtomicInteger();
  private volatile @Nullable Signer signer;

  /// Signs responses.
  interface Signer {
    void sign(Message query, Message response);
  }

  TestDns(String... lines) throws IOException {
    DatagramSocket datagrams = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    ServerSocket connections = listen(datagrams.getLocalPort());
    while (connections == null) {
      datagrams.close();
      datagrams = new DatagramSocket(0, InetAddress.getLoopbackAddress());
      connections = listen(datagrams.getLocalPort());
    }
    udp = datagrams;
    tcp = connections;
    Thread.ofVirtual().start(this::serveUdp);
    Thread.ofVirtual().start(this::serveTcp);
    add(lines);
  }

  /// Listens on that port; null if a connection of another program has it.
  private static @Nullable ServerSocket listen(int port) throws IOException {
    try {
      return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    } catch (BindException e) {
      return null;
    }
  }

  /// Adds records, such as `a.example. 300 IN A 192.0.2.1`.
  void add(String... lines) throws IOException {
    byte[] zone = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    try (Master master = new Master(new ByteArrayInputStream(zone), Name.root, 300)) {
      Record record;
      while ((record = master.nextRecord()) != null) {
        records.add(record);
      }
    }
  }

  void sign(Signer by) {
    signer = by;
  }

  /// Answers questions for a name as `lie` says, which gets the query and the true response.
  void lie(String name, BiFunction<Message, Message, List<byte[]>> lie) throws TextParseException {
    lies.put(Name.fromString(name), lie);
  }

  /// Answers questions for a name with that code.
  void fail(String name, int rcode) throws TextParseException {
    lie(
        name,
        (query, truth) -> {
          truth.getHeader().setRcode(rcode);
          return List.of(truth.toWire());
        });
  }

  /// Does not answer questions for a name.
  void ignore(String name) throws TextParseException {
    lie(name, (query, truth) -> List.of());
  }

  InetSocketAddress address() {
    return (InetSocketAddress) udp.getLocalSocketAddress();
  }

  /// How often the question was asked.
  int asked(String name, int type) {
    return asked.getOrDefault(key(name, type), new AtomicInteger()).get();
  }

  /// How many questions came over TCP.
  int askedOverTcp() {
    return overTcp.get();
  }

  private static String key(String name, int type) {
    return name + " " + Type.string(type);
  }

  private void serveUdp() {
    byte[] buffer = new byte[4_096];
    while (!udp.isClosed()) {
      DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
      try {
        udp.receive(packet);
        byte[] bytes = java.util.Arrays.copyOf(buffer, packet.getLength());
        InetSocketAddress from = (InetSocketAddress) packet.getSocketAddress();
        Thread.ofVirtual().start(() -> answerUdp(bytes, from));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void answerUdp(byte[] bytes, InetSocketAddress from) {
    try {
      for (byte[] response : answers(new Message(bytes))) {
        byte[] sent = response.length > UDP_BYTES ? truncated(response) : response;
        udp.send(new DatagramPacket(sent, sent.length, from));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] truncated(byte[] response) throws IOException {
    Message message = new Message(response);
    message.removeAllRecords(Section.ANSWER);
    message.removeAllRecords(Section.AUTHORITY);
    message.getHeader().setFlag(Flags.TC);
    return message.toWire();
  }

  private void serveTcp() {
    while (!tcp.isClosed()) {
      try {
        Socket socket = tcp.accept();
        Thread.ofVirtual().start(() -> answerTcp(socket));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void answerTcp(Socket socket) {
    try (socket;
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
      while (true) {
        byte[] bytes = in.readNBytes(in.readUnsignedShort());
        overTcp.incrementAndGet();
        for (byte[] response : answers(new Message(bytes))) {
          out.writeShort(response.length);
          out.write(response);
        }
        out.flush();
      }
    } catch (IOException e) {
      // The other side has closed.
    }
  }

  private List<byte[]> answers(Message query) {
    Record question = query.getQuestion();
    Name name = question.getName();
    asked
        .computeIfAbsent(key(name.toString(), question.getType()), _ -> new AtomicInteger())
        .incrementAndGet();
    Message response = response(query);
    Signer by = signer;
    if (by != null) {
      by.sign(query, response);
    }
    var lie = lies.get(name);
    return lie == null ? List.of(response.toWire(65_535)) : lie.apply(query, response);
  }

  private Message response(Message query) {
    Record question = query.getQuestion();
    Message response = new Message(query.getHeader().getID());
    response.getHeader().setFlag(Flags.QR);
    response.getHeader().setFlag(Flags.RA);
    response.addRecord(question, Section.QUESTION);
    Name owner = question.getName();
    for (int i = 0; i < 20; i++) {
      List<Record> found = named(owner);
      List<Record> wanted = found.stream().filter(r -> r.getType() == question.getType()).toList();
      wanted.forEach(record -> response.addRecord(record, Section.ANSWER));
      Record alias = found.stream().filter(CNAMERecord.class::isInstance).findFirst().orElse(null);
      if (!wanted.isEmpty() || alias == null) {
        if (wanted.isEmpty()) {
          response.getHeader().setRcode(found.isEmpty() ? Rcode.NXDOMAIN : Rcode.NOERROR);
          response.addRecord(soa(), Section.AUTHORITY);
        }
        return response;
      }
      response.addRecord(alias, Section.ANSWER);
      owner = ((CNAMERecord) alias).getTarget();
    }
    return response; // a loop
  }

  private List<Record> named(Name owner) {
    List<Record> found = new ArrayList<>();
    for (Record each : records) {
      if (each.getName().equals(owner)) {
        found.add(each);
      }
    }
    return found;
  }

  private static Record soa() {
    try {
      String text = "ns. admin. 1 3600 600 86400 " + NEGATIVE_SECONDS;
      return Record.fromString(Name.root, Type.SOA, 1, NEGATIVE_SECONDS, text, Name.root);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    udp.close();
    tcp.close();
  }
}
