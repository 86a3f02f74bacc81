package im.zonda.testkit.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the occupants of one room said and heard, and whether that agrees with the room's archive.
/// Any thread may record.
///
/// A message is known by its id, `speaker-number`; each speaker counts up. The same message may be
/// said twice when its speaker does not know whether it was kept: then it is in the archive twice,
/// with two stanza-ids (XEP-0359).
public final class RoomLedger {
  /// A message of the room.
  ///
  /// @param stanzaId the id that the room gave it
  /// @param id the id that its speaker gave it
  public record Said(String stanzaId, String id) {}

  /// Where the records do not agree. Each list is empty if all is well.
  ///
  /// @param lost acknowledged, and not in the archive
  /// @param invented in the archive or heard, and never said by anyone
  /// @param doubled in the archive more often than it was said
  /// @param disordered in the archive first after a later one of the same speaker
  /// @param misheard heard in another order than that of the archive, or twice, or as another
  /// @param missed not heard by an occupant who heard something before and after it
  /// @param vanished heard, not in the archive, and something that was heard later is there
  public record Report(
      List<String> lost,
      List<String> invented,
      List<String> doubled,
      List<String> disordered,
      List<String> misheard,
      List<String> missed,
      List<String> vanished) {
    /// Whether there is nothing to say.
    public boolean clean() {
      return lost.isEmpty()
          && invented.isEmpty()
          && doubled.isEmpty()
          && disordered.isEmpty()
          && misheard.isEmpty()
          && missed.isEmpty()
          && vanished.isEmpty();
    }

    @Override
    public String toString() {
      return String.format(
          "lost %s, invented %s, doubled %s, disordered %s, misheard %s, missed %s, vanished %s",
          brief(lost),
          brief(invented),
          brief(doubled),
          brief(disordered),
          brief(misheard),
          brief(missed),
          brief(vanished));
    }

    private static String brief(List<String> list) {
      return list.isEmpty() ? "0" : list.size() + " " + list.subList(0, Math.min(5, list.size()));
    }
  }

  private record Stay(String occupant, List<Said> heard) {}

  private final Map<String, Integer> said = new HashMap<>();
  private final Set<String> acknowledged = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private final List<Stay> stays = new ArrayList<>();

  /// A speaker hands this message to its connection, for the first time or again.
  public synchronized void said(String id) {
    said.merge(id, 1, Integer::sum);
  }

  /// The server has acknowledged the message.
  public synchronized void acknowledged(String id) {
    acknowledged.add(id);
  }

  /// The room has answered the message with an error.
  public synchronized void refused(String id) {
    refused.add(id);
  }

  /// Someone has entered the room, and hears everything from now on until its next stay.
  ///
  /// @return the stay
  public synchronized int enters(String occupant) {
    stays.add(new Stay(occupant, new ArrayList<>()));
    return stays.size() - 1;
  }

  /// Someone hears a message, as it is said or from the room's history.
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

  /// All that was heard, by all.
  public synchronized int heardCount() {
    return stays.stream().mapToInt(stay -> stay.heard().size()).sum();
  }

  /// The times that someone entered.
  public synchronized int stayCount() {
    return stays.size();
  }

  /// Compares everything with the room's archive, which is given in its order.
  public synchronized Report report(List<Said> archive) {
    Report report =
        new Report(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    Map<String, Integer> places = new HashMap<>();
    Map<String, Integer> kept = new HashMap<>();
    Map<String, Long> last = new HashMap<>();
    for (Said one : archive) {
      places.put(one.stanzaId(), places.size());
      int times = kept.merge(one.id(), 1, Integer::sum);
      if (times > said.getOrDefault(one.id(), 0)) {
        (said.containsKey(one.id()) ? report.doubled() : report.invented()).add(one.id());
      } else if (times == 1
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
    for (Said one : stay.heard()) {
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
        report.misheard().add(who);
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
