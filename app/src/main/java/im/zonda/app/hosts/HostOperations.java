package im.zonda.app.hosts;

import im.zonda.app.hosts.ConfigOperations.Changed;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.config.ServerConfig;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.runtime.FailureText;
import im.zonda.store.AccountStore;
import im.zonda.store.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The virtual hosts of a running server. The operations change the folder `hosts.d` ([HostFiles])
/// and reload the configuration.
///
/// @param config the configuration in force
/// @param stores the data of the hosts
/// @param facts what the server knows of them
public record HostOperations(
    ConfigReload config, Stores stores, HostFacts facts, InstantSource clock) {
  /// How long before the end of a certificate it ends soon.
  private static final Duration SOON = Duration.ofDays(14);

  /// Accounts and rooms that are erased at a time.
  private static final int ERASED_AT_A_TIME = 200;

  /// How the certificate of a host is.
  public enum CertificateState {
    /// It is valid.
    VALID,
    /// It ends within two weeks.
    ENDS_SOON,
    /// It has ended.
    EXPIRED,
    /// It is signed by itself: others do not accept it.
    SELF_SIGNED
  }

  /// What the last check of DNS has found.
  public enum DnsState {
    /// All records are there.
    RIGHT,
    /// Records are missing or lead elsewhere.
    WRONG,
    /// The name is for this machine or network, which needs no records.
    NOT_NEEDED
  }

  /// A host.
  public record Host(
      @Field(value = "the domain", form = Form.DOMAIN) String host,
      @Field("how many accounts it has") long accounts,
      @Field("how its certificate is; null if there is none, or the server does not run")
          @Nullable CertificateState certificate,
      @Field("until when that is valid") @Nullable Instant certificateEnds,
      @Field("what the last check of DNS has found; null if there was none") @Nullable DnsState dns,
      @Field("when that was") @Nullable Instant dnsChecked,
      @Field("where it is configured") String configured) {}

  /// Hosts.
  public record Listed(@Field("the hosts") List<Host> hosts) {}

  /// A domain.
  public record Named(@Field(value = "the domain of the host", form = Form.DOMAIN) String domain) {}

  /// A new host.
  public record Added(
      @Field(value = "the domain of the host", form = Form.DOMAIN) String domain,
      @Field(
              value = "its settings in TOML, as in a file of the folder hosts.d",
              form = Form.LINES,
              max = 100_000)
          @Nullable String settings) {}

  /// A host whose data is erased.
  public record Erased(
      @Field(value = "the domain of the host", form = Form.DOMAIN) String domain,
      @Field("the domains of its services (default: the usual ones)") List<String> services) {}

  /// `host.list`.
  public static final Operation<Nothing, Listed> LIST =
      Operation.read("host.list", Right.HOSTS)
          .at("GET /hosts", "List the virtual hosts", Nothing.class, Listed.class);

  /// `host.add`.
  public static final Operation<Added, Changed> ADD =
      Operation.change("host.add", Right.HOSTS)
          .at("POST /hosts", "Add a virtual host", Added.class, Changed.class);

  /// `host.remove`.
  public static final Operation<Named, Changed> REMOVE =
      Operation.change("host.remove", Right.HOSTS)
          .at(
              "POST /hosts/{domain}/remove",
              "Remove a virtual host; its data stay",
              Named.class,
              Changed.class);

  /// `host.erase`.
  public static final Operation<Erased, Nothing> ERASE =
      Operation.destroy("host.erase", Right.HOSTS)
          .at(
              "POST /hosts/{domain}/erase",
              "Erase the data of a host that is no longer served",
              Erased.class,
              Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, ADD, REMOVE, ERASE);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        LIST.by((_, _) ->
            Outcome.done(
                new Listing(config.running(), config.hostFiles(), stores.accounts())
                    .with(facts, clock.instant()))),
        ADD.by(this::add),
        REMOVE.by((call, named) -> remove(call, named.domain())),
        ERASE.by((call, erased) -> erase(call, erased, config::running, stores, config)));
  }

  /// Those on the data of a server that does not run. Its files are changed without it.
  public static List<Offer<?, ?>> ofStopped(ServerConfig config, HostFiles files, Stores stores) {
    return List.of(
        LIST.by((_, _) ->
            Outcome.done(
                new Listing(config, files, stores.accounts()).with(HostFacts.NONE, Instant.MIN))),
        ERASE.by((call, erased) -> erase(call, erased, () -> config, stores, new Object())));
  }

  /// Where the hosts of a configuration are found.
  private record Listing(ServerConfig config, HostFiles files, AccountStore accounts) {
    Listed with(HostFacts facts, Instant now) {
      return new Listed(config.hosts().stream().map(host -> host(host, facts, now)).toList());
    }

    private Host host(String host, HostFacts facts, Instant now) {
      HostFacts.Certificate certificate = facts.certificate(host);
      HostFacts.Dns dns = facts.dns(host);
      return new Host(
          host,
          accounts.count(host),
          certificate == null ? null : state(certificate, now),
          certificate == null ? null : certificate.ends(),
          dns == null ? null : state(dns),
          dns == null ? null : dns.time(),
          Files.exists(files.file(host))
              ? HostFiles.NAME + "/" + files.file(host).getFileName()
              : "configuration file");
    }

    private static CertificateState state(HostFacts.Certificate certificate, Instant now) {
      if (!certificate.ends().isAfter(now)) {
        return CertificateState.EXPIRED;
      }
      if (certificate.selfSigned()) {
        return CertificateState.SELF_SIGNED;
      }
      return certificate.ends().isBefore(now.plus(SOON))
          ? CertificateState.ENDS_SOON
          : CertificateState.VALID;
    }

    private static DnsState state(HostFacts.Dns dns) {
      if (dns.local()) {
        return DnsState.NOT_NEEDED;
      }
      return dns.wrong() == 0 ? DnsState.RIGHT : DnsState.WRONG;
    }
  }

  /// The lines for a terminal.
  public static String text(Listed listed) {
    int width = listed.hosts().stream().mapToInt(each -> each.host().length()).max().orElse(0);
    StringBuilder out = new StringBuilder();
    for (Host each : listed.hosts()) {
      out.append(
          String.format(
              Locale.ROOT,
              "%-" + Math.max(1, width) + "s  %6d %-8s  %s%n",
              each.host(),
              each.accounts(),
              each.accounts() == 1 ? "account" : "accounts",
              each.configured()));
    }
    return out.toString();
  }

  private Outcome<Changed> add(Call call, Added added) {
    return change(call, added.domain(), Objects.requireNonNullElse(added.settings(), ""));
  }

  private Outcome<Changed> remove(Call call, String domain) {
    return change(call, domain, null);
  }

  /// Changes the file of a host and reloads; null removes it.
  private Outcome<Changed> change(Call call, String domain, @Nullable String content) {
    // No one else may change the file meanwhile: a failure restores its former content.
    synchronized (config) {
      HostFiles files = config.hostFiles();
      try {
        String before = null;
        if (content == null) {
          before = HostChecks.removable(domain, config.running(), files);
        } else {
          HostChecks.addable(domain, config.running(), files);
        }
        files.write(domain, content);
        return Outcome.done(new Changed(reloadOr(call, domain, before)));
      } catch (SettingsException e) {
        return ConfigOperations.wrong(e);
      } catch (IllegalArgumentException e) {
        return Outcome.invalid("domain", String.valueOf(e.getMessage()));
      } catch (IOException e) {
        return Outcome.refused(Reason.UNAVAILABLE, FailureText.of(e));
      }
    }
  }

  /// Reloads the configuration; if it is wrong, the host's file gets its old content.
  private List<String> reloadOr(Call call, String domain, @Nullable String before)
      throws SettingsException, IOException {
    ServerConfig running = config.running();
    try {
      return ConfigOperations.reloaded(call, config);
    } catch (SettingsException | IOException | RuntimeException e) {
      if (config.running().equals(running)) {
        config.hostFiles().write(domain, before);
      }
      throw e;
    }
  }

  /// @param lock is held while the hosts change
  private static Outcome<Nothing> erase(
      Call call, Erased erased, Supplier<ServerConfig> config, Stores stores, Object lock) {
    String domain = erased.domain();
    List<String> services =
        erased.services().isEmpty() ? config.get().serviceDomains(domain) : erased.services();
    if (config.get().hosts().contains(domain)) {
      return Outcome.conflict(domain + " is a host of this server; remove it first.");
    }
    return call.start(
        "Erase " + domain,
        progress -> {
          int all = 0;
          int more;
          do {
            synchronized (lock) {
              if (config.get().hosts().contains(domain)) {
                throw new IOException(domain + " is a host of this server again.");
              }
              more = HostData.erase(stores, domain, services, ERASED_AT_A_TIME);
            }
            all += more;
            progress.at(all, 0, "accounts and rooms");
          } while (more > 0 && !Thread.currentThread().isInterrupted());
          return "erased " + all + " accounts and rooms";
        });
  }
}
