package im.zonda.home.guest;

import im.zonda.config.Guests;
import im.zonda.session.ClientNetwork;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import java.util.HashMap;
import java.util.Map;

/// Counts the guests of one host whose homes are in this process, those that may resume their
/// session included. Safe for use by several threads.
public final class GuestCount {
  /// Where a guest came from when its session began. It goes with the session to other nodes and
  /// over restarts, so that the session is counted there.
  private static final SessionKey<ClientNetwork> NETWORK =
      new SessionKey<>("guest", ClientNetwork.class, ClientNetwork::text, ClientNetwork::parse);

  // Guarded by this object's monitor.
  private final Map<ClientNetwork, Integer> perNetwork = new HashMap<>();
  private int all;

  /// Counts one more guest.
  ///
  /// @return false if there may be no more, and the guest is not counted
  public synchronized boolean tryAdd(Guests rules, ClientNetwork network) {
    if (all >= rules.simultaneous()
        || perNetwork.getOrDefault(network, 0) >= rules.simultaneousPerAddress()) {
      return false;
    }
    add(network);
    return true;
  }

  /// Marks a session as the one of a guest that [#tryAdd] has counted.
  public static void mark(Session session, ClientNetwork network) {
    session.set(NETWORK, network);
  }

  /// Counts a guest whose session was restored or recovered here. Such guests may exceed the limit
  /// for new ones.
  public synchronized void add(Session session) {
    ClientNetwork network = session.get(NETWORK);
    if (network != null) {
      add(network);
    }
  }

  /// The session has left its home.
  public synchronized void remove(Session session) {
    ClientNetwork network = session.get(NETWORK);
    if (network != null) {
      all--;
      perNetwork.computeIfPresent(network, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /// How many guests there are.
  public synchronized int all() {
    return all;
  }

  private void add(ClientNetwork network) {
    all++;
    perNetwork.merge(network, 1, Integer::sum);
  }
}
