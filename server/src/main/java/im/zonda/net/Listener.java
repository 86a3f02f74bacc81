package im.zonda.net;

import im.zonda.stream.StreamProfile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// Where connections are accepted, and how they begin.
///
/// @param kind who connects and how connections begin
/// @param address the address; port 0 takes any free one
/// @param profile what the streams are; null for those of clients
/// @param limits limits for the connections of that profile; null for those of connections of
///   clients, which are counted by themselves
/// @param setup what the connections speak if it is not XMPP, or null
public record Listener(
    Kind kind,
    InetSocketAddress address,
    @Nullable StreamProfile profile,
    @Nullable AcceptLimits limits,
    AcceptedChannel.@Nullable Setup setup) {
  /// Who connects, and how a connection begins.
  public enum Kind {
    /// Clients, in the clear; TLS follows by STARTTLS (RFC 6120, section 5).
    STARTTLS,
    /// Clients, with TLS (XEP-0368).
    DIRECT_TLS,
    /// Other servers, in the clear; TLS follows by STARTTLS.
    SERVER,
    /// Other servers, with TLS (XEP-0368).
    SERVER_DIRECT_TLS,
    /// Components, in the clear (XEP-0114).
    COMPONENT,
    /// Browsers, in the clear.
    HTTP,
    /// Browsers, with TLS.
    HTTPS;

    /// Whether connections begin with TLS.
    boolean isDirectTls() {
      return this == DIRECT_TLS || this == SERVER_DIRECT_TLS || this == HTTPS;
    }
  }

  /// Where client connections are accepted.
  public Listener(Kind kind, InetSocketAddress address) {
    this(kind, address, null, null, null);
  }

  /// The same for streams of another profile.
  public Listener withProfile(StreamProfile other, @Nullable AcceptLimits otherLimits) {
    return new Listener(kind, address, other, otherLimits, null);
  }

  /// The same for connections that speak another protocol.
  public Listener withSetup(AcceptedChannel.Setup other, AcceptLimits otherLimits) {
    return new Listener(kind, address, null, otherLimits, other);
  }

  /// The same at another address.
  Listener at(InetSocketAddress other) {
    return new Listener(kind, other, profile, limits, setup);
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
