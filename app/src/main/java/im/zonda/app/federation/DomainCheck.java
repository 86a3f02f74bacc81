package im.zonda.app.federation;

import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Finding.Level;
import im.zonda.app.finding.Findings;
import im.zonda.config.S2s;
import im.zonda.dns.ServerAddresses;
import im.zonda.dns.ServerAddresses.Found;
import im.zonda.dns.Target;
import im.zonda.net.tls.Certificates;
import im.zonda.stream.PeerCertificates;
import im.zonda.stream.server.DialbackKeys;
import im.zonda.stream.server.DomainCertificate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Checks whether stanzas could be sent to a remote domain, step by step and at every address of
/// its servers, and says who must repair what is wrong. It proves our domain as the server does and
/// sends no stanzas. Blocks.
public final class DomainCheck {
  /// The most addresses that are tried.
  private static final int MOST_ADDRESSES = 32;

  private final Parts parts;
  private final String local;
  private final String remote;
  private final List<Finding> findings = new ArrayList<>();

  /// What a check uses.
  ///
  /// @param settings the settings of federation
  /// @param certificates those of this server
  /// @param keys the server's dialback keys; null if no server runs that could confirm them
  public record Parts(
      S2s settings,
      ServerAddresses addresses,
      Certificates certificates,
      @Nullable DialbackKeys keys,
      InstantSource clock) {}

  /// The outcome.
  ///
  /// @param works whether stanzas could be sent to the domain
  public record Report(boolean works, String text) {}

  private DomainCheck(Parts parts, String local, String remote) {
    this.parts = parts;
    this.local = local;
    this.remote = remote;
  }

  /// Checks.
  ///
  /// @param local a domain served here
  /// @param remote another domain
  public static Report run(Parts parts, String local, String remote) {
    DomainCheck check = new DomainCheck(parts, local, remote);
    boolean works = check.checkHere();
    works &= check.checkServers();
    StringBuilder text = new StringBuilder();
    text.append(new Findings(check.findings).lines());
    text.append(remote)
        .append(works ? " can be reached from " : " CANNOT be reached from ")
        .append(local)
        .append('\n');
    return new Report(works, text.toString());
  }

  private boolean checkHere() {
    boolean allowed = parts.settings().enabled() && parts.settings().permits(remote);
    if (!parts.settings().enabled()) {
      findings.add(Finding.problem("settings", "s2s.enabled is false", Repair.US.advice()));
    } else if (!allowed) {
      findings.add(
          Finding.problem(
              "settings", "s2s.allow or s2s.deny excludes " + remote, Repair.US.advice()));
    }
    PeerCertificates own = parts.certificates().presentedFor(local);
    String problem =
        own == null
            ? "there is none"
            : DomainCertificate.findProblem(own, local, parts.clock().instant());
    findings.add(
        problem == null
            ? Finding.ok("certificate", "ours is good for " + local)
            : Finding.warning(
                "certificate",
                "others may not accept ours for "
                    + local
                    + ": "
                    + problem.replace("its certificate", "it")));
    return allowed;
  }

  private boolean checkServers() {
    return switch (parts.addresses().find(remote)) {
      case Found.NoSuchDomain() -> {
        findings.add(
            Finding.problem(
                "DNS",
                remote + " has no XMPP server: neither SRV records nor an address record",
                Repair.DNS.advice()));
        yield false;
      }
      case Found.Unavailable(String reason) -> {
        findings.add(Finding.problem("DNS", reason, Repair.DNS.advice()));
        yield false;
      }
      case Found.Targets(List<Target> targets, boolean authentic) -> {
        describe(targets, authentic);
        yield checkAddresses(targets);
      }
    };
  }

  private void describe(List<Target> targets, boolean authentic) {
    boolean routed = parts.settings().route().containsKey(remote);
    for (Target target : targets) {
      String where =
          target.addresses().stream()
              .map(InetAddress::getHostAddress)
              .collect(Collectors.joining(", "));
      String from = routed ? "s2s.route" : target.directTls() ? "_xmpps-server" : "_xmpp-server";
      boolean fallback =
          !routed && !target.directTls() && target.host().equals(remote) && target.port() == 5269;
      findings.add(
          Finding.ok(
              "DNS",
              (fallback ? "address record or " + from : from) + ": " + target + " at " + where));
      if (parts.settings().dns().dane()) {
        findings.add(
            target.tlsa().isEmpty()
                ? Finding.warning("DANE", "no TLSA records that DNSSEC proves for " + target)
                : Finding.ok("DANE", target.tlsa().size() + " TLSA records for " + target));
      }
    }
    if (parts.settings().dns().dane() && !authentic) {
      findings.add(Finding.warning("DNSSEC", "DNSSEC does not prove these servers"));
    }
  }

  /// The server uses the first address that accepts a connection, so all that do must be good.
  private boolean checkAddresses(List<Target> targets) {
    int good = 0;
    int bad = 0;
    int tried = 0;
    List<Finding> unreachable = new ArrayList<>();
    for (Target target : targets) {
      for (InetAddress address : target.addresses()) {
        if (tried++ >= MOST_ADDRESSES) {
          continue;
        }
        AddressCheck check =
            new AddressCheck(
                parts, local, remote, target, new InetSocketAddress(address, target.port()));
        switch (check.run()) {
          case UNREACHABLE -> unreachable.addAll(check.findings());
          case GOOD -> {
            good++;
            findings.addAll(check.findings());
          }
          case BAD -> {
            bad++;
            findings.addAll(check.findings());
          }
        }
      }
    }
    boolean reached = good + bad > 0;
    for (Finding each : unreachable) {
      findings.add(reached ? each.at(Level.WARNING) : each);
    }
    return good > 0 && bad == 0;
  }
}
