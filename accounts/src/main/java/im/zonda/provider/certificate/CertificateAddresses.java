package im.zonda.provider.certificate;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1IA5String;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.ASN1TaggedObject;
import org.bouncycastle.asn1.ASN1UTF8String;
import org.bouncycastle.asn1.BERTags;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.jspecify.annotations.Nullable;

/// The accounts that a certificate names. Names are taken from its ASN.1, never from a text that
/// was made of it: such a text can be made to look like another name.
final class CertificateAddresses {
  /// A kind of name.
  enum Kind {
    /// `id-on-xmppAddr` (RFC 6120, section 13.7.1.4).
    XMPP_ADDR,
    /// An address of mail among the alternative names.
    EMAIL,
    /// The common name of the subject: a local part.
    COMMON_NAME;

    /// The kind as the settings name it.
    ///
    /// @throws IllegalArgumentException with a sentence for the administrator if there is none
    static Kind of(String word) {
      return switch (word) {
        case "xmpp-addr" -> XMPP_ADDR;
        case "email" -> EMAIL;
        case "common-name" -> COMMON_NAME;
        default ->
            throw new IllegalArgumentException(
                "has \"" + word + "\"; known are \"xmpp-addr\", \"email\" and \"common-name\"");
      };
    }
  }

  private static final String XMPP_ADDR = "1.3.6.1.5.5.7.8.5";
  private static final String ALTERNATIVE_NAMES = "2.5.29.17";
  private static final int MOST_NAMES = 100;

  private CertificateAddresses() {}

  /// The local parts at a host that a certificate names. The first kind of which it has any name
  /// counts alone, be it of other hosts.
  ///
  /// @throws IOException if its names cannot be read
  static Set<String> locals(X509Certificate certificate, List<Kind> kinds, String domain)
      throws IOException {
    for (Kind kind : kinds) {
      List<String> names = names(certificate, kind);
      if (!names.isEmpty()) {
        Set<String> locals = new TreeSet<>();
        for (String name : names) {
          String local = local(kind == Kind.COMMON_NAME ? name + '@' + domain : name, domain);
          if (local != null && (kind != Kind.COMMON_NAME || name.indexOf('@') < 0)) {
            locals.add(local);
          }
        }
        return locals;
      }
    }
    return Set.of();
  }

  private static @Nullable String local(String address, String domain) {
    try {
      Jid jid = Jid.of(address);
      return jid.resource() == null && jid.domain().equals(domain) ? jid.local() : null;
    } catch (JidFormatException e) {
      return null; // the name of something else
    }
  }

  private static List<String> names(X509Certificate certificate, Kind kind) throws IOException {
    try {
      return switch (kind) {
        case XMPP_ADDR, EMAIL -> alternatives(certificate, kind);
        case COMMON_NAME -> commonNames(certificate);
      };
    } catch (IllegalArgumentException | IllegalStateException | ClassCastException e) {
      throw new IOException("the names in the certificate cannot be read", e);
    }
  }

  private static List<String> alternatives(X509Certificate certificate, Kind kind)
      throws IOException {
    byte[] extension = certificate.getExtensionValue(ALTERNATIVE_NAMES);
    if (extension == null) {
      return List.of();
    }
    byte[] bytes = ASN1OctetString.getInstance(extension).getOctets();
    GeneralName[] all = GeneralNames.getInstance(ASN1Primitive.fromByteArray(bytes)).getNames();
    if (all.length > MOST_NAMES) {
      throw new IOException("the certificate has more than " + MOST_NAMES + " names");
    }
    List<String> names = new ArrayList<>();
    for (GeneralName name : all) {
      if (kind == Kind.EMAIL && name.getTagNo() == GeneralName.rfc822Name) {
        names.add(ASN1IA5String.getInstance(name.getName()).getString());
      } else if (kind == Kind.XMPP_ADDR && name.getTagNo() == GeneralName.otherName) {
        ASN1Sequence other = ASN1Sequence.getInstance(name.getName());
        if (other.size() == 2
            && other.getObjectAt(0) instanceof ASN1ObjectIdentifier id
            && XMPP_ADDR.equals(id.getId())) {
          names.add(utf8(other.getObjectAt(1)));
        }
      }
    }
    return names;
  }

  /// The text in a value `[0] EXPLICIT UTF8String`.
  private static String utf8(ASN1Encodable value) {
    ASN1TaggedObject tagged = ASN1TaggedObject.getInstance(value, BERTags.CONTEXT_SPECIFIC, 0);
    return ASN1UTF8String.getInstance(tagged.getExplicitBaseObject()).getString();
  }

  private static List<String> commonNames(X509Certificate certificate) throws IOException {
    X500Name subject = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    List<String> names = new ArrayList<>();
    for (RDN part : subject.getRDNs()) {
      for (AttributeTypeAndValue each : part.getTypesAndValues()) {
        if (BCStyle.CN.equals(each.getType())) {
          if (!(each.getValue() instanceof ASN1String text)) {
            throw new IOException("the common name in the certificate is no text");
          }
          names.add(text.getString());
        }
      }
    }
    if (names.size() > 1) {
      throw new IOException("the certificate has several common names");
    }
    return names;
  }
}
