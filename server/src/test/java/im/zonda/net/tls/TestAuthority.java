package im.zonda.net.tls;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Issues certificates for requests, after a check of their signatures.
public final class TestAuthority {
  private static final byte[] ALGORITHM = Der.sequence(Der.objectId("1.2.840.10045.4.3.2"));
  private static final byte[] SUBJECT_ALT_NAME = Der.objectId("2.5.29.17");
  private static final int DNS_NAME = 0x82;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private final KeyPair own = KeyFile.create();
  private int serial;

  /// A request that has been read.
  ///
  /// @param keyBytes the public key
  /// @param names the domains
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Request(byte[] keyBytes, List<String> names) {}

  /// Reads a request for a certificate, and checks that it is signed with its key.
  public static Request read(byte[] request) throws GeneralSecurityException {
    byte[] content = part(request, contentOf(request, 0));
    int algorithm = contentOf(request, 0) + content.length;
    int signature = algorithm + part(request, algorithm).length;
    int version = contentOf(content, 0);
    int subject = version + part(content, version).length;
    byte[] key = part(content, subject + part(content, subject).length);
    PublicKey verifying = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(key));
    Signature check = Signature.getInstance("SHA256withECDSA");
    check.initVerify(verifying);
    check.update(content);
    byte[] bits = part(request, signature);
    if (!check.verify(Arrays.copyOfRange(bits, contentOf(bits, 0) + 1, bits.length))) {
      throw new GeneralSecurityException("the request is not signed with its key");
    }
    return new Request(key, names(content));
  }

  private static List<String> names(byte[] content) {
    int at = 0;
    while (!Arrays.equals(
        SUBJECT_ALT_NAME, Arrays.copyOfRange(content, at, at + SUBJECT_ALT_NAME.length))) {
      at++;
    }
    byte[] octets = part(content, at + SUBJECT_ALT_NAME.length);
    byte[] all = part(octets, contentOf(octets, 0));
    List<String> names = new ArrayList<>();
    for (int i = contentOf(all, 0); i < all.length; i += part(all, i).length) {
      byte[] name = part(all, i);
      names.add(new String(name, contentOf(name, 0), name.length - 2, StandardCharsets.US_ASCII));
    }
    return names;
  }

  /// The value that begins there, with its tag and length.
  private static byte[] part(byte[] bytes, int at) {
    int content = contentOf(bytes, at);
    int length = bytes[at + 1] & 0xff;
    if (length >= 0x80) {
      length = new BigInteger(1, Arrays.copyOfRange(bytes, at + 2, content)).intValue();
    }
    return Arrays.copyOfRange(bytes, at, content + length);
  }

  private static int contentOf(byte[] bytes, int at) {
    int length = bytes[at + 1] & 0xff;
    return at + 2 + (length < 0x80 ? 0 : length & 0x7f);
  }

  /// A certificate as PEM.
  public String issue(Request request, Instant from, Instant to) throws GeneralSecurityException {
    byte[][] alternatives =
        request.names().stream()
            .map(name -> Der.tagged(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII)))
            .toArray(byte[][]::new);
    byte[] issuer =
        Der.sequence(Der.set(Der.sequence(Der.objectId("2.5.4.3"), Der.utf8("Test authority"))));
    byte[] content =
        Der.sequence(
            Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
            Der.integer(BigInteger.valueOf(++serial)),
            ALGORITHM,
            issuer,
            Der.sequence(Der.time(TIME.format(from)), Der.time(TIME.format(to))),
            Der.sequence(),
            request.keyBytes(),
            Der.tagged(
                0xa3,
                Der.sequence(
                    Der.sequence(
                        SUBJECT_ALT_NAME,
                        new byte[] {1, 1, (byte) 0xff}, // critical, as there is no subject
                        Der.octets(Der.sequence(alternatives))))));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(own.getPrivate());
    signature.update(content);
    return PemText.of("CERTIFICATE", Der.sequence(content, ALGORITHM, Der.bits(signature.sign())));
  }
}
