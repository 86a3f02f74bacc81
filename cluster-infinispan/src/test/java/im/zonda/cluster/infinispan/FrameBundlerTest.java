package im.zonda.cluster.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.database.FreePorts;
import org.jgroups.JChannel;
import org.jgroups.protocols.TCP;
import org.junit.jupiter.api.Test;

class FrameBundlerTest {
  /// The threads that bring frames and the bundler's own write to the same connections: bytes of
  /// two messages must not be mixed.
  @Test
  void whoWritesToAConnectionLocksIt() throws Exception {
    EngineSettings settings = TestEngine.settings(1, 1, FreePorts.next(), null);
    try (JChannel channel = new JChannel(ProtocolStack.create(settings))) {
      TCP transport = (TCP) channel.getProtocolStack().getTransport();
      assertThat(transport.getBundler()).isInstanceOf(FrameBundler.class);
      assertThat(transport.useLockToSend()).isTrue();
    }
  }
}
