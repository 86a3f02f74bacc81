package im.zonda.cluster.infinispan;

import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jgroups.Address;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The processes of the channel's view with their senders. Safe for use by several threads.
final class Peers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Peers.class);

  private final Member self;
  private final Function<Address, PeerSender.Output> outputs;

  // Guarded by this object's monitor; the map is replaced, never changed.
  private volatile Map<Member, PeerSender> senders = Map.of();
  private @Nullable View view;
  private boolean closed;

  Peers(Member self, Function<Address, PeerSender.Output> outputs) {
    this.self = self;
    this.outputs = outputs;
  }

  /// Takes over a view, unless a newer one is known.
  synchronized void viewChanged(View next) {
    View known = view;
    if (closed || (known != null && known.getViewId().compareToIDs(next.getViewId()) > 0)) {
      return;
    }
    view = next;
    Map<Member, PeerSender> before = new HashMap<>(senders);
    Map<Member, PeerSender> now = new HashMap<>();
    for (Address address : next.getMembers()) {
      Member member = MemberAddress.memberOf(address);
      if (member == null) {
        LOG.atWarn().addKeyValue("address", address).log("cluster_process_unknown");
      } else if (!member.equals(self)) {
        PeerSender sender = before.remove(member);
        now.put(member, sender != null ? sender : new PeerSender(member, outputs.apply(address)));
      }
    }
    senders = Map.copyOf(now);
    before.values().forEach(PeerSender::close);
  }

  /// Sends frames; does nothing for a process that is not in the view.
  void send(Member to, List<byte[]> frames, ClusterEngine.Departure departure) {
    PeerSender sender = senders.get(to);
    if (sender != null) {
      sender.send(frames, departure);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    senders.values().forEach(PeerSender::close);
    senders = Map.of();
  }
}
