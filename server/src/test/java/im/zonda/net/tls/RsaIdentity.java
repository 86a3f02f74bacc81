package im.zonda.net.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;

/// A certificate with an RSA key, signed with its own key.
final class RsaIdentity {
  private static final String SHA256_WITH_RSA = "1.2.840.113549.1.1.11";

  private RsaIdentity() {}

  /// Writes a certificate for a domain into a folder.
  static PemFiles create(Path folder, String domain) throws GeneralSecurityException, IOException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2_048);
    KeyPair pair = generator.generateKeyPair();
    byte[] name = Der.sequence(Der.set(Der.sequence(Der.objectId("2.5.4.3"), Der.utf8(domain))));
    byte[] algorithm = Der.sequence(Der.objectId(SHA256_WITH_RSA));
    byte[] names = Der.sequence(Der.tagged(0x82, domain.getBytes(StandardCharsets.US_ASCII)));
    byte[] content =
        Der.sequence(
            Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
            Der.integer(BigInteger.TEN),
            algorithm,
            name,
            Der.sequence(Der.time("20200101000000Z"), Der.time("20990101000000Z")),
            name,
            pair.getPublic().getEncoded(),
            Der.tagged(
                0xa3, Der.sequence(Der.sequence(Der.objectId("2.5.29.17"), Der.octets(names)))));
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(pair.getPrivate());
    signature.update(content);
    byte[] certificate = Der.sequence(content, algorithm, Der.bits(signature.sign()));
    return new PemFiles(
        write(folder.resolve("rsa.crt"), "CERTIFICATE", certificate),
        write(folder.resolve("rsa.key"), "PRIVATE KEY", pair.getPrivate().getEncoded()));
  }

  private static Path write(Path file, String kind, byte[] der) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(der);
    return Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }
}
