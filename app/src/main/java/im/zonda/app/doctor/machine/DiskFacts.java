package im.zonda.app.doctor.machine;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Facts of the disk of the data folder. Sizes in bytes; null for what is not known.
///
/// @param folder the data folder, or the folder in which it would be made
/// @param type the kind of filesystem, such as `ext4` or `nfs4`
/// @param size its size
/// @param free what the server's user may still take of it
/// @param inodes the files that it can have at all; 0 if it does not count them
/// @param freeInodes the files that can still be made
/// @param speed how fast it writes; null if that was not measured
public record DiskFacts(
    Path folder,
    String type,
    long size,
    long free,
    @Nullable Long inodes,
    @Nullable Long freeInodes,
    @Nullable Speed speed) {
  /// How long it takes until a small write is on the disk.
  ///
  /// @param median of several
  /// @param worst the longest of them
  public record Speed(Duration median, Duration worst) {}
}
