package im.zonda.file.folder;

import im.zonda.config.ServerConfig;
import im.zonda.file.FileContents;
import im.zonda.http.HttpContent;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores each content as a file that is named by its hash.
///
/// A file becomes visible by a rename, between forcing it and forcing its folder to the disk. A
/// content that is there already is replaced by the equal one, so that its time says when it was
/// finished last.
public final class FolderContents implements FileContents {
  /// Bytes of the disk that uploads leave to the database and to logs.
  static final long RESERVED_BYTES = 67_108_864;

  private static final Logger LOG = LoggerFactory.getLogger(FolderContents.class);
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern FAN = Pattern.compile("[0-9a-f]{2}");

  private final Path folder;
  private final Path incoming;
  private final Path removed;
  private final InstantSource clock;
  private final Disk disk;

  /// The bytes that contents which are being written still need.
  private long promised; // by the lock

  /// The disk of the contents.
  @FunctionalInterface
  interface Disk {
    /// The bytes that can be written.
    long usable() throws IOException;
  }

  /// The contents where a configuration says, by default in the data folder.
  public static FolderContents of(ServerConfig config, InstantSource clock) {
    Path folder = config.storage().files();
    return new FolderContents(folder == null ? config.data().resolve("uploads") : folder, clock);
  }

  /// @param folder is created with the first content
  public FolderContents(Path folder, InstantSource clock) {
    this(folder, clock, () -> Files.getFileStore(folder).getUsableSpace());
  }

  FolderContents(Path folder, InstantSource clock, Disk disk) {
    this.disk = disk;
    this.folder = folder;
    this.incoming = folder.resolve("incoming");
    this.removed = folder.resolve("removed");
    this.clock = clock;
  }

  @Override
  public Incoming begin(long length) {
    try {
      Files.createDirectories(incoming);
      promise(length);
      try {
        return new IncomingFile(Files.createTempFile(incoming, "", ".part"), this, length);
      } catch (IOException | RuntimeException e) {
        redeem(length);
        throw e;
      }
    } catch (IOException e) {
      throw failed("cannot write in " + incoming, e);
    }
  }

  private synchronized void promise(long length) throws IOException {
    if (length > room() - promised) {
      throw new StoreException(
          StoreException.Category.FULL, "no room for " + length + " bytes in " + folder, null);
    }
    promised += length;
  }

  /// `length` bytes have been written, or are not needed.
  synchronized void redeem(long length) {
    promised -= length;
  }

  private long room() throws IOException {
    return disk.usable() - RESERVED_BYTES;
  }

  /// The exception for a failure of the file system.
  StoreException failed(String what, IOException cause) {
    StoreException.Category category;
    try {
      category = room() < 0 ? StoreException.Category.FULL : StoreException.Category.UNAVAILABLE;
    } catch (IOException e) {
      cause.addSuppressed(e);
      category = StoreException.Category.UNAVAILABLE;
    }
    return new StoreException(category, what, cause);
  }

  @Override
  public @Nullable HttpContent read(String hash, long offset, long length) {
    Path file = fileOf(hash);
    return Files.exists(file) ? new HttpContent.FilePart(file, offset, length) : null;
  }

  private Path fileOf(String hash) {
    return file(folder, hash);
  }

  /// The file in a folder of contents that has, or would have, the content with that hash.
  ///
  /// @throws IllegalArgumentException if it is no hash
  public static Path file(Path folder, String hash) {
    if (!HASH.matcher(hash).matches()) {
      throw new IllegalArgumentException("not a hash: " + hash);
    }
    return folder.resolve(hash.substring(0, 2)).resolve(hash);
  }

  /// Makes a file that has been forced to the disk the content with that hash.
  void accept(Path part, String hash) throws IOException {
    Path file = fileOf(hash);
    Path parent = file.getParent();
    if (parent == null) {
      throw new IllegalStateException("no folder of " + file);
    }
    try {
      Files.createDirectory(parent);
      force(folder);
    } catch (FileAlreadyExistsException e) {
      LOG.atTrace().setCause(e).log("upload_folder_exists");
    }
    Files.setLastModifiedTime(part, FileTime.from(clock.instant()));
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    force(parent);
  }

  /// A name in a folder is durable when the folder has been forced.
  private static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public int removeUnused(Instant before, UnaryOperator<Set<String>> used) {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try {
      return removeAllUnused(before, used);
    } catch (IOException e) {
      throw failed("cannot remove contents in " + folder, e);
    } catch (DirectoryIteratorException e) {
      throw failed("cannot list " + folder, new IOException(e));
    }
  }

  private int removeAllUnused(Instant before, UnaryOperator<Set<String>> used) throws IOException {
    restoreRemoved();
    removeAbandoned(before);
    int count = 0;
    Set<String> portion = new HashSet<>();
    try (DirectoryStream<Path> fans = Files.newDirectoryStream(folder)) {
      for (Path fan : fans) {
        if (FAN.matcher(fan.getFileName().toString()).matches()) {
          try (DirectoryStream<Path> files = Files.newDirectoryStream(fan)) {
            for (Path file : files) {
              if (isOlder(file, before)) {
                portion.add(file.getFileName().toString());
              }
              if (portion.size() == MOST_ASKED) {
                count += remove(portion, before, used);
                portion.clear();
              }
            }
          }
        }
      }
    }
    return count + remove(portion, before, used);
  }

  private int remove(Set<String> hashes, Instant before, UnaryOperator<Set<String>> used)
      throws IOException {
    if (hashes.isEmpty()) {
      return 0;
    }
    Set<String> kept = used.apply(Set.copyOf(hashes));
    int count = 0;
    for (String hash : hashes) {
      if (!kept.contains(hash) && remove(hash, before)) {
        count++;
      }
    }
    return count;
  }

  /// Removes a content unless it has been finished again. It is moved away first: what is finished
  /// before that has a new time and is moved back, and what is finished after it is another file.
  private boolean remove(String hash, Instant before) throws IOException {
    Path file = fileOf(hash);
    Path aside = removed.resolve(hash);
    Files.createDirectories(removed);
    try {
      Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      LOG.atDebug().addKeyValue("hash", hash).setCause(e).log("upload_removed_already");
      return false;
    }
    if (!isOlder(aside, before)) {
      restore(aside);
      return false;
    }
    return Files.deleteIfExists(aside);
  }

  /// Moves a content back, unless it has been finished again meanwhile.
  private void restore(Path aside) throws IOException {
    try {
      Files.createLink(fileOf(aside.getFileName().toString()), aside);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      LOG.atDebug().setCause(e).log("upload_not_restored");
    }
    Files.deleteIfExists(aside);
  }

  /// A process that was killed while it removed contents has left them aside.
  private void restoreRemoved() throws IOException {
    if (Files.isDirectory(removed)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(removed)) {
        for (Path file : files) {
          restore(file);
        }
      }
    }
  }

  private void removeAbandoned(Instant before) throws IOException {
    if (Files.isDirectory(incoming)) {
      try (DirectoryStream<Path> parts = Files.newDirectoryStream(incoming)) {
        for (Path part : parts) {
          if (isOlder(part, before)) {
            Files.deleteIfExists(part);
          }
        }
      }
    }
  }

  private static boolean isOlder(Path file, Instant time) throws IOException {
    try {
      return Files.getLastModifiedTime(file).toInstant().isBefore(time);
    } catch (NoSuchFileException e) {
      LOG.atTrace().setCause(e).log("upload_file_gone");
      return false;
    }
  }
}
