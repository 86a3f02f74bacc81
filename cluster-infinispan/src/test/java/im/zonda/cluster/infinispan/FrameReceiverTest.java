package im.zonda.cluster.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.placement.Topology;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jgroups.BytesMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Messages as a node with a certificate may forge them.
class FrameReceiverTest {
  private final List<byte[]> frames = new ArrayList<>();
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(FrameReceiver.class);
  private final FrameReceiver receiver =
      new FrameReceiver(
          new ClusterEngine.Listener() {
            @Override
            public void topologyChanged(Topology topology) {}

            @Override
            public void received(List<byte[]> received) {
              frames.addAll(received);
            }
          },
          new Peers(
              new Member("a", 1),
              _ -> {
                throw new AssertionError("no view, no peers");
              }),
          () -> {});

  @BeforeEach
  void collect() {
    events.start();
    logger.addAppender(events);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(events);
  }

  private void receive(String hex) {
    receiver.receive(new BytesMessage(null, HexFormat.of().parseHex(hex)));
  }

  @Test
  void framesOfAMessageComeInOrder() {
    receive("00000001" + "aa" + "00000000" + "00000002" + "bbcc");
    assertThat(frames)
        .containsExactly(
            new byte[] {(byte) 0xaa}, new byte[0], new byte[] {(byte) 0xbb, (byte) 0xcc});
    assertThat(events.list).isEmpty();
  }

  @Test
  void aMessageThatIsNoBatchIsRefusedAndLogged() {
    List<String> forged =
        List.of("00", "000000", "00000002aa", "ffffffff", "7fffffffaa", "00000001aa00000005bb");
    forged.forEach(this::receive);
    assertThat(frames).isEmpty();
    assertThat(events.list).hasSize(forged.size());
    assertThat(events.list).allMatch(each -> each.getMessage().equals("cluster_message_refused"));
  }
}
