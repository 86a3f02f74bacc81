package im.zonda.testkit.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// A certificate authority of tests, and a server certificate for `localhost` only: no address has
/// it. Made by the JDK's `keytool`.
///
/// @param authority PEM file with the authority's certificate
/// @param certificate PEM file with the server's certificate
/// @param key PEM file with the server's key
public record TestAuthority(Path authority, Path certificate, Path key) {
  private static final String PASSWORD = "password";

  /// Makes an authority with files in a folder.
  public static TestAuthority create(Path folder) {
    Path store = folder.resolve("authority.p12");
    TestAuthority made =
        new TestAuthority(
            folder.resolve("authority.crt"),
            folder.resolve("server.crt"),
            folder.resolve("server.key"));
    try {
      keytool(store, "-genkeypair", "-alias", "ca", "-dname", "CN=Test CA", "-ext", "bc:c");
      keytool(
          store,
          "-genkeypair",
          "-alias",
          "server",
          "-dname",
          "CN=localhost",
          "-signer",
          "ca",
          "-ext",
          "san=dns:localhost");
      made.export(store);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return made;
  }

  private static void keytool(Path store, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "30"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(text);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void export(Path store) throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    write(authority, "CERTIFICATE", keys.getCertificate("ca").getEncoded());
    write(certificate, "CERTIFICATE", keys.getCertificate("server").getEncoded());
    write(key, "PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
  }

  private static void write(Path file, String type, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
