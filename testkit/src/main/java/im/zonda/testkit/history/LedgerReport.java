package im.zonda.testkit.history;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Report of a [MessageLedger]. All lists are empty if no violation was found.
///
/// @param counts the numbers of messages
/// @param lost acknowledged, but neither received, nor in the receiver's archive, nor answered with
///   an error
/// @param notInArchive acknowledged and arrived, but not in the receiver's archive, which was read
/// @param invented received but never sent to that receiver
/// @param repeated arrived twice in one session, with one stanza-id
/// @param doubled arrived as more messages than its sender sent
/// @param reordered first arrived after a later one of the same sender, who had not got an error
///   for it
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

  /// Numbers of messages; each message counts once unless stated otherwise.
  ///
  /// @param sent that senders began to send
  /// @param acknowledged that the server acknowledged
  /// @param delivered acknowledged and arrived at a client, at once or later
  /// @param onlyInArchive acknowledged and found in the archive only
  /// @param refused acknowledged and answered with an error
  /// @param archives archives that were read; not messages
  /// @param sameStanzaId copies received again in a later session with the same stanza-id
  /// @param sameOriginId copies received because their sender sent them again in a new session
  /// @param sentAgainByServer copies received because the sender's server sent them again to the
  ///   receiver's on another stream
  public record Counts(
      long sent,
      long acknowledged,
      long delivered,
      long onlyInArchive,
      long refused,
      long archives,
      long sameStanzaId,
      long sameOriginId,
      long sentAgainByServer) {}

  /// Whether there is no violation.
  public boolean clean() {
    return violations.isEmpty() && faults().values().stream().allMatch(List::isEmpty);
  }

  /// The affected messages by kind of violation, most important first.
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
    if (counts.sentAgainByServer() > 0) {
      line.append(", ").append(counts.sentAgainByServer()).append(" sent again by a server");
    }
    faults()
        .forEach((what, which) -> line.append(", ").append(which.size()).append(' ').append(what));
    return line.append(", ").append(violations.size()).append(" violations").toString();
  }
}
