package im.zonda.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.doctor.machine.MachineFacts;
import im.zonda.app.doctor.machine.ProcessFacts;
import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Finding.Level;
import im.zonda.net.Listener;
import im.zonda.net.Listener.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ListenerChecksTest {
  private static final ProcessFacts.Java JAVA =
      new ProcessFacts.Java("25", 25, 1, List.of(), List.of());

  private static MachineFacts machine(@Nullable Long firstFreePort) {
    return new MachineFacts(null, null, null, null, null, null, firstFreePort, null, List.of());
  }

  private static ProcessFacts user(@Nullable Long user, @Nullable Long capabilities) {
    return new ProcessFacts(false, 1L, 0L, user, capabilities, JAVA);
  }

  private static List<Listener> listeners(Kind kind, String... addresses) {
    return List.of(addresses).stream().map(each -> Listener.parse(kind, each)).toList();
  }

  private static List<Level> levels(List<Finding> findings) {
    return findings.stream().map(Finding::level).toList();
  }

  @Test
  void addressesThatAcceptConnections() throws IOException {
    Listener listener;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      listener = Listener.parse(Kind.HTTP, "127.0.0.1:" + socket.getLocalPort());
      ListenerFacts open = ListenerFacts.connect(listener);
      assertThat(ListenerChecks.accepts(open))
          .isEqualTo(Finding.ok("port", listener + " (http.listen) accepts connections"));
      Listener any = Listener.parse(Kind.HTTP, "0.0.0.0:" + socket.getLocalPort());
      assertThat(ListenerFacts.connect(any).failure()).isNull();
    }
    ListenerFacts closed = ListenerFacts.connect(listener);
    assertThat(closed.failure()).isEqualTo("connection refused");
    assertThat(ListenerChecks.accepts(closed).level()).isEqualTo(Level.PROBLEM);
    assertThat(ListenerChecks.accepts(closed).advice())
        .contains("ss -ltnp | grep :" + listener.address().getPort());
  }

  @Test
  void lowPortsNeedThePermission() {
    List<Listener> low = listeners(Kind.HTTPS, "0.0.0.0:443");
    MachineFacts machine = machine(1_024L);
    assertThat(levels(ListenerChecks.permission(low, machine, user(0L, 0L))))
        .containsExactly(Level.OK);
    assertThat(levels(ListenerChecks.permission(low, machine, user(7L, 1L << 10))))
        .containsExactly(Level.OK);
    List<Finding> missing = ListenerChecks.permission(low, machine, user(7L, ~(1L << 10)));
    assertThat(levels(missing)).containsExactly(Level.PROBLEM);
    assertThat(missing.toString())
        .contains("0.0.0.0:443 (http.listen-tls)", "AmbientCapabilities=CAP_NET_BIND_SERVICE");
    assertThat(ListenerChecks.permission(low, machine(80L), user(7L, 0L))).isEmpty();
    assertThat(
            ListenerChecks.permission(
                listeners(Kind.HTTP, "0.0.0.0:5280", "0.0.0.0:0"), machine, user(7L, 0L)))
        .isEmpty();
    assertThat(ListenerChecks.permission(low, machine(null), user(7L, 0L)).toString())
        .contains("not known: ");
    assertThat(ListenerChecks.permission(low, machine, user(null, null)).toString())
        .contains("not known: ");
  }

  @Test
  void publicHostsNeedPublicAddresses() {
    List<Listener> local = listeners(Kind.STARTTLS, "127.0.0.1:5222", "[::1]:5222");
    List<Finding> findings = ListenerChecks.reachable(local, true, false);
    assertThat(levels(findings)).containsExactly(Level.WARNING);
    assertThat(findings.getFirst().advice())
        .containsExactly("[c2s]", "listen = [\"0.0.0.0:5222\"]");
    assertThat(ListenerChecks.reachable(local, false, false)).isEmpty();
    assertThat(
            ListenerChecks.reachable(
                listeners(Kind.STARTTLS, "127.0.0.1:5222", "192.0.2.1:5222"), true, false))
        .isEmpty();
    List<Listener> web = listeners(Kind.HTTP, "127.0.0.1:5280");
    assertThat(levels(ListenerChecks.reachable(web, true, false))).containsExactly(Level.WARNING);
    assertThat(ListenerChecks.reachable(web, true, true)).isEmpty();
    assertThat(ListenerChecks.reachable(listeners(Kind.COMPONENT, "127.0.0.1:5347"), true, false))
        .isEmpty();
  }
}
