package im.zonda.net.tls;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.random.RandomGenerator;

/// Writes certificates (RFC 5280) and requests for them (RFC 2986), signed with ECDSA.
public final class CertificateWriter {
  private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String SUBJECT_ALT_NAME = "2.5.29.17";
  private static final String EXTENSION_REQUEST = "1.2.840.113549.1.9.14";
  private static final String ACME_IDENTIFIER = "1.3.6.1.5.5.7.1.31";
  private static final byte[] CRITICAL = {1, 1, (byte) 0xff};
  private static final int DNS_NAME = 0x82;
  private static final int VERSION_3 = 2;
  private static final int EXTENSIONS = 0xa3;
  private static final int ATTRIBUTES = 0xa0;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private CertificateWriter() {}

  /// A certificate that is signed with its own key.
  ///
  /// @param names the domains, as A-labels
  /// @param now valid from a day before, as clients' clocks may be behind
  static byte[] selfSigned(
      KeyPair pair, List<String> names, Instant now, Duration validity, RandomGenerator random) {
    return selfSigned(
        pair, names, new Instant[] {now, now.plus(validity)}, random, subjectAltNames(names));
  }

  /// The certificate that proves the control of a domain (RFC 8737, section 3).
  ///
  /// @param digest the SHA-256 of the key authorization
  static byte[] forChallenge(
      KeyPair pair, String domain, byte[] digest, Instant now, RandomGenerator random) {
    byte[] identifier =
        Der.sequence(Der.objectId(ACME_IDENTIFIER), CRITICAL, Der.octets(Der.octets(digest)));
    List<String> names = List.of(domain);
    return selfSigned(
        pair,
        names,
        new Instant[] {now, now.plus(Duration.ofDays(1))},
        random,
        subjectAltNames(names),
        identifier);
  }

  private static byte[] selfSigned(
      KeyPair pair,
      List<String> names,
      Instant[] times,
      RandomGenerator random,
      byte[]... extensions) {
    byte[] name =
        Der.sequence(Der.set(Der.sequence(Der.objectId(COMMON_NAME), Der.utf8(commonName(names)))));
    byte[] serial = new byte[16];
    random.nextBytes(serial);
    return signed(
        Der.sequence(
            Der.tagged(0xa0, Der.integer(BigInteger.valueOf(VERSION_3))),
            Der.integer(new BigInteger(1, serial)),
            Der.sequence(Der.objectId(ECDSA_WITH_SHA256)),
            name,
            Der.sequence(
                Der.time(TIME.format(times[0].minus(Duration.ofDays(1)))),
                Der.time(TIME.format(times[1]))),
            name,
            pair.getPublic().getEncoded(),
            Der.tagged(EXTENSIONS, Der.sequence(extensions))),
        pair);
  }

  /// A request for a certificate, in DER.
  ///
  /// @param names the domains, as A-labels
  public static byte[] request(KeyPair pair, List<String> names) {
    byte[] attribute =
        Der.sequence(
            Der.objectId(EXTENSION_REQUEST), Der.set(Der.sequence(subjectAltNames(names))));
    return signed(
        Der.sequence(
            Der.integer(BigInteger.ZERO),
            Der.sequence(), // the names are enough
            pair.getPublic().getEncoded(),
            Der.tagged(ATTRIBUTES, attribute)),
        pair);
  }

  private static byte[] subjectAltNames(List<String> names) {
    byte[][] alternatives = new byte[names.size()][];
    for (int i = 0; i < alternatives.length; i++) {
      alternatives[i] = Der.tagged(DNS_NAME, names.get(i).getBytes(StandardCharsets.US_ASCII));
    }
    return Der.sequence(Der.objectId(SUBJECT_ALT_NAME), Der.octets(Der.sequence(alternatives)));
  }

  private static byte[] signed(byte[] content, KeyPair pair) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(pair.getPrivate());
      signature.update(content);
      return Der.sequence(
          content, Der.sequence(Der.objectId(ECDSA_WITH_SHA256)), Der.bits(signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot sign with ECDSA", e);
    }
  }

  /// A common name has at most 64 characters.
  private static String commonName(List<String> names) {
    String first = names.getFirst();
    return first.length() <= 64 ? first : first.substring(0, 64);
  }
}
