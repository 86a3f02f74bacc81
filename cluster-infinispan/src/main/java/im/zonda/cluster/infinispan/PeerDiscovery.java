package im.zonda.cluster.infinispan;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Responses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the peers for the members. Who they are is found out each time, because nodes come and go:
/// a name stands for all its addresses in the DNS of the kind that this node has itself.
final class PeerDiscovery extends TCPPING {
  private static final Logger LOG = LoggerFactory.getLogger(PeerDiscovery.class);

  private final Supplier<List<EngineSettings.Peer>> peers;
  private final InetAddress own;

  /// Guarded by this object's monitor.
  private final Set<String> unresolved = new HashSet<>();

  /// @param bind the address of this node
  PeerDiscovery(Supplier<List<EngineSettings.Peer>> peers, InetSocketAddress bind) {
    this.peers = peers;
    this.own = bind.getAddress();
    setId(ClassConfigurator.getProtocolId(TCPPING.class));
    setPortRange(0);
    initial_hosts_set_programmatically = true;
  }

  @Override
  public void findMembers(List<Address> members, boolean initial, Responses responses) {
    initial_hosts = resolve();
    super.findMembers(members, initial, responses);
  }

  private synchronized Collection<PhysicalAddress> resolve() {
    Set<PhysicalAddress> addresses = new LinkedHashSet<>();
    for (EngineSettings.Peer peer : peers.get()) {
      try {
        for (InetAddress each : InetAddress.getAllByName(peer.host())) {
          if (each.getClass().equals(own.getClass())) {
            addresses.add(new IpAddress(each, peer.port()));
          }
        }
        unresolved.remove(peer.host());
      } catch (UnknownHostException e) {
        if (unresolved.add(peer.host())) {
          LOG.atWarn().addKeyValue("peer", peer.host()).log("cluster_peer_not_found");
        }
      }
    }
    return addresses;
  }
}
