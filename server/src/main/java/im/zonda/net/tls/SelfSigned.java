package im.zonda.net.tls;

import im.zonda.stream.CertificateNames;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The certificate that the server signs itself, so that TLS works before an administrator has set
/// it up. ECDSA on P-256, for all hosts and the domains of their services.
public final class SelfSigned {
  private static final Logger LOG = LoggerFactory.getLogger(SelfSigned.class);
  private static final Duration VALIDITY = Duration.ofDays(825);
  private static final Duration RENEWAL = Duration.ofDays(30);
  private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String SUBJECT_ALT_NAME = "2.5.29.17";
  private static final int DNS_NAME = 0x82;
  private static final int VERSION_3 = 2;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private SelfSigned() {}

  /// The certificate in `folder`. It is made if there is none, and made again if it does not name
  /// all `domains` or ends within a month; the key stays the same then.
  ///
  /// @throws IOException if the folder cannot be read or written
  public static PemFiles ensure(
      Path folder, List<String> domains, InstantSource clock, RandomGenerator random)
      throws IOException {
    PemFiles files =
        new PemFiles(folder.resolve("self-signed.crt"), folder.resolve("self-signed.key"));
    List<String> names = domains.stream().map(CertificateNames::toAscii).distinct().toList();
    if (fits(files, names, clock.instant())) {
      return files;
    }
    try {
      KeyPair old = existingKeys(files);
      KeyPair pair = old == null ? newKeys() : old;
      byte[] certificate = certificate(pair, names, clock.instant(), random);
      Files.createDirectories(folder);
      write(files.key(), pem("PRIVATE KEY", pair.getPrivate().getEncoded()), "rw-------");
      write(files.certificate(), pem("CERTIFICATE", certificate), "rw-r--r--");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot make an ECDSA certificate", e);
    }
    LOG.atInfo()
        .addKeyValue("file", files.certificate())
        .addKeyValue("domains", domains)
        .log("certificate_self_signed");
    return files;
  }

  /// The keys of the certificate that is there, or null if it cannot be used.
  private static @Nullable KeyPair existingKeys(PemFiles files) {
    if (!Files.exists(files.certificate()) || !Files.exists(files.key())) {
      return null;
    }
    try {
      TlsIdentity old = TlsIdentity.load(files);
      return old.key().getAlgorithm().equals("EC")
          ? new KeyPair(old.leaf().getPublicKey(), old.key())
          : null;
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("file", files.certificate())
          .setCause(e)
          .log("certificate_self_signed_unreadable");
      return null;
    }
  }

  private static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static boolean fits(PemFiles files, List<String> names, Instant now) throws IOException {
    if (!Files.exists(files.certificate()) || !Files.exists(files.key())) {
      return false;
    }
    try {
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(
                      new ByteArrayInputStream(Files.readAllBytes(files.certificate())));
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      List<Object> named = new ArrayList<>();
      if (alternatives != null) {
        alternatives.forEach(alternative -> named.add(alternative.get(1)));
      }
      return named.containsAll(names)
          && certificate.getNotAfter().toInstant().isAfter(now.plus(RENEWAL));
    } catch (GeneralSecurityException e) {
      LOG.atWarn()
          .addKeyValue("file", files.certificate())
          .setCause(e)
          .log("certificate_self_signed_unreadable");
      return false;
    }
  }

  private static byte[] certificate(
      KeyPair pair, List<String> names, Instant now, RandomGenerator random)
      throws GeneralSecurityException {
    byte[] algorithm = Der.sequence(Der.objectId(ECDSA_WITH_SHA256));
    byte[] name =
        Der.sequence(Der.set(Der.sequence(Der.objectId(COMMON_NAME), Der.utf8(commonName(names)))));
    byte[][] alternatives = new byte[names.size()][];
    for (int i = 0; i < alternatives.length; i++) {
      alternatives[i] = Der.tagged(DNS_NAME, names.get(i).getBytes(StandardCharsets.US_ASCII));
    }
    byte[] extension =
        Der.sequence(Der.objectId(SUBJECT_ALT_NAME), Der.octets(Der.sequence(alternatives)));
    byte[] serial = new byte[16];
    random.nextBytes(serial);
    byte[] toBeSigned =
        Der.sequence(
            Der.tagged(0xa0, Der.integer(BigInteger.valueOf(VERSION_3))),
            Der.integer(new BigInteger(1, serial)),
            algorithm,
            name,
            Der.sequence(
                // A client's clock may be behind.
                Der.time(TIME.format(now.minus(Duration.ofDays(1)))),
                Der.time(TIME.format(now.plus(VALIDITY)))),
            name,
            pair.getPublic().getEncoded(),
            Der.tagged(0xa3, Der.sequence(extension)));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(toBeSigned);
    return Der.sequence(toBeSigned, algorithm, Der.bits(signature.sign()));
  }

  /// A common name has at most 64 characters.
  private static String commonName(List<String> names) {
    String first = names.getFirst();
    return first.length() <= 64 ? first : first.substring(0, 64);
  }

  private static String pem(String kind, byte[] bytes) {
    String base64 =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }

  /// Writes a new file and renames it, so that no reader sees half a file; it has the permissions
  /// from the start.
  private static void write(Path file, String content, String permissions) throws IOException {
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
