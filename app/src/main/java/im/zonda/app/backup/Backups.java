package im.zonda.app.backup;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The backups in a folder.
public final class Backups {
  static final String UNFINISHED = ".unfinished";

  private static final Logger LOG = LoggerFactory.getLogger(Backups.class);
  private static final String LOCK = ".zonda-backup.lock";
  private static final String VERIFIED = "verified";
  private static final int MAX_TIME_BYTES = 64;

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'zonda-'uuuu-MM-dd'T'HHmm'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /// A number follows the time of the second one in a minute.
  private static final Pattern NAMES =
      Pattern.compile("zonda-\\d{4}-\\d\\d-\\d\\dT\\d{4}Z(-\\d{1,4})?");

  private Backups() {}

  /// A backup.
  ///
  /// @param folder its folder
  /// @param manifest its manifest
  /// @param verified when it was last verified without a problem; null if it was not, or had one
  public record Found(Path folder, Manifest manifest, @Nullable Instant verified) {}

  /// The whole backups in a folder, the newest first. Whether their files are damaged is not
  /// checked.
  public static List<Found> list(Path folder) throws IOException {
    List<Found> found = new ArrayList<>();
    for (Path each : matching(folder, "")) {
      try {
        found.add(new Found(each, Manifest.read(each), verified(each)));
      } catch (IOException e) {
        // Not ours, or damaged: it is neither used nor removed.
        LOG.atWarn().addKeyValue("folder", each).setCause(e).log("backup_unreadable");
      }
    }
    found.sort(
        Comparator.comparing((Found each) -> each.manifest().time())
            .thenComparing(each -> each.folder().getFileName().toString())
            .reversed());
    return found;
  }

  private static List<Path> matching(Path folder, String ending) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(
              each -> {
                String name = each.getFileName().toString();
                return name.endsWith(ending)
                    && NAMES.matcher(name.substring(0, name.length() - ending.length())).matches()
                    && Files.isDirectory(each)
                    && !Files.isSymbolicLink(each);
              })
          .toList();
    }
  }

  private static @Nullable Instant verified(Path backup) throws IOException {
    Path file = backup.resolve(VERIFIED);
    if (Files.notExists(file) || Files.size(file) > MAX_TIME_BYTES) {
      return null;
    }
    try {
      return Instant.parse(Files.readString(file, StandardCharsets.ISO_8859_1).strip());
    } catch (DateTimeException e) {
      LOG.atDebug().addKeyValue("file", file).setCause(e).log("backup_mark_unreadable");
      return null;
    }
  }

  /// Records whether a backup has no problem; does nothing where that cannot be written.
  static void recordVerified(Path backup, boolean isWhole, Instant now) {
    Path file = backup.resolve(VERIFIED);
    try {
      if (isWhole) {
        DurableFiles.write(file, (now + "\n").getBytes(StandardCharsets.US_ASCII));
      } else {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.atDebug().addKeyValue("file", file).setCause(e).log("backup_mark_not_written");
    }
  }

  /// Removes the oldest backups but `keep`. The newest one that was verified stays in any case.
  ///
  /// @param keep at least 1
  /// @return those that were removed
  static List<Path> removeOldest(Path folder, int keep) throws IOException {
    List<Found> all = list(folder);
    Found verified = all.stream().filter(each -> each.verified() != null).findFirst().orElse(null);
    List<Path> removed = new ArrayList<>();
    for (Found each : all.subList(Math.min(keep, all.size()), all.size())) {
      if (!each.equals(verified)) {
        // What is left of it after a crash is no backup any longer.
        Path unfinished = each.folder().resolveSibling(each.folder().getFileName() + UNFINISHED);
        Files.move(each.folder(), unfinished, StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.removeAll(unfinished);
        removed.add(each.folder());
      }
    }
    return removed;
  }

  /// Removes what interrupted processes have left.
  static void removeUnfinished(Path folder) throws IOException {
    for (Path each : matching(folder, UNFINISHED)) {
      LOG.atWarn().addKeyValue("folder", each).log("backup_unfinished_removed");
      DurableFiles.removeAll(each);
    }
  }

  /// The folder of a new backup, which does not exist.
  static Path free(Path folder, Instant time) {
    String name = NAME.format(time);
    Path free = folder.resolve(name);
    for (int number = 2; Files.exists(free); number++) {
      free = folder.resolve(name + "-" + number);
    }
    return free;
  }

  /// Locks a folder of backups for this process until it is closed.
  ///
  /// @throws IOException if another backup is being written there
  static FileChannel lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      LOG.atDebug().addKeyValue("folder", folder).setCause(e).log("backup_folder_locked");
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw new IOException("another backup is being written in " + folder);
    }
    return channel;
  }
}
