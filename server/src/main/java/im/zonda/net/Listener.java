package im.zonda.net;

import im.zonda.config.ProxyProtocol;
import im.zonda.config.ServerConfig;
import im.zonda.net.proxy.AddressRanges;
import im.zonda.net.proxy.ProxyHeaders;
import im.zonda.stream.StreamProfile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Where connections are accepted, and how they begin.
///
/// @param kind who connects and how connections begin
/// @param address the address; port 0 takes any free one
/// @param profile what the streams are; null for those of clients
/// @param limits limits for the connections of that profile; null for those of connections of
///   clients, which are counted by themselves
/// @param setup what the connections speak if it is not XMPP, or null
/// @param proxies reads the header of the PROXY protocol with which each connection must begin;
///   null if there is none
public record Listener(
    Kind kind,
    InetSocketAddress address,
    @Nullable StreamProfile profile,
    @Nullable AcceptLimits limits,
    AcceptedChannel.@Nullable Setup setup,
    @Nullable ProxyHeaders proxies) {
  /// Who connects, and how a connection begins.
  public enum Kind {
    /// Clients, in the clear; TLS follows by STARTTLS (RFC 6120, section 5).
    STARTTLS("c2s.listen"),
    /// Clients, with TLS (XEP-0368).
    DIRECT_TLS("c2s.listen-tls"),
    /// Other servers, in the clear; TLS follows by STARTTLS.
    SERVER("s2s.listen"),
    /// Other servers, with TLS (XEP-0368).
    SERVER_DIRECT_TLS("s2s.listen-tls"),
    /// Components, in the clear (XEP-0114).
    COMPONENT("component.listen"),
    /// Browsers, in the clear.
    HTTP("http.listen"),
    /// Browsers, with TLS.
    HTTPS("http.listen-tls"),
    /// Programs that administer the server, in the clear.
    API("api.listen"),
    /// Programs that administer the server, with TLS.
    API_TLS("api.listen-tls"),
    /// Browsers of administrators, with TLS.
    ADMIN_TLS("admin.listen-tls"),
    /// Edges, with TLS.
    EDGE("edges.listen");

    private final String key;

    Kind(String key) {
      this.key = key;
    }

    /// The key of the configuration that has the addresses.
    public String key() {
      return key;
    }

    /// Whether connections begin with TLS.
    boolean isDirectTls() {
      return switch (this) {
        case DIRECT_TLS, SERVER_DIRECT_TLS, HTTPS, API_TLS, ADMIN_TLS -> true;
        case STARTTLS, SERVER, COMPONENT, HTTP, API, EDGE -> false;
      };
    }
  }

  /// Where client connections are accepted.
  public Listener(Kind kind, InetSocketAddress address) {
    this(kind, address, null, null, null, null);
  }

  /// The same for streams of another profile.
  public Listener withProfile(StreamProfile other, @Nullable AcceptLimits otherLimits) {
    return new Listener(kind, address, other, otherLimits, null, proxies);
  }

  /// The same for connections that speak another protocol.
  public Listener withSetup(AcceptedChannel.Setup other, AcceptLimits otherLimits) {
    return new Listener(kind, address, null, otherLimits, other, proxies);
  }

  /// Where clients connect by TCP.
  public static List<Listener> ofClients(ServerConfig.C2s settings) {
    List<Listener> listeners = new ArrayList<>();
    for (String address : settings.listen()) {
      listeners.add(parse(Kind.STARTTLS, address));
    }
    for (String address : settings.listenTls()) {
      listeners.add(parse(Kind.DIRECT_TLS, address));
    }
    return listeners;
  }

  /// The same listeners; those that the settings name demand the header of the PROXY protocol.
  public static List<Listener> behindProxies(List<Listener> listeners, ProxyProtocol settings) {
    if (settings.listeners().isEmpty()) {
      return listeners;
    }
    AddressRanges trusted = new AddressRanges(settings.trusted());
    Set<InetSocketAddress> behind =
        settings.listeners().stream()
            .map(each -> parse(Kind.STARTTLS, each).address())
            .collect(Collectors.toSet());
    return listeners.stream()
        .map(each ->
            behind.contains(each.address())
                ? each.behind(new ProxyHeaders(trusted, settings.headerTime()))
                : each)
        .toList();
  }

  /// The same at another address.
  Listener at(InetSocketAddress other) {
    return new Listener(kind, other, profile, limits, setup, proxies);
  }

  /// The same for connections that proxies make, each with the header of the PROXY protocol.
  public Listener behind(ProxyHeaders headers) {
    return new Listener(kind, address, profile, limits, setup, headers);
  }

  /// Reads `address:port`, with an IPv6 address in brackets.
  ///
  /// @throws IllegalArgumentException with a sentence for the administrator
  public static Listener parse(Kind kind, String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (host.isEmpty() || (host.indexOf(':') >= 0 && !bracketed)) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not address:port, such as 0.0.0.0:5222 or [::]:5222");
    }
    if (bracketed) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return new Listener(kind, new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + text + "\" has no port from 0 to 65535", e);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("\"" + host + "\" is no address of a machine", e);
    }
  }

  @Override
  public String toString() {
    String host =
        switch (address.getAddress().getHostAddress()) {
          case "0:0:0:0:0:0:0:1" -> "::1";
          case "0:0:0:0:0:0:0:0" -> "::";
          case String other -> other;
        };
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
