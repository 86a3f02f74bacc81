package im.zonda.throttle;

import im.zonda.module.Scheduler;
import im.zonda.session.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps an event that a peer can cause at will from filling the log. The first one of an address
/// is logged; those that follow are counted, and one line every [#INTERVAL] says how many there
/// were, until an interval passes without any.
///
/// At most [#MOST] addresses have lines of their own; the others share one, without an address.
/// Safe for use by several threads.
public final class AddressLog {
  private static final Logger LOG = LoggerFactory.getLogger(AddressLog.class);

  /// The time between two lines about an address.
  public static final Duration INTERVAL = Duration.ofSeconds(10);

  /// The most addresses with lines of their own.
  static final int MOST = 100;

  private final String event;
  private final Scheduler scheduler;
  private final Map<ClientNetwork, Repeated> windows = new HashMap<>();
  private final Repeated others = new Repeated(null);
  private boolean scheduled;

  private static final class Repeated {
    private final @Nullable InetAddress address;
    private long count;

    Repeated(@Nullable InetAddress address) {
      this.address = address;
    }
  }

  private record Line(@Nullable String address, long count) {}

  /// @param event the name of the line that says how many events were not written
  public AddressLog(String event, Scheduler scheduler) {
    this.event = event;
    this.scheduler = scheduler;
  }

  /// Counts an event; returns true if it is the first of its address and to be logged.
  public synchronized boolean isFirst(InetAddress address) {
    ClientNetwork network = ClientNetwork.of(address);
    Repeated known = windows.get(network);
    if (known != null) {
      known.count++;
    } else if (windows.size() < MOST) {
      windows.put(network, new Repeated(address));
    } else {
      others.count++;
    }
    if (!scheduled) {
      scheduled = true;
      scheduler.schedule(INTERVAL, this::summarize);
    }
    return known == null && windows.containsKey(network);
  }

  private void summarize() {
    for (Line line : lines()) {
      LOG.atInfo()
          .addKeyValue("address", line.address)
          .addKeyValue("count", line.count)
          .addKeyValue("seconds", INTERVAL.toSeconds())
          .log(event);
    }
  }

  private synchronized List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    if (others.count > 0) {
      lines.add(new Line("others", others.count));
      others.count = 0;
    }
    Iterator<Repeated> all = windows.values().iterator();
    while (all.hasNext()) {
      Repeated each = all.next();
      if (each.count == 0) {
        all.remove();
      } else if (each.address != null) {
        lines.add(new Line(each.address.getHostAddress(), each.count));
        each.count = 0;
      }
    }
    scheduled = !windows.isEmpty();
    if (scheduled) {
      scheduler.schedule(INTERVAL, this::summarize);
    }
    return lines;
  }
}
