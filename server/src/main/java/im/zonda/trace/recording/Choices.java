package im.zonda.trace.recording;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Choices in force, for quick look-up. Safe for use by several threads.
final class Choices {
  private record Network(String name, Predicate<InetAddress> range) {}

  private record Sample(String name, int oneIn, AtomicLong count) {}

  private final List<Choice> all;
  private final Map<Jid, String> addresses = new HashMap<>();
  private final Map<String, String> domains = new HashMap<>();
  private final List<Network> networks = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final long end;

  /// @param choices those in force
  /// @param ranges the addresses of a network
  Choices(List<Choice> choices, Function<String, Predicate<InetAddress>> ranges) {
    all = List.copyOf(choices);
    long first = Long.MAX_VALUE;
    for (Choice each : all) {
      first = Math.min(first, each.until().toEpochMilli());
      if (each.address() != null) {
        addresses.putIfAbsent(each.address().bare(), each.name());
      } else if (each.domain() != null) {
        domains.putIfAbsent(each.domain(), each.name());
      } else if (each.network() != null) {
        networks.add(new Network(each.name(), ranges.apply(each.network())));
      } else {
        samples.add(new Sample(each.name(), each.oneIn(), new AtomicLong()));
      }
    }
    end = first;
  }

  /// Whether there is none.
  boolean isEmpty() {
    return all.isEmpty();
  }

  /// When the first of them ends, in ms since 1970.
  long end() {
    return end;
  }

  /// Those that are still in force.
  List<Choice> at(Instant now) {
    return all.stream().filter(each -> each.holds(now)).toList();
  }

  /// Whether a message is what a room sends to one of its occupants.
  static boolean isCopy(Message message) {
    Jid to = message.to();
    return message.type() == Message.Type.GROUPCHAT && to != null && to.isFull();
  }

  /// The choice that a message fits by its addresses; null if it fits none.
  ///
  /// @param author its true sender, or null
  @Nullable String fitting(Message message, @Nullable Jid author) {
    Jid to = message.to();
    if (isCopy(message)) {
      return to == null ? null : addresses.get(to.bare());
    }
    String name = fitting(author == null ? message.from() : author);
    return name == null ? fitting(to) : name;
  }

  /// The choice that an address fits.
  @Nullable String fitting(@Nullable Jid address) {
    if (address == null) {
      return null;
    }
    String name = addresses.isEmpty() ? null : addresses.get(address.bare());
    return name == null ? domains.get(address.domain()) : name;
  }

  /// The choice that a message of a client fits by its network address or by chance.
  @Nullable String fittingAtArrival(@Nullable String network) {
    if (network != null && !networks.isEmpty()) {
      String name = ofNetwork(network);
      if (name != null) {
        return name;
      }
    }
    for (Sample each : samples) {
      if (each.count().getAndIncrement() % each.oneIn() == 0) {
        return each.name();
      }
    }
    return null;
  }

  private @Nullable String ofNetwork(String network) {
    try {
      InetAddress address = InetAddress.ofLiteral(network);
      for (Network each : networks) {
        if (each.range().test(address)) {
          return each.name();
        }
      }
      return null;
    } catch (IllegalArgumentException e) {
      return null; // not known, as of a client of a former version
    }
  }
}
