package im.zonda.storage.sql.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/// The native library of SQLite, unpacked in the data folder.
///
/// The driver would unpack it into the temporary folder at each start and remove it at a clean stop
/// only, so each killed server would leave a copy.
public final class NativeLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
  private static final String PREFIX = "sqlite-";
  private static final String PATH_PROPERTY = "org.sqlite.lib.path";

  private NativeLibrary() {}

  /// Unpacks the library into the folder `native` of a data folder, unless it exists, and makes the
  /// driver load it from there. The data folder must be used by this process only. Must be called
  /// before the first connection is opened. If unpacking fails, the driver falls back to the
  /// temporary folder.
  public static void keepIn(Path data) {
    if (System.getProperty(PATH_PROPERTY) != null) {
      return; // set by the administrator, or done already
    }
    Path folder = data.resolve("native").toAbsolutePath();
    Path library = unpack(folder);
    if (library != null) {
      System.setProperty("org.sqlite.lib.name", folder.relativize(library).toString());
      System.setProperty(PATH_PROPERTY, folder.toString());
    }
  }

  /// Returns the unpacked library in `folder`, or null if it cannot be unpacked there. Removes
  /// libraries of other versions.
  static @Nullable Path unpack(Path folder) {
    String packed = LibraryLoaderUtil.getNativeLibResourcePath();
    String name = LibraryLoaderUtil.getNativeLibName();
    try (InputStream in = SQLiteJDBCLoader.class.getResourceAsStream(packed + "/" + name)) {
      if (in == null) {
        return null; // the driver has no library for this platform
      }
      byte[] bytes = in.readAllBytes();
      String platform = packed.substring("/org/sqlite/native/".length()).replace('/', '-');
      Path library =
          folder.resolve(PREFIX + SQLiteJDBCLoader.getVersion() + "-" + platform + "-" + name);
      Files.createDirectories(folder);
      removeOthers(folder, library);
      if (!Files.isRegularFile(library) || !Arrays.equals(Files.readAllBytes(library), bytes)) {
        Path unfinished = folder.resolve(PREFIX + "unfinished");
        Files.write(unfinished, bytes);
        Files.move(unfinished, library, StandardCopyOption.ATOMIC_MOVE);
      }
      return library;
    } catch (IOException e) {
      LOG.atDebug().addKeyValue("folder", folder).setCause(e).log("native_library_not_kept");
      return null;
    }
  }

  private static void removeOthers(Path folder, Path library) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*")) {
      for (Path file : files) {
        if (!file.equals(library)) {
          Files.delete(file);
        }
      }
    }
  }
}
