package im.zonda.dns;

import im.zonda.config.S2s;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.runtime.ServerRuntime;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// Finds servers in DNS: by the SRV records `_xmpps-server` and `_xmpp-server`, and where there are
/// none, the domain itself at port 5269 (RFC 6120, section 3.2; XEP-0368).
public final class DnsAddresses implements ServerAddresses {
  private static final int PORT = 5269;

  /// The most servers of a domain that are tried.
  private static final int MOST_TARGETS = 16;

  private static final Pattern VERSION_4 = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+");

  private final DnsQuestions questions;
  private final HostAddresses hosts;
  private final Duration timeout;
  private final RandomGenerator random;

  DnsAddresses(DnsQuestions questions, boolean dane, Duration timeout, RandomGenerator random) {
    this.questions = questions;
    this.hosts = new HostAddresses(questions, dane);
    this.timeout = timeout;
    this.random = random;
  }

  /// Servers from DNS.
  ///
  /// @param runtime its randomness orders servers of the same priority
  public static DnsAddresses create(S2s.Dns settings, ServerRuntime runtime) {
    return create(settings, DnsServers.ROOT_KEYS, runtime);
  }

  /// As the other, with other keys that DNSSEC trusts.
  static DnsAddresses create(S2s.Dns settings, String anchors, ServerRuntime runtime) {
    DnsQuestions questions =
        new DnsQuestions(
            DnsServers.of(settings, anchors, runtime.clock()),
            settings.dane(),
            settings.timeout(),
            runtime.clock(),
            runtime.workers());
    return new DnsAddresses(questions, settings.dane(), settings.timeout(), runtime.random());
  }

  @Override
  public Found find(String domain) {
    CompletableFuture<Found> found;
    try {
      String ascii = Jid.of(null, domain, null).asciiDomain();
      InetAddress literal = literal(ascii);
      if (literal != null) {
        return new Found.Targets(
            List.of(new Target(ascii, List.of(literal), PORT, false, List.of())), false);
      }
      found = find(Name.fromString(ascii, Name.root));
    } catch (JidFormatException | TextParseException e) {
      return new Found.NoSuchDomain(); // DNS cannot have it
    }
    try {
      return found.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new Found.Unavailable("DNS has not answered in " + timeout.toMillis() + " ms");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Found.Unavailable("the server stops");
    }
  }

  /// The address, if the domain is one (RFC 7622, section 3.2); otherwise null.
  private static @Nullable InetAddress literal(String domain) {
    boolean six = domain.startsWith("[") && domain.endsWith("]");
    if (!six && !VERSION_4.matcher(domain).matches()) {
      return null;
    }
    return InetAddress.ofLiteral(six ? domain.substring(1, domain.length() - 1) : domain);
  }

  private CompletableFuture<Found> find(Name domain) throws TextParseException {
    CompletableFuture<Answer> tls =
        questions.ask(Name.fromString("_xmpps-server._tcp", domain), Type.SRV);
    CompletableFuture<Answer> plain =
        questions.ask(Name.fromString("_xmpp-server._tcp", domain), Type.SRV);
    return tls.thenCompose(first -> plain.thenCompose(second -> find(domain, first, second)));
  }

  private CompletableFuture<Found> find(Name domain, Answer tls, Answer plain) {
    List<Service> services = new ArrayList<>();
    addServices(tls, true, services);
    addServices(plain, false, services);
    if (!services.isEmpty()) {
      return complete(Service.inOrder(services, random));
    }
    for (Answer each : List.of(tls, plain)) {
      if (each instanceof Answer.Failed failed) {
        return CompletableFuture.completedFuture(new Found.Unavailable(failed.reason()));
      }
    }
    if (tls instanceof Answer.Found || plain instanceof Answer.Found) {
      // All targets are ".": there is no such service (RFC 2782), and no fallback (XEP-0368).
      return CompletableFuture.completedFuture(new Found.NoSuchDomain());
    }
    boolean authentic = tls.authentic() && plain.authentic();
    return hosts
        .complete(domain, PORT, false, authentic)
        .thenApply(outcome -> {
          if (outcome.target() != null) {
            return new Found.Targets(List.of(outcome.target()), authentic);
          }
          return outcome.temporary()
              ? new Found.Unavailable(String.valueOf(outcome.problem()))
              : new Found.NoSuchDomain();
        });
  }

  private static void addServices(Answer answer, boolean directTls, List<Service> services) {
    if (answer instanceof Answer.Found found) {
      for (Record each : found.records()) {
        if (each instanceof SRVRecord record && !record.getTarget().equals(Name.root)) {
          services.add(new Service(record, directTls, found.authentic()));
        }
      }
    }
  }

  private CompletableFuture<Found> complete(List<Service> services) {
    List<CompletableFuture<HostAddresses.Outcome>> outcomes = new ArrayList<>();
    boolean authentic = true;
    for (Service each : services.subList(0, Math.min(MOST_TARGETS, services.size()))) {
      authentic &= each.authentic();
      outcomes.add(hosts.complete(each.host(), each.port(), each.directTls(), each.authentic()));
    }
    boolean proved = authentic;
    return CompletableFuture.allOf(outcomes.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> {
          List<Target> targets = new ArrayList<>();
          List<String> problems = new ArrayList<>();
          for (CompletableFuture<HostAddresses.Outcome> each : outcomes) {
            HostAddresses.Outcome outcome = each.join();
            if (outcome.target() != null) {
              targets.add(outcome.target());
            } else {
              problems.add(String.valueOf(outcome.problem()));
            }
          }
          return targets.isEmpty()
              ? new Found.Unavailable(String.join("; ", problems))
              : new Found.Targets(targets, proved);
        });
  }
}
