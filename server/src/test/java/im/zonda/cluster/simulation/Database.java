package im.zonda.cluster.simulation;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.frame.Origin;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.home.StoreAnswer;
import im.zonda.cluster.home.StoreRequest;
import im.zonda.cluster.node.NodeInput;
import im.zonda.cluster.placement.Stamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A database: the row of the cluster, and what is kept for users. It may be away for a while; then
/// requests wait, or are lost with the process that made them.
final class Database {
  private record Waiting(SimulatedProcess process, StoreRequest request, long asked) {}

  private final Agenda agenda;
  private final ClusterLedger ledger;
  private final Map<String, Map<Origin, RoutedStanza>> kept = new HashMap<>();
  private final Map<Integer, Stamp> stamps = new HashMap<>();
  private final Map<String, Waiting> fetches = new HashMap<>();

  /// Each process has a connection of its own, which may be slow.
  private final Map<SimulatedProcess, Deque<Waiting>> waiting = new LinkedHashMap<>();

  private final Map<SimulatedProcess, Long> stalled = new HashMap<>();
  private ClusterRow row = ClusterRow.EMPTY;
  private final boolean fences;
  private boolean away;
  private long asked;

  /// @param fences whether it refuses what comes from a former home
  Database(Agenda agenda, ClusterLedger ledger, boolean fences) {
    this.fences = fences;
    this.agenda = agenda;
    this.ledger = ledger;
  }

  void goAway(boolean next) {
    away = next;
    if (!away) {
      for (SimulatedProcess process : waiting.keySet()) {
        agenda.after(agenda.between(1, 20), () -> work(process));
      }
    }
  }

  boolean isAway() {
    return away;
  }

  // ---- the row

  void readRow(SimulatedProcess process) {
    agenda.after(
        agenda.between(1, 5),
        () -> {
          if (!away) {
            ClusterRow read = row;
            agenda.after(agenda.between(1, 5), () -> process.input(new NodeInput.RowRead(read)));
          }
        });
  }

  void compareAndSet(SimulatedProcess process, long expected, ClusterRow next) {
    agenda.after(
        agenda.between(1, 8),
        () -> {
          if (!away && row.epoch() == expected) {
            row = next.withRenewals(row.renewals());
            ledger.note("epoch", row);
          }
          readRow(process);
        });
  }

  void renew(long epoch) {
    if (!away && row.epoch() == epoch) {
      row = row.withRenewals(row.renewals() + 1);
    }
  }

  ClusterRow row() {
    return row;
  }

  // ---- what is kept

  void request(SimulatedProcess process, StoreRequest request) {
    waiting
        .computeIfAbsent(process, _ -> new ArrayDeque<>())
        .add(new Waiting(process, request, ++asked));
    if (agenda.oneIn(60)) {
      stalled.put(process, agenda.now() + agenda.between(100, 1500));
    }
    agenda.after(agenda.between(1, 15), () -> work(process));
  }

  private void work(SimulatedProcess process) {
    long until = stalled.getOrDefault(process, 0L);
    if (agenda.now() < until) {
      agenda.at(until, () -> work(process));
      return;
    }
    Deque<Waiting> requests = waiting.getOrDefault(process, new ArrayDeque<>());
    while (!away && !requests.isEmpty()) {
      Waiting next = requests.remove();
      // What a process has asked for last before it died may not have arrived.
      if (!process.isAlive() && agenda.oneIn(4)) {
        requests.clear();
      } else {
        StoreAnswer answer = handle(next);
        if (answer != null) {
          agenda.after(
              agenda.between(1, 3),
              () -> next.process().input(new NodeInput.StoreAnswered(answer)));
        }
      }
    }
  }

  private @Nullable StoreAnswer handle(Waiting next) {
    StoreRequest request = next.request();
    Stamp fence = stamps.getOrDefault(request.segment(), Stamp.NONE);
    if (fences && request.stamp().compareTo(fence) < 0) {
      return null;
    }
    stamps.merge(request.segment(), request.stamp(), (a, b) -> a.compareTo(b) > 0 ? a : b);
    return switch (request) {
      case StoreRequest.Append append -> {
        Map<Origin, RoutedStanza> of =
            kept.computeIfAbsent(append.owner(), _ -> new LinkedHashMap<>());
        of.putIfAbsent(append.stanza().origin(), append.stanza());
        ledger.stored(append.owner(), isTooLate(next, fetches.get(append.owner())));
        yield new StoreAnswer.Stored(append.segment(), append.token());
      }
      case StoreRequest.Fetch fetch -> {
        fetches.put(fetch.owner(), next);
        List<RoutedStanza> found =
            new ArrayList<>(kept.getOrDefault(fetch.owner(), Map.of()).values());
        yield new StoreAnswer.Fetched(fetch.segment(), fetch.token(), found);
      }
      case StoreRequest.Delete delete -> {
        Map<Origin, RoutedStanza> of = kept.get(delete.owner());
        if (of != null) {
          of.remove(delete.origin());
        }
        yield null;
      }
    };
  }

  /// Whether the user had fetched after a home of the same or an older placement asked to store. A
  /// former home may fetch, too, but nobody gets what it has fetched.
  private static boolean isTooLate(Waiting append, @Nullable Waiting fetch) {
    return fetch != null
        && append.asked() < fetch.asked()
        && append.request().stamp().compareTo(fetch.request().stamp()) <= 0;
  }

  boolean isIdle() {
    return waiting.values().stream().allMatch(Deque::isEmpty);
  }

  boolean keeps(String owner, String message) {
    for (RoutedStanza stanza : kept.getOrDefault(owner, Map.of()).values()) {
      if (stanza.bytes().text().equals(message)) {
        return true;
      }
    }
    return false;
  }
}
