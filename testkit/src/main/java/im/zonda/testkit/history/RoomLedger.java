package im.zonda.testkit.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Records which messages the occupants of a room sent and received, and checks them against the
/// room's archive. Thread-safe.
///
/// A message is identified by its id, `speaker-number`, with ascending numbers. A message may be
/// sent twice if its sender does not know whether it was stored; then it may be in the archive
/// twice, with two stanza-ids (XEP-0359). In a cluster a room whose node has died may send again,
/// with the same stanza-id, what occupants have received.
public final class RoomLedger {
  /// A message of the room.
  ///
  /// @param stanzaId the id that the room assigned
  /// @param id the id that its sender assigned
  public record Said(String stanzaId, String id) {}

  /// The differences between the records. All lists are empty if there are none.
  ///
  /// @param lost acknowledged, and not in the archive
  /// @param invented in the archive or received, but never sent
  /// @param doubled in the archive more often than it was sent
  /// @param disordered first occurs in the archive after a later message of the same sender; not if
  ///   its sender got an error for it, and has sent it again then
  /// @param wronglyReceived received in another order than that of the archive, or twice, or as
  ///   another message
  /// @param missed not received by an occupant who received messages before and after it
  /// @param vanished received, not in the archive, although a message received later is
  /// @param repeated how many were received again, with the same stanza-id, where that is allowed
  public record Report(
      List<String> lost,
      List<String> invented,
      List<String> doubled,
      List<String> disordered,
      List<String> wronglyReceived,
      List<String> missed,
      List<String> vanished,
      long repeated) {
    /// Whether the archive has what was sent, once and in order.
    public boolean isKept() {
      return lost.isEmpty() && invented.isEmpty() && doubled.isEmpty() && disordered.isEmpty();
    }

    /// Whether there are no findings.
    public boolean clean() {
      return isKept() && wronglyReceived.isEmpty() && missed.isEmpty() && vanished.isEmpty();
    }

    @Override
    public String toString() {
      return String.format(
          "lost %s, invented %s, doubled %s, disordered %s, wrongly received %s, missed %s,"
              + " vanished %s, repeated %d",
          brief(lost),
          brief(invented),
          brief(doubled),
          brief(disordered),
          brief(wronglyReceived),
          brief(missed),
          brief(vanished),
          repeated);
    }

    private static String brief(List<String> list) {
      return list.isEmpty() ? "0" : list.size() + " " + list.subList(0, Math.min(5, list.size()));
    }
  }

  private record Stay(String occupant, List<Said> heard) {
    /// What was received for the first time.
    List<Said> first() {
      return heard.stream().distinct().toList();
    }
  }

  private final boolean mayRepeat;
  private final Map<String, Integer> said = new HashMap<>();
  private final Set<String> acknowledged = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private final List<Stay> stays = new ArrayList<>();

  /// A ledger in which nothing may be received twice.
  public RoomLedger() {
    this(false);
  }

  /// @param mayRepeat whether an occupant may receive a message again with the same stanza-id
  public RoomLedger(boolean mayRepeat) {
    this.mayRepeat = mayRepeat;
  }

  /// Records that a sender writes this message, for the first time or again.
  public synchronized void said(String id) {
    said.merge(id, 1, Integer::sum);
  }

  /// Records that the server has acknowledged the message.
  public synchronized void acknowledged(String id) {
    acknowledged.add(id);
  }

  /// Records that the room has answered the message with an error.
  public synchronized void refused(String id) {
    refused.add(id);
  }

  /// Records that an occupant has entered the room and receives all messages until it leaves.
  ///
  /// @return the stay
  public synchronized int enters(String occupant) {
    stays.add(new Stay(occupant, new ArrayList<>()));
    return stays.size() - 1;
  }

  /// Records that an occupant receives a message, live or from the room's history.
  public synchronized void heard(int stay, Said message) {
    stays.get(stay).heard().add(message);
  }

  /// The messages that were acknowledged.
  public synchronized int acknowledgedCount() {
    return acknowledged.size();
  }

  /// The messages that were answered with an error.
  public synchronized int refusedCount() {
    return refused.size();
  }

  /// The number of messages received by all occupants.
  public synchronized int heardCount() {
    return stays.stream().mapToInt(stay -> stay.heard().size()).sum();
  }

  /// The number of entries into the room.
  public synchronized int stayCount() {
    return stays.size();
  }

  /// Compares the records with the room's archive, given in order.
  public synchronized Report report(List<Said> archive) {
    Report report =
        new Report(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            mayRepeat
                ? stays.stream().mapToLong(stay -> stay.heard().size() - stay.first().size()).sum()
                : 0);
    Map<String, Integer> places = new HashMap<>();
    Map<String, Integer> kept = new HashMap<>();
    Map<String, Long> last = new HashMap<>();
    for (Said one : archive) {
      places.put(one.stanzaId(), places.size());
      int times = kept.merge(one.id(), 1, Integer::sum);
      if (times > said.getOrDefault(one.id(), 0)) {
        (said.containsKey(one.id()) ? report.doubled() : report.invented()).add(one.id());
      } else if (times == 1
          && !refused.contains(one.id())
          && last.merge(speaker(one.id()), number(one.id()), Math::max) != number(one.id())) {
        report.disordered().add(one.id());
      }
    }
    acknowledged.stream()
        .filter(id -> !kept.containsKey(id) && !refused.contains(id))
        .sorted()
        .forEach(report.lost()::add);
    stays.forEach(stay -> compare(stay, archive, places, report));
    return report;
  }

  private void compare(Stay stay, List<Said> archive, Map<String, Integer> places, Report report) {
    int before = -1;
    List<Said> unkept = new ArrayList<>();
    for (Said one : mayRepeat ? stay.first() : stay.heard()) {
      String who = stay.occupant() + " heard " + one.id() + " " + one.stanzaId();
      Integer place = places.get(one.stanzaId());
      if (!said.containsKey(one.id())) {
        report.invented().add(who);
      }
      if (place == null) {
        unkept.add(one);
        continue;
      }
      unkept.forEach(lost -> report.vanished().add(stay.occupant() + " heard " + lost.id()));
      unkept.clear();
      if (place <= before || !archive.get(place).equals(one)) {
        report.wronglyReceived().add(who);
      } else if (before >= 0) {
        archive.subList(before + 1, place).stream()
            .map(missed -> stay.occupant() + " has not heard " + missed.id())
            .forEach(report.missed()::add);
      }
      before = Math.max(before, place);
    }
  }

  private static String speaker(String id) {
    return id.substring(0, Math.max(0, id.lastIndexOf('-')));
  }

  private static long number(String id) {
    return Long.parseLong(id.substring(id.lastIndexOf('-') + 1));
  }
}
