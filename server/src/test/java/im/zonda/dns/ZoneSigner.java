package im.zonda.dns;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.DNSSEC;
import org.xbill.DNS.DSRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSECRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// Signs what a [TestDns] answers, as one zone that is the root. Says of names that do not exist
/// that they have no records of the type, with an NSEC record made for each.
final class ZoneSigner implements TestDns.Signer {
  private static final Duration VALID = Duration.ofDays(7);
  private static final int SECONDS = 300;

  private final KeyPair pair;
  private final DNSKEYRecord key;
  private final Instant from;

  ZoneSigner(Instant from) throws GeneralSecurityException, DNSSEC.DNSSECException {
    this.from = from;
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    pair = generator.generateKeyPair();
    key =
        new DNSKEYRecord(
            Name.root,
            DClass.IN,
            SECONDS,
            DNSKEYRecord.Flags.ZONE_KEY | DNSKEYRecord.Flags.SEP_KEY,
            DNSKEYRecord.Protocol.DNSSEC,
            DNSSEC.Algorithm.ECDSAP256SHA256,
            pair.getPublic());
  }

  /// The key as a trust anchor.
  String anchor() {
    DSRecord ds = new DSRecord(Name.root, DClass.IN, SECONDS, DNSSEC.Digest.SHA256, key);
    return ". IN DS " + ds.rdataToString() + "\n";
  }

  @Override
  public void sign(Message query, Message response) {
    Record question = query.getQuestion();
    if (question.getType() == Type.DNSKEY && question.getName().equals(Name.root)) {
      response.removeAllRecords(Section.AUTHORITY);
      response.getHeader().setRcode(Rcode.NOERROR);
      response.addRecord(key, Section.ANSWER);
    }
    try {
      if (!response.getSection(Section.AUTHORITY).isEmpty()) {
        response.getHeader().setRcode(Rcode.NOERROR);
        Name owner = question.getName();
        int[] types = {Type.RRSIG, Type.NSEC};
        Name next = Name.concatenate(Name.fromString("\\000"), owner);
        response.addRecord(
            new NSECRecord(owner, DClass.IN, SECONDS, next, types), Section.AUTHORITY);
      }
      sign(response, Section.ANSWER);
      sign(response, Section.AUTHORITY);
    } catch (DNSSEC.DNSSECException | TextParseException | org.xbill.DNS.NameTooLongException e) {
      throw new IllegalStateException(e);
    }
  }

  private void sign(Message response, int section) throws DNSSEC.DNSSECException {
    for (RRset set : List.copyOf(response.getSectionRRsets(section))) {
      response.addRecord(DNSSEC.sign(set, key, pair.getPrivate(), from, from.plus(VALID)), section);
    }
  }
}
