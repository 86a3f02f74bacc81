package im.zonda.home.remote;

import static im.zonda.home.remote.RemoteServer.PAIR;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// The home of a pair that moves to another node.
final class LeavingLinkTest {
  private final RemoteServer server = new RemoteServer();
  private final TestStream stream = new TestStream();

  /// Several homes are waited for by one latch.
  @Test
  void saysOnceThatNothingIsOnItsWay() {
    OpenStreams streams = new OpenStreams(server.time, server.setup.routes().errors());
    RemoteShared shared =
        new RemoteShared(
            server.setup,
            pair -> {},
            streams,
            new QueueBudget(1L << 30, (pair, payer) -> {}),
            Backoff.standard(server.setup.runtime().random()),
            (pair, delay) -> () -> {});
    DomainPairQueue link = new DomainPairQueue(PAIR, Jid.of("remote@localhost"), shared);
    streams.add(PAIR, stream, 0);
    link.ready(stream);
    CountDownLatch homes = new CountDownLatch(2);
    link.leave(homes::countDown);
    link.acknowledged(0, stream);
    link.interrupted(stream);
    assertThat(homes.getCount()).as("the other home has not left").isEqualTo(1);
  }
}
