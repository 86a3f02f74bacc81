package im.zonda.net.tls;

import im.zonda.runtime.FailureText;
import im.zonda.stream.CertificateNames;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A certificate chain with its private key, checked to belong together.
///
/// @param chain the chain, the leaf first
/// @param key the leaf's private key
/// @param names the domains that the leaf names
record TlsIdentity(List<X509Certificate> chain, PrivateKey key, CertificateNames names) {
  private static final Logger LOG = LoggerFactory.getLogger(TlsIdentity.class);
  private static final Pattern PEM_KEY =
      Pattern.compile("-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([A-Za-z0-9+/=\\s]+)-----END");
  private static final String RSA = "1.2.840.113549.1.1.1";
  private static final String EC = "1.2.840.10045.2.1";
  private static final int MAX_FILE = 1_048_576;

  /// Reads and checks the files.
  ///
  /// @throws IOException with a sentence for the administrator if they cannot be used
  static TlsIdentity load(PemFiles files) throws IOException {
    List<X509Certificate> chain = chain(files.certificate());
    PrivateKey key = key(files.key());
    X509Certificate leaf = chain.getFirst();
    if (!belongTogether(leaf, key)) {
      throw new IOException(
          "the key in "
              + files.key()
              + " is not that of the certificate in "
              + files.certificate());
    }
    return new TlsIdentity(chain, key, names(leaf, files.certificate()));
  }

  /// The leaf certificate.
  X509Certificate leaf() {
    return chain.getFirst();
  }

  /// Whether the certificate has ended by then.
  boolean endedBy(Instant time) {
    return leaf().getNotAfter().toInstant().isBefore(time);
  }

  /// The certificates of a PEM file, at least one.
  static List<X509Certificate> chain(Path file) throws IOException {
    try {
      List<X509Certificate> chain = new ArrayList<>();
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(read(file)))) {
        chain.add((X509Certificate) certificate);
      }
      if (chain.isEmpty()) {
        throw new IOException(file + " holds no certificate");
      }
      return List.copyOf(chain);
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " is no PEM file of certificates", e);
    }
  }

  private static PrivateKey key(Path file) throws IOException {
    String text = new String(read(file), StandardCharsets.US_ASCII);
    Matcher matcher = PEM_KEY.matcher(text);
    if (!matcher.find()) {
      throw new IOException(
          file
              + (text.contains("ENCRYPTED")
                  ? " holds an encrypted key; the server cannot ask for its password"
                  : " is no PEM file of a private key"));
    }
    byte[] der;
    try {
      der = Base64.getMimeDecoder().decode(matcher.group(2));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is damaged", e);
    }
    byte[] pkcs8 =
        switch (matcher.group(1)) {
          case "RSA PRIVATE KEY" -> wrap(der, Der.objectId(RSA), new byte[] {5, 0});
          case "EC PRIVATE KEY" -> wrap(der, Der.objectId(EC), curve(der, file));
          default -> der;
        };
    for (String algorithm : List.of("EC", "RSA", "EdDSA")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException otherKind) {
        LOG.atTrace().addKeyValue("algorithm", algorithm).log("key_of_another_algorithm");
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this Java runtime has no " + algorithm, e);
      }
    }
    throw new IOException(file + " holds no RSA, EC or EdDSA key");
  }

  /// The key of a traditional file as PKCS #8.
  private static byte[] wrap(byte[] key, byte[] algorithm, byte[] parameters) {
    return Der.sequence(
        Der.integer(BigInteger.ZERO), Der.sequence(algorithm, parameters), Der.octets(key));
  }

  /// The name of the curve in an `EC PRIVATE KEY`: the object identifier inside the tag `[0]`.
  private static byte[] curve(byte[] key, Path file) throws IOException {
    for (int i = 0; i + 3 < key.length; i++) {
      boolean named = (key[i] & 0xff) == 0xa0 && key[i + 2] == 6;
      if (named && key[i + 1] == key[i + 3] + 2 && i + 4 + key[i + 3] <= key.length) {
        return Der.tagged(6, Arrays.copyOfRange(key, i + 4, i + 4 + key[i + 3]));
      }
    }
    throw new IOException(file + " does not name the curve of its key");
  }

  private static boolean belongTogether(X509Certificate leaf, PrivateKey key) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    try {
      byte[] probe = "zonda".getBytes(StandardCharsets.US_ASCII);
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(probe);
      byte[] signature = signer.sign();
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(leaf.getPublicKey());
      verifier.update(probe);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static CertificateNames names(X509Certificate leaf, Path file) throws IOException {
    try {
      return CertificateNames.of(leaf);
    } catch (CertificateParsingException e) {
      throw new IOException("the names in " + file + " cannot be read", e);
    }
  }

  private static byte[] read(Path file) throws IOException {
    if (Files.size(file) > MAX_FILE) {
      throw new IOException(file + " is too large for a certificate or key");
    }
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IOException(FailureText.of(e, file), e);
    }
  }
}
