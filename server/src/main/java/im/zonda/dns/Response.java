package im.zonda.dns;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TLSARecord;

/// The answer of a response about a name. Only records that belong to the name or to its alias
/// count, and only those of the answer section.
///
/// @param answer the answer; null if the response ends with an alias that must be asked for
/// @param next that alias
/// @param seconds how long this holds; negative if the response does not say
record Response(@Nullable Answer answer, Name next, long seconds) {
  /// The most aliases in a row.
  static final int MAX_ALIASES = 8;

  /// The most records of one answer; further ones are ignored.
  private static final int MAX_RECORDS = 16;

  /// TLSA records with more data are ignored: a whole certificate is smaller.
  private static final int MAX_TLSA_BYTES = 8_192;

  /// Reads a response to a question for that type.
  ///
  /// @param validated whether the response has passed DNSSEC validation, so that its flag counts
  static Response read(Message message, Name name, int type, boolean validated) {
    int rcode = message.getRcode();
    if (!message.getHeader().getFlag(Flags.QR) || message.getHeader().getFlag(Flags.TC)) {
      return failed(name, "the DNS server sent no complete response for " + name);
    }
    if (rcode != Rcode.NOERROR && rcode != Rcode.NXDOMAIN) {
      return failed(name, "DNS answers " + Rcode.string(rcode) + why(message) + " for " + name);
    }
    boolean authentic = validated && message.getHeader().getFlag(Flags.AD);
    Name owner = name;
    long seconds = Long.MAX_VALUE;
    for (int aliases = 0; aliases <= MAX_ALIASES; aliases++) {
      List<Record> records = records(message, owner, type);
      if (!records.isEmpty()) {
        for (Record each : records) {
          seconds = Math.min(seconds, each.getTTL());
        }
        return new Response(new Answer.Found(records, owner, authentic), owner, seconds);
      }
      CNAMERecord alias = alias(message, owner);
      if (alias == null) {
        return absent(message, name, owner, authentic);
      }
      seconds = Math.min(seconds, alias.getTTL());
      owner = alias.getTarget();
    }
    return failed(name, "DNS has a loop of aliases for " + name);
  }

  /// The Extended DNS Error (RFC 8914), which also says why validation failed.
  private static String why(Message message) {
    OPTRecord opt = message.getOPT();
    if (opt != null) {
      for (var option : opt.getOptions()) {
        if (option instanceof ExtendedErrorCodeOption error) {
          return " (" + (error.getText() == null ? error.getErrorCode() : error.getText()) + ")";
        }
      }
    }
    return "";
  }

  private static Response failed(Name name, String reason) {
    return new Response(new Answer.Failed(reason), name, -1);
  }

  private static List<Record> records(Message message, Name owner, int type) {
    List<Record> records = new ArrayList<>();
    for (Record each : message.getSection(Section.ANSWER)) {
      boolean wanted =
          each.getType() == type && each.getDClass() == DClass.IN && each.getName().equals(owner);
      boolean huge =
          each instanceof TLSARecord tlsa
              && tlsa.getCertificateAssociationData().length > MAX_TLSA_BYTES;
      if (wanted && !huge && records.size() < MAX_RECORDS) {
        records.add(each);
      }
    }
    return records;
  }

  private static @Nullable CNAMERecord alias(Message message, Name owner) {
    for (Record each : message.getSection(Section.ANSWER)) {
      if (each instanceof CNAMERecord alias && each.getName().equals(owner)) {
        return alias;
      }
    }
    return null;
  }

  private static Response absent(Message message, Name name, Name owner, boolean authentic) {
    long seconds = -1; // RFC 2308, section 5: the minimum of the SOA record and its own TTL
    for (Record each : message.getSection(Section.AUTHORITY)) {
      if (each instanceof SOARecord soa && owner.subdomain(each.getName())) {
        seconds = Math.min(soa.getMinimum(), soa.getTTL());
      }
    }
    boolean exists = message.getRcode() == Rcode.NOERROR;
    if (exists && seconds < 0 && !owner.equals(name)) {
      return new Response(null, owner, -1);
    }
    return new Response(new Answer.None(exists, authentic), owner, seconds);
  }
}
