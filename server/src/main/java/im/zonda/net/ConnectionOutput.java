package im.zonda.net;

import im.zonda.jfr.StanzaSlow;
import im.zonda.link.ToStream;
import im.zonda.net.AcceptedChannel.Declares;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.ReplacementStanza;
import im.zonda.stanza.Stanza;
import im.zonda.stream.StreamOpening;
import im.zonda.stream.StreamXml;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The output of one connection at its event loop: the bytes that one turn has collected and not
/// flushed, and the number of bytes that wait for the peer. Confined to the loop.
final class ConnectionOutput {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionOutput.class);

  private static final int BUFFER_BYTES = 512;

  private final Loop loop;
  private AcceptedChannel.@Nullable Framing framing; // null for bare XML
  private @Nullable ByteBuf buffer;

  /// The highest number of a stanza in it that is to be reported, or 0.
  private long report;

  /// When the first stanza arrived that has caused something in it, by [System#nanoTime], and how
  /// many stanzas are measured.
  private long since;

  private int measured;

  /// The bytes that wait, as the loop has counted them, and whether it has counted them as those of
  /// a stream that has ended.
  private int waiting;

  private boolean ended;

  /// The size of the largest element that was written since nothing waited.
  private int largest;

  ConnectionOutput(Loop loop) {
    this.loop = loop;
  }

  /// Elements are messages from now on.
  void frame(AcceptedChannel.Framing form) {
    framing = form;
  }

  /// Whether there is none.
  boolean isEmpty() {
    return buffer == null;
  }

  /// How much there is, in bytes.
  int size() {
    ByteBuf collected = buffer;
    return collected == null ? 0 : collected.writerIndex();
  }

  /// The buffer to write to; allocates one if there is none. The TLS engine of Java works on
  /// arrays, so `secure` output is collected on the heap.
  ByteBuf buffer(Channel channel, boolean secure) {
    ByteBuf collected = buffer;
    if (collected == null) {
      collected =
          secure
              ? channel.alloc().heapBuffer(BUFFER_BYTES)
              : channel.alloc().directBuffer(BUFFER_BYTES);
      buffer = collected;
    }
    return collected;
  }

  /// Writes the stream header. As [#close] and [#write], to the buffer of this sink.
  void open(StreamOpening opening, ByteSink sink) {
    if (framing == null) {
      StreamXml.writeOpen(opening, sink);
    } else {
      framing.open(opening, target());
    }
  }

  /// Writes the end of the stream.
  void close(ByteSink sink) {
    if (framing == null) {
      StreamXml.writeClose(sink);
    } else {
      framing.close(target());
    }
  }

  /// Writes an element of a stream with that content namespace.
  void write(Element element, String namespace, ByteSink sink) {
    Declares declares =
        switch (element.name().namespace()) {
          case Namespaces.CLIENT -> Declares.CONTENT;
          case Namespaces.STREAM -> Declares.STREAM;
          default -> Declares.NOTHING;
        };
    int start = framing == null ? 0 : framing.begin(target(), declares);
    StreamXml.writeElement(element, namespace, sink);
    if (framing != null) {
      framing.end(target(), start, declares);
    }
  }

  private ByteBuf target() {
    return Objects.requireNonNull(buffer);
  }

  /// Writes a stanza to the buffer of this sink, or its replacement if it cannot be written.
  void write(Stanza stanza, ByteSink sink) {
    int start = framing == null ? 0 : framing.begin(target(), Declares.CONTENT);
    int before = size();
    try {
      stanza.writeTo(sink);
    } catch (RuntimeException e) {
      takeBack(before); // half a stanza must not go out
      LOG.atError().setCause(e).log("stanza_not_encoded");
      ReplacementStanza.of(stanza).writeTo(sink);
    }
    if (framing != null) {
      framing.end(target(), start, Declares.CONTENT);
    }
  }

  /// Adds what was written since it had that size to the loop's count.
  ///
  /// @return how many bytes that is
  int collected(int before) {
    int bytes = size() - before;
    loop.collected(bytes);
    return bytes;
  }

  /// Whether more waits for the peer than is allowed, beside the largest element: one passes
  /// however large it is, or its stream would end again whenever it is sent again.
  ///
  /// @param last the bytes of the element that was written last
  /// @param all the bytes of all that waits, which include it
  boolean exceeds(int limit, int last, long all) {
    largest = all <= last ? last : Math.max(largest, last);
    return all - largest > limit;
  }

  /// Forgets what was written beyond `size` bytes and is not counted yet.
  void takeBack(int size) {
    ByteBuf collected = buffer;
    if (collected != null) {
      collected.writerIndex(size);
    }
  }

  /// It holds that stanza.
  void added(ToStream.Deliver deliver) {
    if (deliver.report()) {
      report = deliver.number();
    }
    long arrived = deliver.since();
    if (arrived != 0) {
      since = measured == 0 || arrived - since < 0 ? arrived : since;
      measured++;
    }
  }

  /// The highest number to report when [#take]'s bytes have left, or 0; to be called before it.
  long report() {
    return report;
  }

  /// What was taken was written: measures how long that took since its causes arrived. Stanzas that
  /// leave together count as the first of them.
  ///
  /// @param namespace the content namespace of the stream
  void written(String namespace) {
    if (measured > 0) {
      long took = System.nanoTime() - since;
      loop.counters().written(namespace).record(took, measured);
      StanzaSlow.record(LoopCounters.stage(namespace), took);
      measured = 0;
    }
  }

  /// Takes all; the buffer is the caller's to release. Null if there is none.
  @Nullable ByteBuf take() {
    ByteBuf collected = buffer;
    buffer = null;
    report = 0;
    if (collected != null) {
      loop.collected(-collected.writerIndex());
    }
    return collected;
  }

  /// Drops all.
  void release() {
    measured = 0;
    ByteBuf collected = take();
    if (collected != null) {
      collected.release();
    }
  }

  /// Updates the loop's counters of what waits.
  ///
  /// @param hasEnded whether the stream has ended, so that nothing more is sent
  void updateWaiting(long bytes, boolean hasEnded) {
    if (!hasEnded) {
      loop.waits(bytes);
    }
    if (bytes == waiting && hasEnded == ended) {
      return;
    }
    counter(ended).add(-waiting);
    waiting = (int) Math.min(bytes, Integer.MAX_VALUE);
    ended = hasEnded;
    counter(ended).add(waiting);
  }

  private LoopCounters.Counter counter(boolean ofEnded) {
    return ofEnded ? loop.counters().waitingEnded : loop.counters().waiting;
  }

  /// The bytes that waited at the last [#updateWaiting].
  int waiting() {
    return waiting;
  }
}
