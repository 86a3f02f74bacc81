package im.zonda.testkit.issuer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertList;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V2TBSCertListGenerator;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;

/// An authority that issues whatever certificates tests want.
public final class CertificateIssuer {
  public static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");

  private static final AlgorithmIdentifier ECDSA =
      new AlgorithmIdentifier(new ASN1ObjectIdentifier("1.2.840.10045.4.3.2"));
  private static final AtomicLong SERIAL = new AtomicLong(1_000);

  private final X500Name name;
  private final KeyPair keys;
  private final X509Certificate certificate;

  private CertificateIssuer(X500Name name, KeyPair keys, X509Certificate certificate) {
    this.name = name;
    this.keys = keys;
    this.certificate = certificate;
  }

  /// What a certificate says.
  public static final class Wanted {
    public X500Name subject = common("somebody");
    public final List<ASN1Encodable> alternatives = new ArrayList<>();
    public Instant from = NOW.minus(Duration.ofDays(1));
    public Instant until = NOW.plus(Duration.ofDays(1));
    public int usage = KeyUsage.digitalSignature;
    public boolean critical;
    public KeyPurposeId purpose = KeyPurposeId.id_kp_clientAuth;
    public boolean authority;

    public Wanted named(X500Name wanted) {
      subject = wanted;
      return this;
    }

    public Wanted xmpp(String address) {
      alternatives.add(xmppAddr(new DERUTF8String(address)));
      return this;
    }

    public Wanted email(String address) {
      alternatives.add(new GeneralName(GeneralName.rfc822Name, address));
      return this;
    }
  }

  public static X500Name common(String... names) {
    X500NameBuilder builder = new X500NameBuilder(BCStyle.INSTANCE);
    builder.addRDN(BCStyle.O, "Test");
    for (String each : names) {
      builder.addRDN(BCStyle.CN, new DERUTF8String(each));
    }
    return builder.build();
  }

  /// An alternative name of the kind `id-on-xmppAddr`.
  public static GeneralName xmppAddr(ASN1Encodable value) {
    ASN1EncodableVector other = new ASN1EncodableVector();
    other.add(new ASN1ObjectIdentifier("1.3.6.1.5.5.7.8.5"));
    other.add(new DERTaggedObject(true, 0, value));
    return new GeneralName(GeneralName.otherName, new DERSequence(other));
  }

  public static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// An authority of its own.
  public static CertificateIssuer root(String name) {
    KeyPair keys = newKeys();
    X500Name own = common(name);
    return new CertificateIssuer(own, keys, sign(own, keys.getPrivate(), keys, authority(own)));
  }

  private static Wanted authority(X500Name name) {
    Wanted wanted = new Wanted().named(name);
    wanted.usage = KeyUsage.keyCertSign | KeyUsage.cRLSign;
    wanted.authority = true;
    return wanted;
  }

  /// An authority below this one.
  public CertificateIssuer below(String lower) {
    KeyPair pair = newKeys();
    X500Name own = common(lower);
    return new CertificateIssuer(own, pair, sign(name, keys.getPrivate(), pair, authority(own)));
  }

  public X509Certificate certificate() {
    return certificate;
  }

  public X509Certificate issue(Consumer<Wanted> changes) {
    return issue(newKeys(), changes);
  }

  public X509Certificate issue(KeyPair subject, Consumer<Wanted> changes) {
    Wanted wanted = new Wanted();
    changes.accept(wanted);
    return sign(name, keys.getPrivate(), subject, wanted);
  }

  /// One that somebody who is no authority has signed.
  public static X509Certificate issuedBy(
      X509Certificate issuer, KeyPair keys, Consumer<Wanted> changes) {
    Wanted wanted = new Wanted();
    changes.accept(wanted);
    X500Name name = X500Name.getInstance(issuer.getSubjectX500Principal().getEncoded());
    return sign(name, keys.getPrivate(), newKeys(), wanted);
  }

  /// One that nobody else has signed.
  public static X509Certificate selfSigned(Consumer<Wanted> changes) {
    Wanted wanted = new Wanted();
    changes.accept(wanted);
    KeyPair own = newKeys();
    return sign(wanted.subject, own.getPrivate(), own, wanted);
  }

  private static X509Certificate sign(
      X500Name issuer, PrivateKey key, KeyPair subject, Wanted wanted) {
    try {
      V3TBSCertificateGenerator body = new V3TBSCertificateGenerator();
      body.setSerialNumber(new ASN1Integer(SERIAL.incrementAndGet()));
      body.setSignature(ECDSA);
      body.setIssuer(issuer);
      body.setSubject(wanted.subject);
      body.setStartDate(new Time(Date.from(wanted.from)));
      body.setEndDate(new Time(Date.from(wanted.until)));
      body.setSubjectPublicKeyInfo(
          SubjectPublicKeyInfo.getInstance(subject.getPublic().getEncoded()));
      ExtensionsGenerator extensions = new ExtensionsGenerator();
      extensions.addExtension(
          Extension.basicConstraints, true, new BasicConstraints(wanted.authority));
      extensions.addExtension(Extension.keyUsage, true, new KeyUsage(wanted.usage));
      if (!wanted.authority) {
        extensions.addExtension(
            Extension.extendedKeyUsage, wanted.critical, new ExtendedKeyUsage(wanted.purpose));
      }
      if (!wanted.alternatives.isEmpty()) {
        extensions.addExtension(
            Extension.subjectAlternativeName,
            wanted.critical,
            new DERSequence(wanted.alternatives.toArray(ASN1Encodable[]::new)));
      }
      body.setExtensions(extensions.generate());
      byte[] whole = signed(body.generateTBSCertificate(), key);
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(whole));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] signed(ASN1Object body, PrivateKey key)
      throws GeneralSecurityException, IOException {
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(key);
    signature.update(body.getEncoded("DER"));
    ASN1EncodableVector all = new ASN1EncodableVector();
    all.add(body);
    all.add(ECDSA);
    all.add(new DERBitString(signature.sign()));
    return new DERSequence(all).getEncoded("DER");
  }

  /// The list of what the authority has revoked, in PEM.
  public String revoking(Instant until, X509Certificate... revoked) {
    V2TBSCertListGenerator list = new V2TBSCertListGenerator();
    list.setSignature(ECDSA);
    list.setIssuer(name);
    list.setThisUpdate(new Time(Date.from(NOW.minus(Duration.ofDays(2)))));
    list.setNextUpdate(new Time(Date.from(until)));
    for (X509Certificate each : revoked) {
      BigInteger serial = each.getSerialNumber();
      list.addCRLEntry(
          new ASN1Integer(serial), new Time(Date.from(NOW.minus(Duration.ofHours(3)))), 1);
    }
    try {
      TBSCertList body = list.generateTBSCertList();
      return pem("X509 CRL", signed(body, keys.getPrivate()));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Writes the certificates of authorities.
  public static Path write(Path file, CertificateIssuer... issuers) throws Exception {
    StringBuilder text = new StringBuilder();
    for (CertificateIssuer issuer : issuers) {
      text.append(pem("CERTIFICATE", issuer.certificate.getEncoded()));
    }
    return Files.writeString(file, text);
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN "
        + kind
        + "-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes)
        + "\n-----END "
        + kind
        + "-----\n";
  }
}
