package im.zonda.app.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.operation.Grant;
import im.zonda.operation.Role;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.rmi.AccessException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.rmi.RMIServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a stranger, or someone who may only read, can try at the port of JMX.
@Timeout(60)
class JmxAttackTest {
  @TempDir private Path folder;
  private RunningJmx running;

  @SuppressWarnings("NullAway.Init") // set before each test
  JmxAttackTest() {}

  /// A class that the server knows and that no client may send.
  private record Gadget(String text) implements Serializable, Remote {}

  @BeforeEach
  void start() throws IOException {
    running = new RunningJmx(folder, false);
  }

  @AfterEach
  void stop() throws IOException {
    running.close();
  }

  private MBeanServerConnection connection() throws IOException {
    return connection(running.connect(new String[] {"reader", running.reader()}));
  }

  private static MBeanServerConnection connection(JMXConnector connector) throws IOException {
    return connector.getMBeanServerConnection();
  }

  @Test
  @SuppressWarnings("BanJNDI") // the test's own server
  void withoutRightTokenNobodyConnects() {
    String token = running.reader();
    String ofHost = running.token("host", new Grant(Role.HOST_ADMIN, Set.of("localhost"), null));
    for (Object each :
        List.of(
            new String[] {"reader", "zonda_wrong"},
            new String[] {"reader", ""},
            new String[] {"reader"},
            new String[] {"other", token},
            new String[] {"host", ofHost},
            "reader " + token)) {
      assertThatThrownBy(() -> running.connect(each)).isInstanceOf(SecurityException.class);
    }
    assertThatThrownBy(() -> running.connect(new String[] {null, null}))
        .isInstanceOf(SecurityException.class);
    assertThatThrownBy(() -> JMXConnectorFactory.connect(running.url(), null))
        .isInstanceOf(SecurityException.class);
  }

  @Test
  void whatChangesIsRefused() throws Exception {
    MBeanServerConnection beans = connection();
    ObjectName memory = new ObjectName(ManagementFactory.MEMORY_MXBEAN_NAME);
    ObjectName own = new ObjectName("im.zonda:type=Evil");
    assertThatThrownBy(() -> beans.invoke(memory, "gc", null, null))
        .isInstanceOf(SecurityException.class);
    assertThatThrownBy(() -> beans.setAttribute(memory, new Attribute("Verbose", true)))
        .isInstanceOfAny(SecurityException.class, InvalidClassException.class);
    assertThatThrownBy(() -> beans.createMBean("javax.management.loading.MLet", own))
        .isInstanceOf(SecurityException.class);
    assertThatThrownBy(() -> beans.createMBean("javax.management.monitor.StringMonitor", own))
        .isInstanceOf(SecurityException.class);
    assertThatThrownBy(() -> beans.unregisterMBean(memory)).isInstanceOf(SecurityException.class);
    assertThatThrownBy(() -> beans.addNotificationListener(memory, memory, null, null))
        .isInstanceOf(SecurityException.class);
    assertThat(beans.isRegistered(own)).isFalse();
    assertThat(beans.getAttribute(memory, "Verbose")).isEqualTo(false);
    assertThat(
            beans.invoke(
                new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                "getThreadInfo",
                new Object[] {new long[] {1}},
                new String[] {"[J"}))
        .as("threads are read")
        .isNotNull();
  }

  @Test
  void noBeanHasSecretsOrCommands() throws Exception {
    System.setProperty("zonda.test.secret", "a-secret-of-this-test");
    MBeanServerConnection beans = connection();
    ObjectName process = new ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME);
    assertThat((TabularData) beans.getAttribute(process, "SystemProperties"))
        .satisfies(table -> assertThat(table.isEmpty()).isTrue());
    assertThat((String[]) beans.getAttribute(process, "InputArguments")).isEmpty();
    assertThat(beans.getAttributes(process, new String[] {"ClassPath", "VmVersion"}).asList())
        .extracting(each -> String.valueOf(each.getValue()))
        .containsExactly("", System.getProperty("java.vm.version"));
    for (ObjectName each : beans.queryNames(null, null)) {
      assertThat(each.getDomain()).isNotIn("com.sun.management", "jdk.management.jfr");
      for (var attribute : beans.getMBeanInfo(each).getAttributes()) {
        if (attribute.isReadable()) {
          List<Attribute> values =
              beans.getAttributes(each, new String[] {attribute.getName()}).asList();
          assertThat(values.toString()).doesNotContain("a-secret-of-this-test");
        }
      }
    }
  }

  @Test
  void objectsOfOtherClassesAreNotRead() throws Exception {
    RMIServer server = (RMIServer) running.registry().lookup("jmxrmi");
    TreeMap<String, String> map = new TreeMap<>(Map.of("a", "b"));
    for (Object each :
        List.of(new Gadget("x"), new HashMap<>(map), new Object[] {map}, new String[5])) {
      assertThatThrownBy(() -> server.newClient(each)).satisfies(JmxAttackTest::isRejected);
    }
    MBeanServerConnection beans = connection();
    assertThatThrownBy(() ->
            beans.invoke(
                new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                "getThreadInfo",
                new Object[] {new Gadget("x")},
                new String[] {"long"}))
        .satisfies(JmxAttackTest::isRejected);
  }

  @Test
  void requestsAreBounded() throws Exception {
    RMIServer server = (RMIServer) running.registry().lookup("jmxrmi");
    String[] credentials = {"reader", "x".repeat(2 * ConnectionSockets.MOST_REQUEST)};
    assertThatThrownBy(() -> server.newClient(credentials)).isInstanceOf(RemoteException.class);
    assertThat(connection().getMBeanCount()).isPositive();
  }

  @Test
  void nobodyReplacesWhatClientsFind() throws Exception {
    Registry registry = running.registry();
    Remote found = registry.lookup("jmxrmi");
    assertThatThrownBy(() -> registry.rebind("jmxrmi", found))
        .hasCauseInstanceOf(AccessException.class);
    assertThatThrownBy(() -> registry.bind("other", found))
        .hasCauseInstanceOf(AccessException.class);
    assertThatThrownBy(() -> registry.unbind("jmxrmi")).hasCauseInstanceOf(AccessException.class);
    assertThat(registry.list()).containsExactly("jmxrmi");
  }

  @Test
  void connectionsAreBounded() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < RunningJmx.MOST; i++) {
      sockets.add(new Socket(InetAddress.getLoopbackAddress(), running.jmx.port()));
    }
    try (Socket more = new Socket(InetAddress.getLoopbackAddress(), running.jmx.port())) {
      more.setSoTimeout(10_000);
      assertThat(more.getInputStream().read()).as("closed at once").isEqualTo(-1);
    }
    for (Socket each : sockets) {
      each.getOutputStream().write("no RMI at all\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      each.close();
    }
    String token = running.reader();
    Eventually.await(
        "a place for a client",
        () -> {
          try (JMXConnector connector = running.connect(new String[] {"reader", token})) {
            return connection(connector).getMBeanCount() > 0;
          } catch (IOException e) {
            return false;
          }
        });
  }

  @Test
  void revokedTokenReadsNothingMore() throws Exception {
    MBeanServerConnection beans = connection();
    assertThat(beans.getMBeanCount()).isPositive();
    assertThat(running.tokens.revoke("reader")).isTrue();
    assertThatThrownBy(beans::getMBeanCount).isInstanceOf(SecurityException.class);
  }

  /// Whether a filter has refused a class.
  private static void isRejected(Throwable failure) {
    assertThat(Stream.iterate(failure, Objects::nonNull, Throwable::getCause))
        .hasAtLeastOneElementOfType(InvalidClassException.class);
  }
}
