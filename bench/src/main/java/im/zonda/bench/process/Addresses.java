package im.zonda.bench.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// Addresses of this machine for servers under load. Ports are below those that the system gives to
/// connections of its own.
public final class Addresses {
  private static final int FIRST = 15_222;
  private static final int LAST = 19_999;
  private static final int CONNECT_MILLIS = 1_000;

  private int next = FIRST;

  /// An address of this machine, 127.0.0.NUMBER, with a port that nobody has.
  ///
  /// @throws IOException if there is none
  public InetSocketAddress free(int number) throws IOException {
    InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) number});
    for (; next <= LAST; next++) {
      try (ServerSocket socket = new ServerSocket(next, 1, address)) {
        next++;
        return new InetSocketAddress(address, socket.getLocalPort());
      } catch (IOException e) {
        // Another program has it; the next one is tried.
      }
    }
    throw new IOException("no port from " + FIRST + " to " + LAST + " is free at " + address);
  }

  /// An address with a port that nobody has at the first address of this machine.
  public InetSocketAddress free() throws IOException {
    return free(1);
  }

  /// An address as settings have it.
  public static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  /// Whether a server of XMPP answers at an address without TLS.
  public static boolean answers(InetSocketAddress address, String domain) {
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS);
      socket.setSoTimeout(CONNECT_MILLIS);
      socket
          .getOutputStream()
          .write(
              ("<?xml version='1.0'?><stream:stream xmlns='jabber:client' version='1.0' to='"
                      + domain
                      + "' xmlns:stream='http://etherx.jabber.org/streams'>")
                  .getBytes(StandardCharsets.UTF_8));
      return socket.getInputStream().read() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  /// Whether something accepts connections at an address.
  public static boolean accepts(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
