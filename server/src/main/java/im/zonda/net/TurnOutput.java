package im.zonda.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/// Output of a connection that one turn of the event loop has collected and not yet flushed.
/// Confined to the loop.
final class TurnOutput {
  private static final int BUFFER_BYTES = 512;

  private final Loop loop;
  private @Nullable ByteBuf buffer;

  /// The highest number of a stanza in it that is to be reported, or 0.
  private long report;

  /// The bytes that the loop has counted.
  private int counted;

  TurnOutput(Loop loop) {
    this.loop = loop;
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

  /// Updates the loop's count after a write to the buffer.
  void count() {
    int size = size();
    loop.collected(size - counted);
    counted = size;
  }

  /// Forgets what was written beyond `size` bytes.
  void takeBack(int size) {
    ByteBuf collected = buffer;
    if (collected != null) {
      collected.writerIndex(size);
    }
  }

  /// It holds a stanza that is to be reported when it has left.
  void report(long number) {
    report = number;
  }

  /// The highest number to report when [#take]'s bytes have left, or 0; to be called before it.
  long report() {
    return report;
  }

  /// Takes all; the buffer is the caller's to release. Null if there is none.
  @Nullable ByteBuf take() {
    ByteBuf collected = buffer;
    buffer = null;
    report = 0;
    loop.collected(-counted);
    counted = 0;
    return collected;
  }

  /// Drops all.
  void release() {
    ByteBuf collected = take();
    if (collected != null) {
      collected.release();
    }
  }
}
