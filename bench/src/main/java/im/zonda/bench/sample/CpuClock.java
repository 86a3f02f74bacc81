package im.zonda.bench.sample;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Clock of the CPU time of a process, as clock_getcpuclockid(3) makes it: user and system time of
/// all its threads, also of those that have ended, in nanoseconds. The files below `/proc` have it
/// in steps of 10 ms only.
final class CpuClock {
  /// The clock of the time that the scheduler has counted.
  private static final int SCHEDULER = 2;

  private static final int PID_SHIFT = 3;
  private static final long SECOND = 1_000_000_000;
  private static final @Nullable MethodHandle READ = find();

  private CpuClock() {}

  @SuppressWarnings("restricted") // a call of the C library
  private static @Nullable MethodHandle find() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("clock_gettime")
        .map(address ->
            linker.downcallHandle(
                address,
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS)))
        .orElse(null);
  }

  /// The CPU time of a process so far in nanoseconds; empty if the process has ended, or this is
  /// another system than Linux.
  static OptionalLong nanos(long pid) {
    if (READ == null) {
      return OptionalLong.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
      int clock = ~(int) pid << PID_SHIFT | SCHEDULER;
      int failed = (int) READ.invokeExact(clock, time);
      return failed != 0
          ? OptionalLong.empty()
          : OptionalLong.of(
              time.getAtIndex(ValueLayout.JAVA_LONG, 0) * SECOND
                  + time.getAtIndex(ValueLayout.JAVA_LONG, 1));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e); // invokeExact declares it; the call itself throws none
    }
  }
}
