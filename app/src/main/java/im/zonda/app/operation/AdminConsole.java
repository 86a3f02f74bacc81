package im.zonda.app.operation;

import im.zonda.config.Admin;
import im.zonda.config.Http;
import im.zonda.config.ServerConfig;
import im.zonda.console.Console;
import im.zonda.host.XmppServer;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpRoute;
import im.zonda.net.Listener;
import im.zonda.net.http.HttpServer;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.operation.Caller;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stream.CertificateNames;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Serves the admin console (`[admin]`): beside the pages for everyone, to browsers of this
/// machine, and at addresses of its own.
///
/// @param console the console; null if it is off
/// @param config the configuration with which the server has started
public record AdminConsole(@Nullable Console console, ServerConfig config) {
  private static final Duration RENEWAL = Duration.ofSeconds(2);

  /// The console of a server. Adds its operations to the catalogue.
  ///
  /// @param listeners where the server listens, once it does
  public static AdminConsole of(
      ServerConfig config, ServerOperations administration, Supplier<List<Listener>> listeners) {
    if (!config.admin().enabled()) {
      return new AdminConsole(null, config);
    }
    XmppServer server = administration.server();
    ServerRuntime runtime = administration.runtime();
    Console console =
        new Console(
            new Console.Parts(
                administration.operations(),
                server.passwords(),
                server.http()::domains,
                () -> origin(config, listeners.get()),
                config.admin().label(),
                RENEWAL,
                new Console.Kept(
                    administration.stores()::keyValues, server.signer(), administration.audit()),
                config.admin().secondFactor() == Admin.SecondFactor.REQUIRED,
                SsoRoles.issuer(config.admin().sso(), runtime.clock()),
                runtime.clock(),
                runtime.random()));
    server.catalogue().offer(console.offers());
    return new AdminConsole(console, config);
  }

  /// Where a browser of this machine finds the console; null if nowhere.
  private static @Nullable String origin(ServerConfig config, List<Listener> listeners) {
    for (Listener.Kind kind : List.of(Listener.Kind.HTTP, Listener.Kind.HTTPS)) {
      for (Listener each : listeners) {
        InetAddress address = each.address().getAddress();
        if (each.kind() == kind && (address.isLoopbackAddress() || address.isAnyLocalAddress())) {
          String scheme = kind == Listener.Kind.HTTP ? "http" : "https";
          return scheme + "://" + authority(each.address());
        }
      }
    }
    for (Listener each : listeners) {
      if (each.kind() == Listener.Kind.ADMIN_TLS) {
        String host = CertificateNames.toAscii(config.hosts().getFirst());
        return "https://" + host + ":" + each.address().getPort();
      }
    }
    return null;
  }

  private static String authority(InetSocketAddress address) {
    boolean sixth = address.getAddress().getAddress().length > 4;
    String host = sixth && address.getAddress().isLoopbackAddress() ? "[::1]" : "127.0.0.1";
    return host + ":" + address.getPort();
  }

  /// The address of a new one-time link for the owner of the process; null if browsers find the
  /// console nowhere.
  public @Nullable String newLink() {
    return console == null
        ? null
        : console.newLink(Caller.owner(System.getProperty("user.name", "owner")));
  }

  /// The hosts with the console beside their own pages.
  public HttpHosts besidePagesOf(HttpHosts hosts) {
    return console == null ? hosts : new ConsoleHosts(hosts, console.routes(null), true);
  }

  /// Where HTTP is spoken: to users, to programs that administer, and to administrators.
  ///
  /// @param http to users
  public List<Listener> withThoseOf(HttpServer http, ServerOperations administration) {
    List<Listener> all = new ArrayList<>(http.listeners());
    all.addAll(administration.listeners(config));
    all.addAll(listeners(administration));
    return all;
  }

  /// Where browsers of other machines connect.
  public List<Listener> listeners(ServerOperations administration) {
    Admin admin = config.admin();
    if (console == null || admin.listenTls().isEmpty()) {
      return List.of();
    }
    AddressRanges allowed = new AddressRanges(admin.allowFrom());
    List<HttpRoute> routes =
        console.routes(address -> admin.allowFrom().isEmpty() || allowed.contains(address));
    Http settings = new Http(List.of(), admin.listenTls(), null, List.of(), false, List.of());
    return new HttpServer(
            settings,
            config.limits().http(),
            new ConsoleHosts(administration.server().http(), routes, false),
            administration.runtime())
        .listeners(Listener.Kind.ADMIN_TLS, Listener.Kind.ADMIN_TLS);
  }

  /// The hosts of a server, each with the console.
  ///
  /// @param beside whether it is beside the host's own routes
  private record ConsoleHosts(HttpHosts hosts, List<HttpRoute> console, boolean beside)
      implements HttpHosts {
    @Override
    public List<String> domains() {
      return hosts.domains();
    }

    @Override
    public List<HttpRoute> routes(String domain) {
      if (!beside) {
        return console;
      }
      List<HttpRoute> all = new ArrayList<>(hosts.routes(domain));
      all.addAll(console);
      return all;
    }

    @Override
    public List<String> origins(String domain) {
      return beside ? hosts.origins(domain) : List.of();
    }

    @Override
    public boolean acceptsStreams() {
      return beside && hosts.acceptsStreams();
    }
  }
}
