package im.zonda.stanza;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.ThreadMXBean;
import im.zonda.jid.Jid;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.FrameHandler;
import im.zonda.xml.framing.XmppFramer;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Measures a forwarded message: CPU time, bytes per second and bytes allocated. Not a test; run it
/// by hand on an idle machine.
final class FramerSpeed implements FrameHandler {
  private static final String HEADER =
      "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
          + " to='example.org' version='1.0'>";

  private static final String SIMPLE =
      "<message to='romeo@example.net/orchard' id='a1b2c3d4' type='chat'><body>Wherefore art thou"
          + " Romeo? Deny thy father and refuse thy name, or if thou wilt not</body></message>";

  private static final String RICH =
      "<message to='juliet@capulet.example/balcony' type='chat' id='d5a2-4f7c-91ee'><body>Wherefore"
          + " art thou, Romeo? Deny thy father</body><request xmlns='urn:xmpp:receipts'/><markable"
          + " xmlns='urn:xmpp:chat-markers:0'/><origin-id xmlns='urn:xmpp:sid:0'"
          + " id='d5a2-4f7c-91ee'/><active xmlns='http://jabber.org/protocol/chatstates'/></message>";

  private static final String CYRILLIC =
      "<message to='romeo@example.net/orchard' id='a1b2c3d4' type='chat'><body>Ромео, зачем же ты"
          + " Ромео? Покинь отца и отрекись навеки от имени родного</body></message>";

  private static final int BATCH = 40;

  private final Jid from = Jid.of("romeo@montague.example/orchard");
  private final ByteArraySink sink = new ByteArraySink(1 << 16);
  private final boolean forward;
  private @Nullable Frame last;
  private long written;

  private FramerSpeed(boolean forward) {
    this.forward = forward;
  }

  /// Measures and prints; takes about 20 seconds.
  public static void main(String[] args) throws XmlException {
    for (int round = 0; round < 2; round++) {
      for (boolean forward : new boolean[] {false, true}) {
        new FramerSpeed(forward).measure("simple", SIMPLE);
        new FramerSpeed(forward).measure("rich", RICH);
        new FramerSpeed(forward).measure("cyrillic", CYRILLIC);
      }
    }
  }

  private void measure(String name, String message) throws XmlException {
    XmppFramer framer = new XmppFramer(XmlLimits.CLIENT, this);
    byte[] header = HEADER.getBytes(UTF_8);
    framer.feed(header, 0, header.length);
    byte[] one = message.getBytes(UTF_8);
    byte[] batch = new byte[one.length * BATCH];
    for (int i = 0; i < BATCH; i++) {
      System.arraycopy(one, 0, batch, i * one.length, one.length);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] times = new long[9];
    long allocated = 0;
    int batches = 5_000;
    for (int i = 0; i < times.length; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      long start = threads.getCurrentThreadCpuTime();
      for (int j = 0; j < batches; j++) {
        sink.clear();
        framer.feed(batch, 0, batch.length);
      }
      times[i] = threads.getCurrentThreadCpuTime() - start;
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    Arrays.sort(times);
    double nanos = (double) times[times.length / 2] / batches / BATCH;
    System.out.printf(
        Locale.ROOT,
        "%-8s %-18s %4d bytes %7.0f ns %6.0f MB/s %6d bytes allocated%n",
        name,
        forward ? "frame and forward" : "frame",
        one.length,
        nanos,
        one.length * 1_000.0 / nanos,
        allocated / batches / BATCH);
    if (written < 0) {
      throw new AssertionError(last);
    }
  }

  @Override
  public void onStreamOpen(StreamHeader header) {}

  @Override
  public void onFrame(Frame frame) {
    last = frame;
    if (!forward) {
      return;
    }
    try {
      Stanza stanza = Stanza.of(frame);
      stanza.withAddresses(from, stanza.to()).writeTo(sink);
      written += sink.size();
    } catch (StanzaFormatException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void onStreamClose() {}
}
