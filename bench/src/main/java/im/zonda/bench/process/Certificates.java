package im.zonda.bench.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/// A certificate that its own key has signed, for loopback addresses, made by the keytool of the
/// Java installation.
///
/// @param certificate PEM file
/// @param key PEM file of the private key
public record Certificates(Path certificate, Path key) {
  /// A node or edge each may have an address of its own.
  private static final int ADDRESSES = 30;

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Base64.Encoder BASE64 =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  /// Makes one with a key of an elliptic curve.
  ///
  /// @param folder where the files go
  /// @param name the name of the files, without what tells their kind
  /// @param domains further domains of the certificate
  public static Certificates make(Path folder, String name, Iterable<String> domains)
      throws IOException {
    return make(folder, name, domains, List.of("-keyalg", "EC", "-groupname", "secp256r1"));
  }

  /// Makes one with an RSA key, which every server can read.
  public static Certificates rsa(Path folder, String name, Iterable<String> domains)
      throws IOException {
    return make(folder, name, domains, List.of("-keyalg", "RSA", "-keysize", "2048"));
  }

  private static Certificates make(
      Path folder, String name, Iterable<String> domains, List<String> kind) throws IOException {
    Path store = folder.resolve(name + ".p12");
    StringBuilder names = new StringBuilder("san=dns:localhost");
    for (int i = 1; i <= ADDRESSES; i++) {
      names.append(",ip:127.0.0.").append(i);
    }
    domains.forEach(domain -> names.append(",dns:").append(domain));
    ProcessBuilder keytool =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            name,
            "-dname",
            "CN=localhost",
            "-ext",
            names.toString(),
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            new String(PASSWORD));
    keytool.command().addAll(kind);
    String _ = ChildProcess.run("keytool", keytool, folder.resolve(name + ".keytool"), LIMIT);
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD);
      Path certificate = folder.resolve(name + ".crt");
      Path key = folder.resolve(name + ".key");
      Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate(name).getEncoded()));
      Files.writeString(key, pem("PRIVATE KEY", keys.getKey(name, PASSWORD).getEncoded()));
      return new Certificates(certificate, key);
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate could not be read", e);
    }
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN "
        + kind
        + "-----\n"
        + BASE64.encodeToString(bytes)
        + "\n-----END "
        + kind
        + "-----\n";
  }
}
