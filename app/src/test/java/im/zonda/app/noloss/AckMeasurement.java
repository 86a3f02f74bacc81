package im.zonda.app.noloss;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/// Measures how long a message takes until the server acknowledges it (XEP-0198), beside whatever
/// other load a running server has.
///
/// Arguments: the port of a running server on loopback that offers no TLS, its domain, the password
/// of `ack0` and `ack1`, how many messages, and how many a second.
final class AckMeasurement {
  private static final String MANAGEMENT = "urn:xmpp:sm:3";

  private AckMeasurement() {}

  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    String domain = arguments[1];
    long[] nanos = new long[Integer.parseInt(arguments[3])];
    long pause = 1_000_000_000L / Integer.parseInt(arguments[4]);
    try (ScriptedClient receiver = login(port, "ack1@" + domain, arguments[2]);
        ScriptedClient sender = login(port, "ack0@" + domain, arguments[2])) {
      receiver.send("<presence/>");
      sender.send("<enable xmlns='" + MANAGEMENT + "'/>").receive();
      String message =
          "<message type='chat' to='"
              + receiver.jid()
              + "'><body>"
              + "x".repeat(100)
              + "</body></message><r xmlns='"
              + MANAGEMENT
              + "'/>";
      for (int i = 0; i < nanos.length; i++) {
        long start = System.nanoTime();
        sender.send(message);
        String handled = Integer.toString(i + 1);
        sender.receiveFirst(each -> handled.equals(each.attribute("h")));
        nanos[i] = System.nanoTime() - start;
        LockSupport.parkNanos(pause - nanos[i]);
        receiver.skipUnread();
      }
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%d acknowledged, ms: p50 %.1f, p99 %.1f, longest %.1f%n",
        nanos.length,
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length * 99 / 100] / 1e6,
        nanos[nanos.length - 1] / 1e6);
  }

  private static ScriptedClient login(int port, String user, String password) throws Exception {
    Login login =
        Login.of(user + "/r", password)
            .withMechanism("SCRAM-SHA-1")
            .withSecurity(Login.Security.NONE);
    return new ScriptedClient(
            SocketWire.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
        .login(login);
  }
}
