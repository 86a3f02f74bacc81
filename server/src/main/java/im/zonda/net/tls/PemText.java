package im.zonda.net.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;

/// PEM files (RFC 7468).
public final class PemText {
  /// For the server's user only.
  public static final String PRIVATE = "rw-------";

  /// For everyone to read.
  public static final String PUBLIC = "rw-r--r--";

  private static final int LINE = 64;

  private PemText() {}

  /// One block.
  ///
  /// @param kind such as `CERTIFICATE`
  static String of(String kind, byte[] bytes) {
    String base64 =
        Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }

  /// Writes a new file and renames it, so that no reader sees half a file; it has the permissions
  /// from the start.
  public static void write(Path file, String content, String permissions) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(beside);
    if (Files.getFileStore(file.getParent()).supportsFileAttributeView("posix")) {
      Files.createFile(
          beside,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
    }
    Files.writeString(beside, content, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
