package im.zonda.app.doctor.machine;

import im.zonda.app.finding.Finding;
import im.zonda.app.status.ByteCount;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Checks of the disk of the data folder.
public final class DiskChecks {
  private static final long TOO_FULL = 512L << 20;
  private static final long NEARLY_FULL = 4L << 30;
  private static final long FEW_FILES = 1_000;
  private static final Duration SLOW = Duration.ofMillis(20);
  private static final Duration TOO_SLOW = Duration.ofMillis(200);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// Filesystems of other machines: locks and `fsync` are not what SQLite needs.
  private static final Set<String> NETWORK =
      Set.of(
          "nfs",
          "nfs3",
          "nfs4",
          "cifs",
          "smb3",
          "smbfs",
          "9p",
          "afs",
          "ceph",
          "fuse.sshfs",
          "fuse.glusterfs",
          "glusterfs",
          "lustre",
          "fuse.s3fs",
          "fuse.rclone",
          "virtiofs");

  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
  private static final Set<String> LAYERS = Set.of("overlay", "aufs", "fuse.fuse-overlayfs");

  private DiskChecks() {}

  /// Free space.
  static Finding space(DiskFacts disk) {
    String text =
        ByteCount.text(disk.free())
            + " of "
            + ByteCount.text(disk.size())
            + " are free in "
            + disk.folder();
    String[] advice = {
      "du -xh --max-depth=2 " + disk.folder() + " | sort -h | tail",
      "or keep less: archive.keep-days, services.uploads.keep"
    };
    if (disk.free() < TOO_FULL) {
      return Finding.problem("disk space", text + ": nothing is stored when it is full", advice);
    }
    return disk.free() < Math.min(NEARLY_FULL, disk.size() / 5)
        ? Finding.warning("disk space", text, advice)
        : Finding.ok("disk space", text);
  }

  /// Files that can still be made.
  static Finding inodes(DiskFacts disk) {
    Long all = disk.inodes();
    Long free = disk.freeInodes();
    if (all == null || free == null) {
      return Finding.unknown("disk files", "the number of free inodes cannot be read");
    }
    if (all == 0) {
      return Finding.ok("disk files", disk.type() + " does not limit the number of files");
    }
    String text = free + " of " + all + " files can still be made";
    String advice = "df -i " + disk.folder();
    if (free < FEW_FILES) {
      return Finding.problem("disk files", text, advice);
    }
    return free < all / 20
        ? Finding.warning("disk files", text, advice)
        : Finding.ok("disk files", text);
  }

  /// The kind of filesystem.
  ///
  /// @param isFile whether the database is a file on it
  static Finding filesystem(DiskFacts disk, boolean isFile) {
    String type = disk.type();
    String move = "put data on a local disk, such as data = \"/var/lib/zonda\"";
    if (NETWORK.contains(type)) {
      return isFile
          ? Finding.problem(
              "filesystem",
              type + " is a disk of another machine: SQLite may lose or damage data on it",
              move,
              "or use a database server: storage.url = \"postgresql://HOST/zonda\"")
          : Finding.ok("filesystem", type + "; the database is on a server of its own");
    }
    if (MEMORY.contains(type)) {
      return Finding.problem(
          "filesystem", type + " is memory: all is lost when the machine restarts", move);
    }
    if (LAYERS.contains(type)) {
      return Finding.warning(
          "filesystem",
          type + " is a layer of a container: its files are lost when the container is removed",
          "mount a volume: docker run -v zonda-data:" + disk.folder() + " ...");
    }
    return Finding.ok("filesystem", type);
  }

  /// How long writes take.
  static Finding speed(DiskFacts disk) {
    DiskFacts.Speed speed = disk.speed();
    if (speed == null) {
      return Finding.unknown("disk speed", "no file could be written into the data folder");
    }
    String text =
        "a small write is on the disk after "
            + millis(speed.median())
            + " ms (median), "
            + millis(speed.worst())
            + " ms at worst";
    String advice = "put data on a faster disk (SSD), not one that others keep busy";
    if (speed.median().compareTo(TOO_SLOW) > 0) {
      return Finding.problem(
          "disk speed", text + ": every message waits for that before it is acknowledged", advice);
    }
    return speed.median().compareTo(SLOW) > 0 || speed.worst().compareTo(PAUSE) > 0
        ? Finding.warning("disk speed", text, advice)
        : Finding.ok("disk speed", text);
  }

  private static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.1f", time.toNanos() / 1_000_000.0);
  }

  /// All of them.
  public static List<Finding> all(DiskFacts disk, boolean isFile) {
    return List.of(space(disk), inodes(disk), filesystem(disk, isFile), speed(disk));
  }
}
