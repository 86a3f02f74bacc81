package im.zonda.stream;

import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// A transport without a network: output is text, tasks run when the test says so.
public final class MemoryTransport implements StreamTransport {
  public @Nullable String tlsVersion;
  public final Map<ChannelBinding, byte[]> bindings = new EnumMap<>(ChannelBinding.class);
  public final Queue<Runnable> tasks = new ArrayDeque<>();
  public boolean secure;
  public boolean loopback = true;
  public InetAddress address = InetAddress.getLoopbackAddress();
  public boolean reading = true;
  public boolean closed;
  public int tlsStarts;

  /// Whether the test says when output has left, by [Stream#written].
  public boolean slow;

  public int stanzasIn;
  public long now = 1_000_000;
  public @Nullable TlsStart tlsStart;

  /// What the peer presents once TLS is established.
  public @Nullable PeerCertificates certificates;

  /// The stream to notify of what has left.
  public @Nullable Stream stream;

  private String namespace = "";
  private final StringBuilder output = new StringBuilder();

  /// What was written since the last call.
  public String output() {
    String text = output.toString();
    output.setLength(0);
    return text;
  }

  @Override
  public void open(StreamOpening opening) {
    ByteArraySink sink = new ByteArraySink(128);
    namespace = opening.namespace();
    StreamXml.writeOpen(opening, sink);
    append(sink);
  }

  @Override
  public void write(Element element) {
    ByteArraySink sink = new ByteArraySink(128);
    StreamXml.writeElement(element, namespace, sink);
    append(sink);
  }

  @Override
  public void closeStream() {
    ByteArraySink sink = new ByteArraySink(128);
    StreamXml.writeClose(sink);
    append(sink);
  }

  @Override
  public void write(Stanza stanza) {
    if (!closed) {
      ByteArraySink sink = new ByteArraySink(128);
      stanza.writeTo(sink);
      append(sink);
    }
  }

  @Override
  public void deliver(ToStream.Deliver deliver) {
    if (!tasks.isEmpty()) {
      tasks.add(() -> out(deliver));
    } else {
      out(deliver);
    }
  }

  private void out(ToStream.Deliver deliver) {
    if (closed) {
      return;
    }
    write(deliver.stanza());
    Stream to = stream;
    if (deliver.report() && to != null && !slow) {
      to.written(deliver.number());
    }
  }

  @Override
  public void enqueue(Runnable task) {
    tasks.add(task);
  }

  private void append(ByteArraySink sink) {
    if (closed) {
      throw new IllegalStateException("written after close");
    }
    output.append(new String(sink.toByteArray(), StandardCharsets.UTF_8));
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void startTls(TlsStart start) {
    tlsStart = start;
    output.append("[TLS]");
    tlsStarts++;
    secure = true;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public void reading(boolean on) {
    reading = on;
  }

  @Override
  public void received() {
    stanzasIn++;
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public boolean secure() {
    return secure;
  }

  @Override
  public boolean canStartTls() {
    return !secure;
  }

  @Override
  public boolean loopback() {
    return loopback;
  }

  @Override
  public InetAddress remoteAddress() {
    return address;
  }

  @Override
  public @Nullable PeerCertificates peerCertificates() {
    return secure ? certificates : null;
  }

  @Override
  public @Nullable String tlsVersion() {
    return secure ? tlsVersion : null;
  }

  @Override
  public byte @Nullable [] channelBinding(ChannelBinding kind) {
    return secure ? bindings.get(kind) : null;
  }
}
