package im.zonda.app.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.metric.StandardMeters;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.management.MBeanServerConnection;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JmxTest {
  @TempDir private Path folder;

  @Test
  void metersAndTheVirtualMachineAreRead() throws Exception {
    try (RunningJmx running = new RunningJmx(folder, false);
        JMXConnector connector = running.connect(new String[] {"reader", running.reader()})) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();

      Set<String> meters = new TreeSet<>();
      for (ObjectName each : beans.queryNames(new ObjectName("im.zonda:*"), null)) {
        meters.add(each.getKeyProperty("name"));
      }
      assertThat(meters)
          .containsExactlyElementsOf(StandardMeters.ALL.stream().map(each -> each.name()).toList());
      ObjectName runs = new ObjectName("im.zonda:type=Operations,name=zonda_operations_total");
      assertThat(beans.getMBeanInfo(runs).getAttributes()).isNotNull();
      CompositeData heap =
          (CompositeData)
              beans.getAttribute(
                  new ObjectName(ManagementFactory.MEMORY_MXBEAN_NAME), "HeapMemoryUsage");
      assertThat((Long) heap.get("used")).isPositive();
      ObjectName delegate = new ObjectName("JMImplementation:type=MBeanServerDelegate");
      NotificationListener listener = (_, _) -> {};
      beans.addNotificationListener(delegate, listener, null, null); // as JConsole does
      beans.removeNotificationListener(delegate, listener);
    }
  }

  @Test
  void connectionsAreEncryptedWithTheCertificateOfTheHost() throws Exception {
    try (RunningJmx running = new RunningJmx(folder, true)) {
      assertThat(client(running, running.reader())).contains("MBeans: ");
      assertThat(client(running, "zonda_wrong")).contains("This token is not known");
    }
  }

  /// What a client in a process of its own says, which trusts the certificate.
  private String client(RunningJmx running, String token) throws Exception {
    Path trust = folder.resolve("trust.p12");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (var in = Files.newInputStream(folder.resolve("self-signed.crt"))) {
      store.setCertificateEntry(
          "zonda", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    try (OutputStream out = Files.newOutputStream(trust)) {
      store.store(out, "changeit".toCharArray());
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djavax.net.ssl.trustStore=" + trust,
                "-Djavax.net.ssl.trustStorePassword=changeit",
                "-cp",
                Path.of(Client.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString(),
                Client.class.getName(),
                String.valueOf(running.jmx.port()),
                token)
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  /// Connects as JConsole does with TLS.
  static final class Client {
    private Client() {}

    @SuppressWarnings("BanJNDI") // the test's own server
    public static void main(String[] arguments) throws IOException {
      JMXServiceURL url =
          new JMXServiceURL("service:jmx:rmi:///jndi/rmi://localhost:" + arguments[0] + "/jmxrmi");
      Map<String, Object> settings =
          Map.of(
              JMXConnector.CREDENTIALS,
              new String[] {"reader", arguments[1]},
              "com.sun.jndi.rmi.factory.socket",
              new SslRMIClientSocketFactory());
      try (JMXConnector connector = JMXConnectorFactory.connect(url, settings)) {
        System.out.println("MBeans: " + connector.getMBeanServerConnection().getMBeanCount());
      }
    }
  }
}
