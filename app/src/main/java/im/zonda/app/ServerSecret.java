package im.zonda.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The server's secret. The salts that it invents for accounts that do not exist are derived from
/// it, so that they stay the same after a restart and cannot be told from real ones; so are the
/// tokens of XEP-0484, the keys of dialback (XEP-0220), the proofs of sessions that edges keep, the
/// key of the ids of messages (XEP-0359) and that of upload slots (XEP-0363). All nodes of a
/// cluster have the same.
final class ServerSecret {
  private static final String FILE = "secret";
  private static final int BYTES = 32;

  private ServerSecret() {}

  /// Reads the secret of a data folder; creates it if it does not exist.
  static byte[] in(Path folder, RandomGenerator random) throws IOException {
    byte[] found = find(folder);
    byte[] secret = found == null ? create(random) : found;
    if (found == null) {
      keep(folder, secret);
    }
    return secret;
  }

  /// The secret of a data folder; null if it has none.
  static byte @Nullable [] find(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    try {
      byte[] secret = Files.readAllBytes(file);
      if (secret.length != BYTES) {
        throw new IOException(file + " is damaged; delete it to have a new one created");
      }
      return secret;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /// A secret that no one has yet.
  static byte[] create(RandomGenerator random) {
    byte[] secret = new byte[BYTES];
    random.nextBytes(secret);
    return secret;
  }

  /// Makes it the secret of a data folder. Only the owner of the server may read the file.
  static void keep(Path folder, byte[] secret) throws IOException {
    Path part = folder.resolve(FILE + ".part");
    Files.deleteIfExists(part);
    Files.createFile(
        part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(part, secret);
    Files.move(part, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
  }
}
