package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import im.zonda.config.limits.S2sLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Federation: streams with other servers (RFC 6120).
public record S2s(
    @Setting("whether this server exchanges stanzas with other servers") boolean enabled,
    @Setting(value = "addresses to listen on for other servers, with STARTTLS", form = Form.ADDRESS)
        List<String> listen,
    @Setting(
            value = "addresses to listen on for other servers, with direct TLS (XEP-0368)",
            form = Form.ADDRESS)
        List<String> listenTls,
    @Setting(
            "how another server proves its domain: by its certificate, or also by dialback"
                + " (XEP-0220)")
        Trust trust,
    @Setting(
            "PEM file with the authorities that certificates of other servers are checked"
                + " against; without it those of the platform")
        @Nullable Path ca,
    @Setting(
            value =
                "time that messages wait for a domain that cannot be reached before they are"
                    + " returned to their senders as errors",
            max = 604_800_000)
        Duration giveUp,
    @Setting(
            value = "time without stanzas after which a stream to another server is closed",
            min = 1_000,
            max = 86_400_000)
        Duration idle,
    @Setting(
            value =
                "remote domains that stanzas are exchanged with; `*.example.org` is every domain"
                    + " below example.org. Empty for all",
            form = Form.DOMAIN_PATTERN)
        List<String> allow,
    @Setting(
            value =
                "remote domains that no stanzas are exchanged with, even if `allow` names them;"
                    + " `*` is every domain",
            form = Form.DOMAIN_PATTERN)
        List<String> deny,
    @Setting("stanzas per second that one remote domain may send on average; 0 is no limit")
        int stanzaRate,
    @Setting(
            "presence stanzas per second that one remote domain may send on average; 0 is no"
                + " limit")
        int presenceRate,
    @Setting(
            "what is done with messages of people of other servers who are not in the roster of"
                + " the receiver, and whom the receiver has not written to")
        Strangers strangers,
    @Setting("how the servers of a remote domain are found") Dns dns,
    @Setting("limits for streams with other servers") S2sLimits limits,
    @Setting(
            value =
                "remote domains whose servers are not looked up in DNS, with the address of the"
                    + " server of each",
            form = Form.ROUTE)
        Map<String, String> route,
    @Setting("settings that differ for one remote domain") Map<String, Domain> domain) {

  /// Copies the collections.
  public S2s {
    listen = List.copyOf(listen);
    listenTls = List.copyOf(listenTls);
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
    route = Map.copyOf(route);
    domain = Map.copyOf(domain);
  }

  /// How another server may prove its domain.
  public enum Trust {
    /// By a certificate for the domain.
    CERTIFICATE,
    /// By a certificate for the domain, or by dialback (XEP-0220).
    CERTIFICATE_OR_DIALBACK
  }

  /// What is done with messages of strangers.
  public enum Strangers {
    /// They are delivered.
    ACCEPT,
    /// They are answered with `subscription-required`.
    REJECT,
    /// They are kept until the receiver knows the sender.
    HOLD
  }

  /// Questions to DNS servers.
  public record Dns(
      @Setting(
              value = "addresses of DNS servers; empty for those of the operating system",
              form = Form.ADDRESS)
          List<String> servers,
      @Setting(value = "time to find the servers of a domain", min = 100, max = 60_000)
          Duration timeout,
      @Setting(
              "whether answers are validated (DNSSEC) and certificates checked against TLSA"
                  + " records (DANE); the DNS servers must pass DNSSEC records on")
          boolean dane) {
    /// The DNS servers of the operating system, without DANE.
    public static final Dns DEFAULTS = new Dns(List.of(), Duration.ofSeconds(10), false);

    /// Copies the list.
    public Dns {
      servers = List.copyOf(servers);
    }
  }

  /// Settings for one remote domain; null for those of all.
  public record Domain(
      @Setting("how the servers of this domain prove it") @Nullable Trust trust,
      @Setting(value = "time that messages to this domain wait", max = 604_800_000)
          @Nullable Duration giveUp,
      @Setting("stanzas per second that this domain may send on average; 0 is no limit")
          @Nullable Integer stanzaRate,
      @Setting("presence stanzas per second that this domain may send on average; 0 is no limit")
          @Nullable Integer presenceRate,
      @Setting("what is done with messages of strangers of this domain")
          @Nullable Strangers strangers) {
    /// Nothing that differs.
    public static final Domain NONE = new Domain(null, null, null, null, null);
  }

  /// No federation.
  public static final S2s DEFAULTS =
      new S2s(
          false,
          List.of("127.0.0.1:5269", "[::1]:5269"),
          List.of("127.0.0.1:5270", "[::1]:5270"),
          Trust.CERTIFICATE,
          null,
          Duration.ofMinutes(10),
          Duration.ofMinutes(15),
          List.of(),
          List.of(),
          1_000,
          500,
          Strangers.ACCEPT,
          Dns.DEFAULTS,
          S2sLimits.DEFAULTS,
          Map.of(),
          Map.of());

  /// These settings with everything of `other` that a running server can take over: which domains
  /// stanzas are exchanged with, how they are proved, rates, times and what is done with strangers.
  public S2s withReloadable(S2s other) {
    return new S2s(
        enabled,
        listen,
        listenTls,
        other.trust,
        ca,
        other.giveUp,
        other.idle,
        other.allow,
        other.deny,
        other.stanzaRate,
        other.presenceRate,
        other.strangers,
        dns,
        limits,
        route,
        other.domain);
  }

  /// Whether stanzas are exchanged with a remote domain.
  public boolean permits(String remote) {
    return deny.stream().noneMatch(pattern -> matches(pattern, remote))
        && (allow.isEmpty() || allow.stream().anyMatch(pattern -> matches(pattern, remote)));
  }

  private static boolean matches(String pattern, String remote) {
    return pattern.equals("*")
        || (pattern.startsWith("*.")
            ? remote.endsWith(pattern.substring(1))
            : remote.equals(pattern));
  }

  /// How a remote domain may be proved.
  public Trust trustOf(String remote) {
    Trust own = domain.getOrDefault(remote, Domain.NONE).trust();
    return own == null ? trust : own;
  }

  /// How long messages to a remote domain wait.
  public Duration giveUpOf(String remote) {
    Duration own = domain.getOrDefault(remote, Domain.NONE).giveUp();
    return own == null ? giveUp : own;
  }

  /// Stanzas per second of a remote domain; 0 is no limit.
  public int stanzaRateOf(String remote) {
    Integer own = domain.getOrDefault(remote, Domain.NONE).stanzaRate();
    return own == null ? stanzaRate : own;
  }

  /// Presence stanzas per second of a remote domain; 0 is no limit.
  public int presenceRateOf(String remote) {
    Integer own = domain.getOrDefault(remote, Domain.NONE).presenceRate();
    return own == null ? presenceRate : own;
  }

  /// What is done with messages of strangers of a remote domain.
  public Strangers strangersOf(String remote) {
    Strangers own = domain.getOrDefault(remote, Domain.NONE).strangers();
    return own == null ? strangers : own;
  }

  /// Whether messages of strangers of any remote domain are rejected or held.
  public boolean judgesStrangers() {
    return strangers != Strangers.ACCEPT
        || domain.values().stream()
            .anyMatch(each -> each.strangers() != null && each.strangers() != Strangers.ACCEPT);
  }
}
