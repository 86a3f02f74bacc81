package im.zonda.host.plugin.jar;

import im.zonda.host.plugin.manifest.PluginManifest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// The jar of a plugin, which was read and checked as far as that is possible without running it.
///
/// @param manifest its `plugin.toml`
/// @param bytes the jar
/// @param sha256 the hash of the jar, in lower-case hexadecimal digits
@SuppressWarnings("ArrayRecordComponent") // read-only, compared by the hash
public record PluginJar(PluginManifest manifest, byte[] bytes, String sha256) {
  /// The most bytes of a jar.
  public static final int MOST_BYTES = 12 * 1024 * 1024;

  private static final String MANIFEST = PluginManifest.FILE;
  private static final int MOST_ENTRIES = 20_000;

  /// Reads the manifest in a jar.
  @FunctionalInterface
  public interface ManifestReader {
    /// Reads `plugin.toml`.
    ///
    /// @throws PluginJarException with everything that is wrong, for the operator
    PluginManifest read(byte[] toml) throws PluginJarException;
  }

  /// Reads a jar.
  ///
  /// @throws PluginJarException with everything that is wrong, for the operator
  public static PluginJar read(byte[] bytes, ManifestReader reader) throws PluginJarException {
    if (bytes.length > MOST_BYTES) {
      throw new PluginJarException("the jar has more than " + MOST_BYTES / 1024 / 1024 + " MiB");
    }
    byte[] manifest = null;
    int entries = 0;
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      for (ZipEntry each = zip.getNextEntry(); each != null; each = zip.getNextEntry()) {
        entries++;
        if (entries > MOST_ENTRIES) {
          throw new PluginJarException("the jar has more than " + MOST_ENTRIES + " entries");
        }
        if (each.getName().equals(MANIFEST) && manifest == null) {
          manifest = bounded(zip);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new PluginJarException("the file is no jar: " + e.getMessage());
    }
    if (entries == 0) {
      throw new PluginJarException("the file is no jar");
    }
    if (manifest == null) {
      throw new PluginJarException(
          "the jar has no " + MANIFEST + ": it is no plugin for this server");
    }
    return new PluginJar(reader.read(manifest), bytes, hash(bytes));
  }

  private static byte[] bounded(InputStream zip) throws IOException, PluginJarException {
    byte[] bytes = zip.readNBytes(PluginManifest.MOST_BYTES + 1);
    if (bytes.length > PluginManifest.MOST_BYTES) {
      throw new PluginJarException(
          MANIFEST + " has more than " + PluginManifest.MOST_BYTES / 1024 + " KiB");
    }
    return bytes;
  }

  /// The SHA-256 of some bytes, in lower-case hexadecimal digits.
  public static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PluginJar that && sha256.equals(that.sha256);
  }

  @Override
  public int hashCode() {
    return sha256.hashCode();
  }

  @Override
  public String toString() {
    return manifest.name() + " " + manifest.version() + " " + sha256;
  }
}
