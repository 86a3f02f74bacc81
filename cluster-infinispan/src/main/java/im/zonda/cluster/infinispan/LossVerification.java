package im.zonda.cluster.infinispan;

import java.net.ConnectException;
import java.util.Collection;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks a process that seems to be lost for an answer, and waits for it twice the set time at most.
/// If connections to its address are refused, it has ended, and counts as lost at once: its clients
/// reconnect to other nodes immediately, which cannot recover their sessions before that.
final class LossVerification extends VERIFY_SUSPECT2 {
  private static final Logger LOG = LoggerFactory.getLogger(LossVerification.class);

  private final TcpTransport transport;

  LossVerification(TcpTransport transport) {
    this.transport = transport;
    setId(ClassConfigurator.getProtocolId(VERIFY_SUSPECT2.class));
  }

  @Override
  protected void verifySuspect(Collection<Address> suspects) {
    super.verifySuspect(suspects);
    for (Address suspect : suspects) {
      Thread.ofVirtual().name("zonda-cluster-loss").start(() -> connect(suspect));
    }
  }

  private void connect(Address suspect) {
    try {
      transport.connectTo(suspect);
    } catch (ConnectException e) {
      if (removeSuspect(suspect)) {
        LOG.atDebug().addKeyValue("peer", suspect).setCause(e).log("cluster_peer_refuses");
        up_prot.up(new Event(Event.SUSPECT, List.of(suspect)));
      }
    } catch (Exception e) {
      // It may live: its answer is waited for.
      LOG.atDebug().addKeyValue("peer", suspect).setCause(e).log("cluster_peer_not_connected");
    }
  }
}
