package im.zonda.module.export;

import im.zonda.directory.AccountExport.Sink;
import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// The folder of the data folder that exports go to. Only the user that runs the server can read
/// it.
///
/// @param folder the folder, which is made when it is needed
record ExportFolder(Path folder) {
  private static final String PLAIN = "[a-z0-9_-][a-z0-9._-]{0,99}";

  /// Writes a document.
  @FunctionalInterface
  interface Document {
    void write(Sink sink) throws IOException, InterruptedException;
  }

  /// The same below this one.
  ExportFolder in(String name) {
    return new ExportFolder(folder.resolve(name));
  }

  /// What an export is called: what it is of, and when it was made.
  static String named(Jid address, Instant now) {
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString().replace(":", "");
    String local = address.local();
    return (local == null ? "" : file(local) + "@") + address.domain() + "-" + time;
  }

  /// The name of a file for a text, which may be long and have any character: itself if it is
  /// plain, otherwise its hash.
  static String file(String text) {
    return text.matches(PLAIN) ? text : "x-" + HashFunction.SHA_256.hex(text);
  }

  /// Writes a file; there is none under its name before it is complete.
  ///
  /// @return the file
  Path write(String name, Document document) throws IOException, InterruptedException {
    Files.createDirectories(folder, permissions("rwx------"));
    Path part = folder.resolve(name + ".part");
    Files.deleteIfExists(part);
    Files.createFile(part, permissions("rw-------"));
    boolean complete = false;
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
        document.write(out::write);
      }
      complete = true;
    } finally {
      if (!complete) {
        Files.deleteIfExists(part);
      }
    }
    return Files.move(part, folder.resolve(name));
  }

  private static FileAttribute<?>[] permissions(String of) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(of))
        }
        : new FileAttribute<?>[0];
  }
}
