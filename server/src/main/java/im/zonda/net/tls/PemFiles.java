package im.zonda.net.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/// A certificate on disk.
///
/// @param certificate PEM file with the certificate and those that signed it, the leaf first
/// @param key PEM file with its private key, not encrypted
public record PemFiles(Path certificate, Path key) {
  /// When the files were last written; changes when either is replaced.
  ///
  /// @param certificate the certificate file's time
  /// @param key the key file's time
  /// @param bytes the size of both
  record Version(FileTime certificate, FileTime key, long bytes) {}

  /// The version of the files now.
  Version version() throws IOException {
    return new Version(
        Files.getLastModifiedTime(certificate),
        Files.getLastModifiedTime(key),
        Files.size(certificate) + Files.size(key));
  }
}
