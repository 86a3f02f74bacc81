package im.zonda.app.doctor;

import im.zonda.app.finding.Finding;
import im.zonda.config.ServerConfig;
import im.zonda.dns.DnsLookup;
import im.zonda.dns.DnsRecords;
import im.zonda.net.Listener;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.runtime.FailureText;
import im.zonda.stream.CertificateNames;
import java.io.IOException;
import java.net.InetAddress;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Compares DNS with what a host needs there.
///
/// @param config the configuration in force
/// @param listeners where the server accepts connections
/// @param outcomes keeps what is found
public record DnsOperations(
    Supplier<ServerConfig> config,
    Supplier<List<Listener>> listeners,
    InstantSource clock,
    DnsOutcomes outcomes) {
  /// Of which host.
  public record Chosen(
      @Field(value = "the host (default: the first)", form = Form.DOMAIN)
          @Nullable String domain) {}

  /// A record.
  public record Wanted(
      @Field("the name of the record") String name,
      @Field("its type") String type,
      @Field("what to write into the zone") List<String> lines,
      @Field("what DNS has") List<String> found,
      @Field("how it is") WantedRecord.State state,
      @Field("what that means") String text) {}

  /// What was found.
  public record Checked(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("whether its name is for this machine or network, so that DNS is not needed")
          boolean local,
      @Field("how many records are missing or lead elsewhere") int wrong,
      @Field("the records") List<Wanted> records) {}

  /// `dns.check`.
  public static final Operation<Chosen, Checked> CHECK =
      Operation.read("dns.check", Right.HOSTS)
          .at(
              "GET /dns",
              "Say which records a host needs in DNS, and which of them are there",
              Chosen.class,
              Checked.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(CHECK);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(CHECK.by((_, chosen) -> check(chosen.domain())));
  }

  private Outcome<Checked> check(@Nullable String domain) {
    ServerConfig now = config.get();
    String host = domain == null ? now.hosts().getFirst() : domain;
    if (!now.hosts().contains(host)) {
      return Outcome.invalid("domain", host + " is no host of this server.");
    }
    if (DnsChecks.isLocal(host)) {
      return Outcome.done(noted(new Checked(host, true, 0, List.of())));
    }
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      DnsLookup dns = DnsRecords.create(now.s2s().dns(), clock, executor);
      return Outcome.done(
          noted(
              check(
                  now,
                  host,
                  new Looking(dns, executor),
                  OwnAddresses.find(),
                  HostMetaFacts::fetch)));
    } catch (IOException e) {
      return Outcome.refused(Reason.UNAVAILABLE, FailureText.of(e) + ".");
    }
  }

  private Checked noted(Checked checked) {
    outcomes.note(
        checked.host(),
        new DnsOutcomes.Last(
            clock.instant().truncatedTo(ChronoUnit.SECONDS), checked.wrong(), checked.local()));
    return checked;
  }

  /// What look-ups use.
  ///
  /// @param executor runs look-ups, which block
  record Looking(DnsLookup dns, Executor executor) {}

  /// Checks a host whose name is public.
  Checked check(
      ServerConfig now,
      String host,
      Looking looking,
      List<InetAddress> own,
      HostMetaFacts.Source web) {
    List<String> federated = now.s2s().enabled() ? Doctor.federated(now, host) : List.of();
    HostDns found = HostDns.read(host, federated, looking.dns(), looking.executor());
    DnsChecks checks = new DnsChecks(found, Doctor.ports(listeners.get()), own);
    List<String> domains = now.serviceDomains(host);
    boolean named =
        now.acme().isOn() && now.acme().services() && now.at(host).tls().certificate() == null;
    HostRecords records =
        new HostRecords(
            checks,
            HostRecords.lookUp(domains, looking.dns(), looking.executor()),
            named ? domains.stream().map(CertificateNames::toAscii).toList() : List.of());
    List<Wanted> wanted = new ArrayList<>();
    records.all().forEach(each -> wanted.add(wanted(each)));
    if (now.http().isOn()) {
      wanted.add(hostMeta(now, CertificateNames.toAscii(host), web));
    }
    long wrong =
        wanted.stream()
            .filter(each ->
                each.state() == WantedRecord.State.MISSING
                    || each.state() == WantedRecord.State.DIFFERENT)
            .count();
    return new Checked(host, false, Math.toIntExact(wrong), wanted);
  }

  private static Wanted wanted(WantedRecord record) {
    return new Wanted(
        record.name(),
        record.type(),
        record.lines(),
        record.found(),
        record.state(),
        record.finding().text());
  }

  /// Clients in browsers find the WebSocket by a document instead of a record (XEP-0156).
  private static Wanted hostMeta(ServerConfig now, String host, HostMetaFacts.Source web) {
    HostMetaFacts facts = web.find(host);
    Finding finding = HostMetaChecks.check(facts, now.http().url(host));
    boolean ok = finding.level() == Finding.Level.OK;
    WantedRecord.State state =
        ok
            ? WantedRecord.State.OK
            : facts.text() == null ? WantedRecord.State.OPTIONAL : WantedRecord.State.DIFFERENT;
    return new Wanted(
        HostMetaFacts.url(host),
        "host-meta",
        ok ? List.of() : finding.advice(),
        facts.text() == null ? List.of() : List.of("found"),
        state,
        finding.text());
  }
}
