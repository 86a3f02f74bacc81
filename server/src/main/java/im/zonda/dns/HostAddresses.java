package im.zonda.dns;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TLSARecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// Finds the addresses of a host, and the TLSA records of a port.
final class HostAddresses {
  /// The most addresses of a host in each family.
  private static final int MOST_ADDRESSES = 8;

  private final DnsQuestions questions;
  private final boolean dane;

  HostAddresses(DnsQuestions questions, boolean dane) {
    this.questions = questions;
    this.dane = dane;
  }

  /// A server, or why it cannot be used.
  ///
  /// @param target null if it cannot be used
  /// @param problem a clause; null if it can be used
  /// @param temporary whether that may change soon
  record Outcome(@Nullable Target target, @Nullable String problem, boolean temporary) {}

  /// Completes a server.
  ///
  /// @param authentic whether DNSSEC proves that the host is a server of the domain
  CompletableFuture<Outcome> complete(Name host, int port, boolean directTls, boolean authentic) {
    CompletableFuture<Answer> v6 = questions.ask(host, Type.AAAA);
    CompletableFuture<Answer> v4 = questions.ask(host, Type.A);
    return v6.thenCompose(
        six -> v4.thenCompose(four -> complete(host, port, directTls, authentic, six, four)));
  }

  private CompletableFuture<Outcome> complete(
      Name host, int port, boolean directTls, boolean authentic, Answer six, Answer four) {
    List<InetAddress> addresses = new ArrayList<>(addresses(six));
    addresses.addAll(addresses(four));
    if (addresses.isEmpty()) {
      return CompletableFuture.completedFuture(none(host, six, four));
    }
    Target target =
        new Target(
            host.toString(true).toLowerCase(Locale.ROOT), addresses, port, directTls, List.of());
    // RFC 7671, section 4.1: TLSA records are not asked for where they could not be proved; some
    // servers of such zones do not answer.
    boolean proved = authentic && isProved(six) && isProved(four);
    if (!dane || !proved) {
      return CompletableFuture.completedFuture(new Outcome(target, null, false));
    }
    // RFC 7671, section 7: the records of the alias's target come before those of the alias.
    Name owner = four instanceof Answer.Found found ? found.owner() : host;
    return tlsa(owner, port)
        .thenCompose(answer ->
            answer instanceof Answer.None && !owner.equals(host)
                ? tlsa(host, port)
                : CompletableFuture.completedFuture(answer))
        .thenApply(answer -> withTlsa(target, answer));
  }

  private static boolean isProved(Answer answer) {
    return !(answer instanceof Answer.Found) || answer.authentic();
  }

  private static Outcome none(Name host, Answer six, Answer four) {
    for (Answer each : List.of(six, four)) {
      if (each instanceof Answer.Failed failed) {
        return new Outcome(null, failed.reason(), true);
      }
    }
    return new Outcome(null, host + " has no address", false);
  }

  private static List<InetAddress> addresses(Answer answer) {
    List<InetAddress> addresses = new ArrayList<>();
    if (answer instanceof Answer.Found found) {
      for (Record each : found.records()) {
        if (addresses.size() < MOST_ADDRESSES) {
          if (each instanceof AAAARecord six) {
            addresses.add(six.getAddress());
          } else if (each instanceof ARecord four) {
            addresses.add(four.getAddress());
          }
        }
      }
    }
    return addresses;
  }

  private CompletableFuture<Answer> tlsa(Name host, int port) {
    try {
      return questions.ask(Name.fromString("_" + port + "._tcp", host), Type.TLSA);
    } catch (TextParseException e) {
      // The name would be too long, so it has no records.
      return CompletableFuture.completedFuture(new Answer.None(false, true));
    }
  }

  /// A server whose TLSA records are not known must not be used: an attacker could suppress them
  /// (RFC 7672, section 2.1.2). Records that are not proved do not count.
  private static Outcome withTlsa(Target target, Answer answer) {
    return switch (answer) {
      case Answer.Failed failed -> new Outcome(null, failed.reason(), true);
      case Answer.None _ -> new Outcome(target, null, false);
      case Answer.Found found -> {
        List<Tlsa> tlsa = new ArrayList<>();
        for (Record each : found.records()) {
          if (found.authentic() && each instanceof TLSARecord record) {
            tlsa.add(
                new Tlsa(
                    record.getCertificateUsage(),
                    record.getSelector(),
                    record.getMatchingType(),
                    HexFormat.of().formatHex(record.getCertificateAssociationData())));
          }
        }
        yield new Outcome(
            new Target(target.host(), target.addresses(), target.port(), target.directTls(), tlsa),
            null,
            false);
      }
    };
  }
}
