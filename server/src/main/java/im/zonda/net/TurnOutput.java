package im.zonda.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Output of a connection that one turn of the event loop has collected and not yet flushed, and
/// what runs when it has left. Confined to the loop.
final class TurnOutput {
  private static final Logger LOG = LoggerFactory.getLogger(TurnOutput.class);
  private static final int BUFFER_BYTES = 512;

  private final Loop loop;
  private @Nullable ByteBuf buffer;
  private @Nullable List<Runnable> leaving;

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

  /// Runs `action` when what has been written up to here has left.
  void whenLeft(Runnable action) {
    List<Runnable> actions = leaving;
    if (actions == null) {
      actions = new ArrayList<>();
      leaving = actions;
    }
    actions.add(action);
  }

  /// The actions to run when the bytes of [#take] have left, or null; to be called before it.
  @Nullable List<Runnable> leaving() {
    return leaving;
  }

  /// Takes all; the buffer is the caller's to release. Null if there is none.
  @Nullable ByteBuf take() {
    ByteBuf collected = buffer;
    buffer = null;
    leaving = null;
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

  /// Runs what waited for bytes to leave.
  static void runAll(List<Runnable> left) {
    for (Runnable action : left) {
      try {
        action.run();
      } catch (RuntimeException | Error e) {
        LOG.atError().setCause(e).log("left_callback_failed");
      }
    }
  }
}
