package im.zonda.config;

import im.zonda.config.accounts.Accounts;
import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import im.zonda.config.component.Components;
import im.zonda.config.copy.RecordCopy;
import im.zonda.config.group.GroupSettings;
import im.zonda.config.limits.HostLimits;
import im.zonda.config.limits.Limits;
import im.zonda.config.monitoring.Alarms;
import im.zonda.config.monitoring.Jmx;
import im.zonda.config.monitoring.Traces;
import im.zonda.config.plugin.PluginValues;
import im.zonda.jid.Jid;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The configuration of a server. The annotation of each component documents it.
public record ServerConfig(
    @Setting(value = "domains of the virtual hosts, at least one", form = Form.DOMAIN)
        List<String> hosts,
    @Setting("data folder: database, keys and saved sessions") Path data,
    @Setting("client connections") C2s c2s,
    @Setting("streams with other servers") S2s s2s,
    @Setting("external components (XEP-0114)") Components component,
    @Setting("edges, which keep connections of clients") Edges edges,
    @Setting("node of a cluster") Cluster cluster,
    @Setting("proxy for SOCKS5 bytestreams (XEP-0065)") Proxy proxy,
    @Setting("proxies that forward connections and name the client (PROXY protocol)")
        ProxyProtocol proxyProtocol,
    @Setting("HTTP, for browsers") Http http,
    @Setting("HTTP, for programs that administer the server; off by default") Api api,
    @Setting("figures for tools that speak JMX; off by default") Jmx jmx,
    @Setting("the admin console, for browsers") Admin admin,
    @Setting("record of what administrators have done") Audit audit,
    @Setting("backups that the server writes itself") Backup backup,
    @Setting("thresholds of alarms") Alarms alarms,
    @Setting("traces of messages") Traces traces,
    @Setting("certificate of every host that has no certificate of its own") Tls tls,
    @Setting("certificates from a certificate authority (ACME, RFC 8555)") Acme acme,
    @Setting("limits") Limits limits,
    @Setting("message log and database") Storage storage,
    @Setting("message archive (XEP-0313)") Archive archive,
    @Setting("group chat (XEP-0045)") Rooms rooms,
    @Setting("in-band registration (XEP-0077)") Registration registration,
    @Setting("where accounts are: here, or at a directory, a program, a service, a table")
        Accounts accounts,
    @Setting("shared groups, each by a name of your own: members are in each other's contact lists")
        Map<String, GroupSettings> group,
    @Setting("settings of a plugin, by its name") Map<String, PluginValues> plugin,
    @Setting("further services of a virtual host") Services services,
    @Setting(
            value =
                "contact addresses of the administrators (XEP-0157), each a URI such as"
                    + " `mailto:admin@example.org`",
            form = Form.URI)
        List<String> contact,
    @Setting(value = "names of modules that are not loaded", form = Form.MODULE)
        Set<String> modulesOff,
    @Setting("logging") Log log,
    @Setting("settings of one virtual host that differ from the server's, by domain")
        Map<String, Host> host) {
  /// Copies the collections.
  public ServerConfig {
    hosts = List.copyOf(hosts);
    contact = List.copyOf(contact);
    modulesOff = Set.copyOf(modulesOff);
    group = Map.copyOf(group);
    plugin = Map.copyOf(plugin);
    host = Map.copyOf(host);
  }

  /// A configuration without settings of single virtual hosts.
  public ServerConfig(
      List<String> hosts,
      Path data,
      C2s c2s,
      Tls tls,
      Limits limits,
      Storage storage,
      Registration registration,
      List<String> contact,
      Set<String> modulesOff,
      Log log) {
    this(
        hosts,
        data,
        c2s,
        S2s.DEFAULTS,
        Components.DEFAULTS,
        Edges.DEFAULTS,
        Cluster.DEFAULTS,
        Proxy.DEFAULTS,
        ProxyProtocol.DEFAULTS,
        Http.DEFAULTS,
        Api.OFF,
        Jmx.OFF,
        Admin.DEFAULTS,
        Audit.DEFAULTS,
        Backup.OFF,
        Alarms.DEFAULTS,
        Traces.DEFAULTS,
        tls,
        Acme.DEFAULTS,
        limits,
        storage,
        Archive.DEFAULTS,
        Rooms.DEFAULTS,
        registration,
        Accounts.DEFAULTS,
        Map.of(),
        Map.of(),
        Services.DEFAULTS,
        contact,
        modulesOff,
        log,
        Map.of());
  }

  /// Whether SASL is offered without TLS.
  public enum Plaintext {
    NEVER,
    LOOPBACK
  }

  /// How a connection to a database server is secured.
  public enum DatabaseTls {
    OFF,
    REQUIRE,
    VERIFY
  }

  /// The format of log lines.
  public enum LogFormat {
    TEXT,
    JSON
  }

  /// The minimum level of logged events.
  public enum LogLevel {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR
  }

  /// Client connections.
  public record C2s(
      @Setting(value = "addresses to listen on with STARTTLS", form = Form.ADDRESS)
          List<String> listen,
      @Setting(value = "addresses to listen on with direct TLS (XEP-0368)", form = Form.ADDRESS)
          List<String> listenTls,
      @Setting("who may authenticate without TLS; WebSockets from this machine always may")
          Plaintext plaintext,
      @Setting(value = "event loop threads; 0 chooses by the number of cores", max = 1_024)
          int eventLoops) {
    /// Copies the lists.
    public C2s {
      listen = List.copyOf(listen);
      listenTls = List.copyOf(listenTls);
    }
  }

  /// A certificate.
  public record Tls(
      @Setting(
              "PEM file with the certificate chain; without it a self-signed"
                  + " certificate is created")
          @Nullable Path certificate,
      @Setting("PEM file with the private key") @Nullable Path key) {}

  /// The message archive.
  public record Archive(
      @Setting("days that messages stay in the archive; 0 for ever") int keepDays,
      @Setting(
              "maximum number of messages in the archive of one account or room; 0 is"
                  + " no limit")
          int keepEntries,
      @Setting(value = "maximum number of messages in one page of results", min = 1, max = 1_000)
          int page) {
    /// An archive without limits.
    public static final Archive DEFAULTS = new Archive(0, 0, 250);
  }

  /// The record of what administrators have done.
  public record Audit(
      @Setting("days that the record of what administrators have done is kept; 0 for ever")
          int keepDays) {
    /// A year.
    public static final Audit DEFAULTS = new Audit(365);
  }

  /// Backups that the server writes itself.
  public record Backup(
      @Setting("folder of the backups; without it, `backups` in the data folder")
          @Nullable Path folder,
      @Setting(value = "time from one backup to the next; `0ms` for none", max = 90 * 86_400_000L)
          Duration every,
      @Setting("number of backups that stay: the oldest others are removed; 0 for all") int keep) {
    /// Only when someone asks.
    public static final Backup OFF = new Backup(null, Duration.ZERO, 7);
  }

  /// In-band registration.
  public record Registration(
      @Setting("whether anyone may create an account") boolean enabled,
      @Setting(
              value = "maximum number of accounts that one IP address may create",
              key = "rate-limit",
              form = Form.PER_HOUR)
          int perAddressPerHour,
      @Setting(
              "question that those answer who create an account without an invitation (XEP-0158);"
                  + " if empty, nothing is asked")
          String question,
      @Setting("the right answers; case and spaces do not matter") List<String> answers,
      @Setting(
              value =
                  "minimum number of characters of a password that someone chooses for their own"
                      + " account; an administrator may give a shorter one",
              min = 1,
              max = 128)
          int minPasswordLength) {
    /// The minimum length of a password that NIST SP 800-63B asks for.
    public static final int MIN_PASSWORD_LENGTH = 8;

    /// Copies the list.
    public Registration {
      answers = List.copyOf(answers);
    }

    /// Registration without a question.
    public Registration(boolean enabled, int perAddressPerHour) {
      this(enabled, perAddressPerHour, "", List.of(), MIN_PASSWORD_LENGTH);
    }
  }

  /// Logging.
  public record Log(
      @Setting("lowest level that is logged") LogLevel level,
      @Setting("format of the log lines") LogFormat format) {}

  /// Settings of one virtual host that differ from the server's; null for those that do not.
  public record Host(
      @Setting("in-band registration on this host") @Nullable Registration registration,
      @Setting("message archive of this host") @Nullable Archive archive,
      @Setting("group chat of this host") @Nullable Rooms rooms,
      @Setting("further services of this host") @Nullable Services services,
      @Setting(value = "contact addresses of this host", form = Form.URI)
          @Nullable List<String> contact,
      @Setting(value = "names of modules that are not loaded for this host", form = Form.MODULE)
          @Nullable Set<String> modulesOff,
      @Setting("certificate of this host") @Nullable Tls tls,
      @Setting("limits of this host") @Nullable HostLimits limits,
      @Setting(
              "origins whose scripts may use what this host offers to other origins (CORS), and"
                  + " connect to it by WebSocket and BOSH, in place of `http.origins`")
          @Nullable List<String> origins,
      @Setting("where accounts of this host are") @Nullable Accounts accounts,
      @Setting(
              "shared groups of this host, besides those of the server; of the same name, this one"
                  + " counts")
          @Nullable Map<String, GroupSettings> group,
      @Setting("settings of a plugin for this host, which count before those of the server")
          @Nullable Map<String, PluginValues> plugin) {
    /// Nothing that differs from the server's settings.
    public static final Host NONE = new Host(null, null, null, null, null, null, null, null);

    /// A host with the origins, the accounts, the groups and the plugins of the server.
    public Host(
        @Nullable Registration registration,
        @Nullable Archive archive,
        @Nullable Rooms rooms,
        @Nullable Services services,
        @Nullable List<String> contact,
        @Nullable Set<String> modulesOff,
        @Nullable Tls tls,
        @Nullable HostLimits limits) {
      this(
          registration,
          archive,
          rooms,
          services,
          contact,
          modulesOff,
          tls,
          limits,
          null,
          null,
          null,
          null);
    }

    /// Copies the collections.
    public Host {
      contact = contact == null ? null : List.copyOf(contact);
      origins = origins == null ? null : List.copyOf(origins);
      modulesOff = modulesOff == null ? null : Set.copyOf(modulesOff);
      group = group == null ? null : Map.copyOf(group);
      plugin = plugin == null ? null : Map.copyOf(plugin);
    }
  }

  /// A default configuration for `hosts`, with the data folder `data`.
  public static ServerConfig defaults(List<String> hosts, Path data) {
    return new ServerConfig(
        hosts,
        data,
        new C2s(
            List.of("127.0.0.1:5222", "[::1]:5222"),
            List.of("127.0.0.1:5223", "[::1]:5223"),
            Plaintext.NEVER,
            0),
        new Tls(null, null),
        Limits.defaults(),
        new Storage(true, true, 5, 2_048),
        new Registration(false, 5),
        List.of(),
        Set.of(),
        new Log(LogLevel.INFO, LogFormat.TEXT));
  }

  /// A copy with another data folder.
  public ServerConfig withData(Path otherData) {
    return RecordCopy.with(this, "data", otherData);
  }

  /// A copy with other settings for client connections.
  public ServerConfig withC2s(C2s otherC2s) {
    return RecordCopy.with(this, "c2s", otherC2s);
  }

  /// A copy with other settings for streams with other servers.
  public ServerConfig withS2s(S2s otherS2s) {
    return RecordCopy.with(this, "s2s", otherS2s);
  }

  /// A copy with other settings for HTTP.
  public ServerConfig withHttp(Http otherHttp) {
    return RecordCopy.with(this, "http", otherHttp);
  }

  /// A copy with accounts elsewhere.
  public ServerConfig withAccounts(Accounts otherAccounts) {
    return RecordCopy.with(this, "accounts", otherAccounts);
  }

  /// A copy with other shared groups.
  public ServerConfig withGroups(Map<String, GroupSettings> otherGroups) {
    return RecordCopy.with(this, "group", otherGroups);
  }

  /// A copy with other settings of plugins.
  public ServerConfig withPlugins(Map<String, PluginValues> otherPlugin) {
    return RecordCopy.with(this, "plugin", otherPlugin);
  }

  /// A copy with other settings of single virtual hosts.
  public ServerConfig withHosts(Map<String, Host> otherHost) {
    return RecordCopy.with(this, "host", otherHost);
  }

  /// The domains of the services of a virtual host, such as `rooms.example.org`.
  public List<String> serviceDomains(String domain) {
    ServerConfig own = at(domain);
    List<String> domains = new ArrayList<>();
    if (!own.modulesOff().contains("muc")) {
      domains.add(own.rooms().prefix() + "." + domain);
    }
    if (!own.modulesOff().contains("pubsub-service")) {
      domains.add(own.services().pubsub().prefix() + "." + domain);
    }
    if (own.services().search().isOn() && !own.modulesOff().contains("search")) {
      domains.add(own.services().search().prefix() + "." + domain);
    }
    if (proxy.isOn() && !own.modulesOff().contains("bytestreams")) {
      domains.add(proxy.prefix() + "." + domain);
    }
    if (own.offersUploads(domain) && !own.modulesOff().contains("upload")) {
      domains.add(own.services().uploads().prefix() + "." + domain);
    }
    return List.copyOf(domains);
  }

  /// Whether accounts of a virtual host, whose settings these are, may upload files: clients must
  /// reach it by HTTPS (XEP-0363, section 4), and the nodes of a cluster must share the files.
  public boolean offersUploads(String domain) {
    return services.uploads().enabled()
        && http.isOn()
        && http.url(domain).startsWith("https://")
        && (cluster.name() == null || storage.files() != null);
  }

  /// Whether the account is named as an administrator: of the host, of its rooms or of its
  /// publish-subscribe service.
  public boolean isAdministrator(Jid account) {
    return Stream.of(services.administration().admins(), services.pubsub().admins(), rooms.admins())
        .flatMap(List::stream)
        .map(Jid::of)
        .anyMatch(account::equals);
  }

  /// The configuration of one virtual host, with the settings of that host applied.
  public ServerConfig at(String domain) {
    Host own = host.get(domain);
    if (own == null) {
      return this;
    }
    return new ServerConfig(
        hosts,
        data,
        c2s,
        s2s,
        component,
        edges,
        cluster,
        proxy,
        proxyProtocol,
        own.origins() == null ? http : http.withOrigins(own.origins()),
        api,
        jmx,
        admin,
        audit,
        backup,
        alarms,
        traces,
        own.tls() == null ? tls : own.tls(),
        acme,
        own.limits() == null ? limits : limits.withHost(own.limits()),
        storage,
        own.archive() == null ? archive : own.archive(),
        own.rooms() == null ? rooms : own.rooms(),
        own.registration() == null ? registration : own.registration(),
        own.accounts() == null ? accounts : own.accounts(),
        own.group() == null ? group : GroupSettings.of(group, own.group()),
        own.plugin() == null ? plugin : PluginValues.of(plugin, own.plugin()),
        own.services() == null ? services : own.services(),
        own.contact() == null ? contact : own.contact(),
        own.modulesOff() == null ? modulesOff : own.modulesOff(),
        log,
        host);
  }

  /// This configuration with everything of `other` that a running server can take over: the hosts,
  /// the settings that a host may have of its own, for all hosts and for each, those of federation
  /// that [S2s#withReloadable] names, the origins of scripts, how long the audit is kept, backups,
  /// alarms, and the logging.
  public ServerConfig withReloadable(ServerConfig other) {
    return new ServerConfig(
        other.hosts,
        data,
        c2s,
        s2s.withReloadable(other.s2s),
        component
            .withPrivilege(other.component.privilege())
            .withDelegation(other.component.delegation()),
        edges,
        cluster,
        other.proxy,
        proxyProtocol,
        http.withOrigins(other.http.origins()),
        api,
        jmx,
        admin,
        other.audit,
        other.backup,
        other.alarms,
        traces,
        other.tls,
        acme,
        limits.withHost(other.limits.ofHost()),
        storage,
        other.archive,
        other.rooms,
        other.registration,
        other.accounts,
        other.group,
        other.plugin,
        other.services,
        other.contact,
        other.modulesOff,
        other.log,
        other.host);
  }
}
