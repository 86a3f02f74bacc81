package im.zonda.storage.sql.database;

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

/// The native part of SQLite as a file in the data folder.
///
/// The driver would unpack it into the temporary folder at every start and remove it at a clean
/// stop only: each server that is killed would leave a copy.
public final class NativeLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
  private static final String PREFIX = "sqlite-";
  private static final String PATH_PROPERTY = "org.sqlite.lib.path";

  private NativeLibrary() {}

  /// Unpacks the library into the folder `native` of a data folder, unless it is there, and has the
  /// driver load it from there. The data folder must be this process's own. Must be called before
  /// the first connection. Where that is not possible the driver does it in its own way.
  public static void keepIn(Path data) {
    if (System.getProperty(PATH_PROPERTY) != null) {
      return; // the administrator's choice, or done already
    }
    Path folder = data.resolve("native").toAbsolutePath();
    Path library = unpack(folder);
    if (library != null) {
      System.setProperty("org.sqlite.lib.name", folder.relativize(library).toString());
      System.setProperty(PATH_PROPERTY, folder.toString());
    }
  }

  /// The unpacked library in `folder`; null if it cannot be unpacked there. Libraries of other
  /// versions are removed.
  static @Nullable Path unpack(Path folder) {
    String packed = LibraryLoaderUtil.getNativeLibResourcePath();
    String name = LibraryLoaderUtil.getNativeLibName();
    try (InputStream in = SQLiteJDBCLoader.class.getResourceAsStream(packed + "/" + name)) {
      if (in == null) {
        return null; // a machine for which the driver has none
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
