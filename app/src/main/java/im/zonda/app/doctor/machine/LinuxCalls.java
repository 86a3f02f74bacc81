package im.zonda.app.doctor.machine;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls of Linux that Java has no methods for, on processors of 64 bits.
final class LinuxCalls {
  private static final Logger LOG = LoggerFactory.getLogger(LinuxCalls.class);
  private static final Set<String> PROCESSORS = Set.of("amd64", "aarch64");

  /// More than either structure has.
  private static final long STRUCT_BYTES = 512;

  /// What `adjtimex` returns if the clock is not synchronised.
  private static final int TIME_ERROR = 5;

  /// Where `struct statvfs` has the number of inodes, and of those that users may still take.
  private static final long INODES = 40;

  private static final long FREE_INODES = 56;

  private LinuxCalls() {}

  /// The inodes of a filesystem.
  ///
  /// @param all 0 if the filesystem does not count them
  record Inodes(long all, long free) {}

  /// Whether the kernel knows that the clock is synchronised (`adjtimex`); null if it cannot be
  /// asked.
  static @Nullable Boolean isClockSynchronised() {
    if (!isSupported()) {
      return null;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment timex = arena.allocate(STRUCT_BYTES, Long.BYTES); // zeros: it only asks
      int state = (int) find("adjtimex", ValueLayout.ADDRESS).invokeExact(timex);
      return state < 0 ? null : state != TIME_ERROR;
    } catch (Throwable e) {
      LOG.atDebug().setCause(e).log("adjtimex_failed");
      return null;
    }
  }

  /// The inodes of the filesystem of a path; null if they are not known.
  static @Nullable Inodes findInodes(Path path) {
    if (!isSupported()) {
      return null;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(STRUCT_BYTES, Long.BYTES);
      MemorySegment name = arena.allocateFrom(path.toString());
      int failed =
          (int) find("statvfs", ValueLayout.ADDRESS, ValueLayout.ADDRESS).invokeExact(name, status);
      return failed != 0
          ? null
          : new Inodes(
              status.get(ValueLayout.JAVA_LONG, INODES),
              status.get(ValueLayout.JAVA_LONG, FREE_INODES));
    } catch (Throwable e) {
      LOG.atDebug().setCause(e).log("statvfs_failed");
      return null;
    }
  }

  private static boolean isSupported() {
    return System.getProperty("os.name", "").equals("Linux")
        && PROCESSORS.contains(System.getProperty("os.arch", ""));
  }

  @SuppressWarnings("restricted") // the functions exist, and the arguments are theirs
  private static MethodHandle find(String name, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
  }
}
