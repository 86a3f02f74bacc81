package im.zonda.testkit.history;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a [MessageLedger] found. Every list is empty if the server kept its promise.
///
/// @param counts how many of what
/// @param lost acknowledged, and neither arrived nor in the receiver's archive nor refused
/// @param notInArchive acknowledged and arrived, but not in the receiver's archive, which was read
/// @param invented received but never sent to that receiver
/// @param repeated arrived twice in one session, with one stanza-id
/// @param doubled arrived as more messages than its sender sent
/// @param reordered first arrived after a later one of the same sender
/// @param violations descriptions of other protocol violations, at most a thousand
public record LedgerReport(
    Counts counts,
    List<History.Key> lost,
    List<History.Key> notInArchive,
    List<History.Key> invented,
    List<History.Key> repeated,
    List<History.Key> doubled,
    List<History.Key> reordered,
    List<String> violations) {

  /// Messages, each counted once unless said otherwise.
  ///
  /// @param sent that senders began to send
  /// @param acknowledged that the server acknowledged
  /// @param delivered acknowledged and arrived at a client, at once or later
  /// @param onlyInArchive acknowledged and found in the archive only
  /// @param refused acknowledged and answered with an error
  /// @param archives archives that were read; not messages
  /// @param sameStanzaId copies that came again in a later session with the stanza-id they had
  /// @param sameOriginId copies that came because their sender sent them again in a new session
  public record Counts(
      long sent,
      long acknowledged,
      long delivered,
      long onlyInArchive,
      long refused,
      long archives,
      long sameStanzaId,
      long sameOriginId) {}

  /// Whether the promise was kept.
  public boolean clean() {
    return violations.isEmpty() && faults().values().stream().allMatch(List::isEmpty);
  }

  /// The messages with which something is wrong, by what it is, in the order of importance.
  public Map<String, List<History.Key>> faults() {
    Map<String, List<History.Key>> faults = new LinkedHashMap<>();
    faults.put("lost", lost);
    faults.put("doubled", doubled);
    faults.put("reordered", reordered);
    faults.put("repeated in one session", repeated);
    faults.put("invented", invented);
    faults.put("not in the archive", notInArchive);
    return faults;
  }

  /// One line.
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    line.append(counts.acknowledged()).append(" acknowledged, ");
    line.append(counts.delivered()).append(" delivered, ");
    if (counts.archives() > 0) {
      line.append(counts.onlyInArchive()).append(" in the archive only, ");
    }
    line.append(counts.refused()).append(" refused, ");
    line.append(counts.sameStanzaId()).append(" again with the same stanza-id, ");
    line.append(counts.sameOriginId()).append(" again with the same origin-id");
    faults()
        .forEach((what, which) -> line.append(", ").append(which.size()).append(' ').append(what));
    return line.append(", ").append(violations.size()).append(" violations").toString();
  }
}
