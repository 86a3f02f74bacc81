package im.zonda.home.lifecycle.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.lifecycle.RecordingStream;
import im.zonda.home.lifecycle.RunningRouter;
import im.zonda.home.lifecycle.TestLink;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.recovery.Recovery;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.StreamManagementState;
import im.zonda.home.session.TestSnapshot;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Sessions of a server without a cluster, which neither replicates them nor waits for other nodes.
final class SingleNodeTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  private final RunningRouter running = new RunningRouter(limits -> limits);

  @AfterEach
  void stop() {
    running.close();
  }

  @Test
  void usesNoReplication() {
    assertThat(running.router.recovery()).isSameAs(Recovery.NONE);
    try (RunningRouter node = RunningRouter.inCluster()) {
      Recovery recovery = node.router.recovery();
      assertThat(recovery.replication()).isNotSameAs(Recovery.NONE.replication());
      assertThat(recovery.formerHomes()).isNotSameAs(Recovery.NONE.formerHomes());
      assertThat(recovery.heldStanzas()).isNotSameAs(Recovery.NONE.heldStanzas());
    }
  }

  /// The process that had them in progress has stopped before they were stored.
  @Test
  void doesNotWaitForStanzasThatWereInProgressAtTheStop() {
    running.createAccount(JULIET.bare());
    SessionSnapshot saved =
        TestSnapshot.of(JULIET, StreamManagementState.hash("id"), running.instant().plusSeconds(60))
            .handled(7)
            .moving(9, Set.of(8L, 9L), SessionSnapshot.Certainty.COMPLETE);
    running.router.sessions().restore(List.of(saved));
    running.awaitIdle();
    RecordingStream stream = new RecordingStream();
    var _ = running.link(stream).resume(JULIET, "id", 0);
    running.awaitIdle();
    assertThat(stream.values()).startsWith(new ToStream.Resumed(JULIET, 7, 0, 1));
  }

  /// Each count is reported at once, and once.
  @Test
  void reportsTheCountOfHandledStanzas() {
    RecordingStream stream = new RecordingStream();
    TestLink link = running.bind(JULIET, stream);
    link.manage();
    running.awaitIdle();
    for (int i = 1; i <= 2; i++) {
      link.received(TestStanzas.of("<presence/>"));
      running.awaitIdle();
      assertThat(stream.handled()).isEqualTo(i);
    }
  }
}
