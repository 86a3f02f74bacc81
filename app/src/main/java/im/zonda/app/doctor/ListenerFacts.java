package im.zonda.app.doctor;

import im.zonda.config.ServerConfig;
import im.zonda.net.Listener;
import im.zonda.net.Listener.Kind;
import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An address that the server listens on.
///
/// @param failure why it accepts no connection; null if it does, or was not tried
record ListenerFacts(Listener listener, @Nullable String failure) {
  private static final int CONNECT_MILLIS = 3_000;

  /// The listeners of a configuration, which are not tried.
  static List<Listener> of(ServerConfig config) {
    List<Listener> all = new ArrayList<>();
    add(all, Kind.STARTTLS, config.c2s().listen());
    add(all, Kind.DIRECT_TLS, config.c2s().listenTls());
    if (config.s2s().enabled()) {
      add(all, Kind.SERVER, config.s2s().listen());
      add(all, Kind.SERVER_DIRECT_TLS, config.s2s().listenTls());
    }
    add(all, Kind.COMPONENT, config.component().listen());
    add(all, Kind.HTTP, config.http().listen());
    add(all, Kind.HTTPS, config.http().listenTls());
    add(all, Kind.EDGE, config.edges().listen());
    return all;
  }

  private static void add(List<Listener> all, Kind kind, List<String> addresses) {
    addresses.forEach(each -> all.add(Listener.parse(kind, each)));
  }

  /// Tries to connect. Blocks for a few seconds at most.
  static ListenerFacts connect(Listener listener) {
    try (Socket socket = new Socket()) {
      socket.connect(reachable(listener.address()), CONNECT_MILLIS);
      return new ListenerFacts(listener, null);
    } catch (IOException e) {
      return new ListenerFacts(listener, FailureText.of(e));
    }
  }

  /// An address by which this machine reaches it.
  private static InetSocketAddress reachable(InetSocketAddress address)
      throws UnknownHostException {
    if (!address.getAddress().isAnyLocalAddress()) {
      return address;
    }
    boolean four = address.getAddress() instanceof Inet4Address;
    return new InetSocketAddress(
        InetAddress.getByName(four ? "127.0.0.1" : "::1"), address.getPort());
  }
}
