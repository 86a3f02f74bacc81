package im.zonda.throttle;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/// The networks from which administrators let no one connect, as this process knows them. Any
/// thread may call.
public final class BannedNetworks {
  /// What peers read whose connections end.
  public static final String TEXT = "connections from this address are not accepted";

  /// The bans in force.
  private record Bans(List<String> networks, Predicate<InetAddress> decision) {}

  private volatile Bans bans = new Bans(List.of(), _ -> false);
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /// Replaces the bans. If the networks are others than before, open connections are examined.
  ///
  /// @param networks addresses, or networks such as `192.0.2.0/24`
  /// @param decision whether an address is in one of them; must not block
  public synchronized void set(List<String> networks, Predicate<InetAddress> decision) {
    boolean changed = !networks.equals(bans.networks());
    bans = new Bans(List.copyOf(networks), decision);
    if (changed) {
      listeners.forEach(Runnable::run);
    }
  }

  /// Whether the address is banned; one of the machine itself never is.
  public boolean contains(InetAddress address) {
    return !address.isLoopbackAddress() && bans.decision().test(address);
  }

  /// The networks.
  public List<String> networks() {
    return bans.networks();
  }

  /// Calls `listener`, which must not block, whenever the networks have changed.
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }
}
