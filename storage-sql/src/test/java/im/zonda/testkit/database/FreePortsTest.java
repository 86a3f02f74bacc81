package im.zonda.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  @Test
  void twoProcessesHaveDifferentPorts() throws Exception {
    FreePorts one = FreePorts.claim();
    FreePorts other = FreePorts.claim();
    try {
      Set<Integer> ports = new HashSet<>();
      for (int i = 0; i < 60; i++) {
        assertThat(ports.add(one.find(1))).isTrue();
        assertThat(ports.add(other.find(1))).isTrue();
      }
    } finally {
      one.release();
      other.release();
    }
  }

  @Test
  void aPortWithAServerIsLeftOut() throws Exception {
    FreePorts ports = FreePorts.claim();
    int port = ports.find(1);
    try (ServerSocket _ = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress())) {
      assertThat(ports.find(1)).isNotEqualTo(port + 1);
    } finally {
      ports.release();
    }
  }
}
