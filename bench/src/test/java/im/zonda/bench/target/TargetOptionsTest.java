package im.zonda.bench.target;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import im.zonda.bench.load.Options;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetOptionsTest {
  private static final byte[] ONE = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

  private static Options options(String... pairs) {
    Map<String, String> values = new HashMap<>();
    Targets.OPTIONS.forEach(option -> values.put(option.name(), option.usual()));
    for (String pair : pairs) {
      values.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return new Options(values);
  }

  private static void assertRefused(String message, String servers, String... pairs) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> Targets.of(servers, options(pairs)))
            .getMessage());
  }

  @Test
  void aServerThatRunsHasTheAddressesAndProcessesThatAreGiven() throws IOException {
    long self = ProcessHandle.current().pid();
    Target target =
        Targets.of(
                "zonda",
                options(
                    "address=127.0.0.1:5222,[::1]:5223",
                    "domain=example.org",
                    "security=tls",
                    "pid=" + self))
            .getFirst();
    assertEquals(
        List.of(
            new Endpoint(
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 5222),
                "example.org",
                Endpoint.Transport.TCP,
                Endpoint.Security.TLS),
            new Endpoint(
                new InetSocketAddress(InetAddress.getByAddress(ONE), 5223),
                "example.org",
                Endpoint.Transport.TCP,
                Endpoint.Security.TLS)),
        target.endpoints());
    assertEquals(List.of(new Target.TargetProcess("server", self)), target.processes());
    assertEquals("rooms.example.org", target.service("rooms"));
    assertEquals(List.of("--security tls"), target.subject().options());
    assertNull(target.gcLog());
  }

  @Test
  void wrongOptionsAreSaid() {
    assertRefused("--address here is not of the form HOST:PORT", "zonda", "address=here");
    assertRefused(
        "--pid 999999999: there is no such process",
        "zonda",
        "address=127.0.0.1:5222",
        "pid=999999999");
    assertRefused(
        "--storage is not for a server at --address",
        "zonda",
        "address=127.0.0.1:5222",
        "storage=mariadb");
    assertRefused(
        "--security cannot be sometimes", "zonda", "address=127.0.0.1:5222", "security=sometimes");
    assertRefused(
        "--security starttls is for --transport tcp only",
        "zonda",
        "address=127.0.0.1:5222",
        "transport=bosh",
        "security=starttls");
    assertRefused(
        "--server wildfire is none of zonda, zonda-volatile, ejabberd, ejabberd-volatile, prosody, prosody-volatile,"
            + " openfire",
        "wildfire");
  }

  @Test
  void whatIsNotInstalledIsSaid() {
    assertEquals(
        "Openfire is not installed; unpack it and name its folder with --openfire",
        assertThrows(IOException.class, () -> Targets.of("openfire", options())).getMessage());
    assertEquals(
        "/nowhere/zonda is no launcher of Zonda",
        assertThrows(IOException.class, () -> Targets.of("zonda", options("zonda=/nowhere/zonda")))
            .getMessage());
  }

  @Test
  void aNodeStandsStillForSomeTime() {
    assertEquals(new Standstill(2, 10, 5), Standstill.parse("2:10:5", 3));
    assertNull(Standstill.parse("", 3));
    for (String wrong : List.of("2:10", "4:10:5", "0:1:1", "a:b:c")) {
      assertThrows(IllegalArgumentException.class, () -> Standstill.parse(wrong, 3));
    }
  }
}
