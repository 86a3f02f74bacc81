package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.config.ServerConfig;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.history.LedgerReport;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.noloss.NoLossClients;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.noloss.ServerLives;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The homes of accounts move between three nodes while their users talk.
class MovingHomesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int MOVES = Integer.getInteger("cluster.moves", 4);

  /// Messages that are acknowledged between two moves.
  private static final int MESSAGES = 300;

  private final MessageLedger ledger = new MessageLedger(null);
  private final ServerLives lives = new ServerLives();

  private interface Disturbance {
    void at(TestCluster cluster, int round) throws Exception;
  }

  @Test
  void nothingIsLostAndSessionsMove() throws Exception {
    LedgerReport report =
        play((cluster, round) -> {
          List<Member> rotated = new ArrayList<>(cluster.members());
          Collections.rotate(rotated, round + 1);
          cluster.install(rotated);
        });
    assertThat(report.doubled()).isEmpty();
  }

  /// What a node has handled without having said so may come twice (decision 0024).
  @Test
  void nothingIsLostWhenNodesDie() throws Exception {
    LedgerReport report =
        play((cluster, round) -> {
          Member victim = cluster.members().get(round % cluster.members().size());
          lives.killing(cluster.server(victim).address(Login.Security.STARTTLS));
          cluster.kill(victim);
          awaitAcknowledged(ledger.acknowledgedCount() + MESSAGES);
          cluster.restart(victim);
          lives.ready(addresses(cluster));
        });
    assertThat(report.doubled()).hasSizeLessThan(MOVES * MESSAGES);
  }

  /// Disturbs a cluster while users talk. Nothing may be lost, repeated in a session or come in
  /// another order.
  private LedgerReport play(Disturbance disturbance) throws Exception {
    NoLossPlan plan = NoLossPlan.small(13);
    ServerPlan servers =
        ServerPlan.of(StandardModules::create)
            .with("c2s.plaintext", ServerConfig.Plaintext.LOOPBACK);
    try (TestCluster cluster = TestCluster.start(servers, 3)) {
      cluster.accounts(
          plan.accounts().stream().map(name -> name + "@" + NoLossPlan.DOMAIN).toList());
      lives.ready(addresses(cluster));
      try (NoLossClients clients = new NoLossClients(plan, lives, ledger)) {
        clients.start();
        assertThat(clients.awaitConnected(PATIENCE)).isTrue();
        for (int round = 0; round < MOVES; round++) {
          awaitAcknowledged(ledger.acknowledgedCount() + MESSAGES);
          disturbance.at(cluster, round);
        }
        awaitAcknowledged(ledger.acknowledgedCount() + MESSAGES);
        LedgerReport report = clients.finish(PATIENCE);
        assertThat(report.violations()).isEmpty();
        assertThat(report.faults())
            .allSatisfy((kind, keys) ->
                assertThat(kind.equals("doubled") ? List.of() : keys).as(kind).isEmpty());
        return report;
      }
    }
  }

  private static List<InetSocketAddress> addresses(TestCluster cluster) {
    return cluster.members().stream()
        .map(member -> cluster.server(member).address(Login.Security.STARTTLS))
        .toList();
  }

  private void awaitAcknowledged(long count) throws InterruptedException {
    assertThat(ledger.awaitAcknowledged(count, PATIENCE)).as("messages are acknowledged").isTrue();
  }
}
