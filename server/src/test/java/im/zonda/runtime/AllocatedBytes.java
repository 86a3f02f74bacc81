package im.zonda.runtime;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// The memory that reading an input takes. A length that the input claims, and that nothing
/// follows, must not reserve memory.
public final class AllocatedBytes {
  /// What a reader may take for each byte, and besides: an exception with its stack trace, and one
  /// for each part that is replaced because it cannot be read.
  private static final long PER_BYTE = 2_000;

  private static final long BESIDES = 100_000;

  private AllocatedBytes() {}

  /// What the second of two equal calls allocates on this thread: the first one may load classes.
  public static long of(Runnable call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    call.run();
    long before = threads.getCurrentThreadAllocatedBytes();
    call.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  /// The most that reading an input may take.
  public static long allowed(byte[] input) {
    return BESIDES + PER_BYTE * input.length;
  }
}
