package im.zonda.app.doctor;

import im.zonda.app.finding.Finding;
import java.util.List;

/// A record that DNS should have about a host, or something that replaces one.
///
/// @param name its name
/// @param type such as `A` or `SRV`
/// @param lines what to write into the zone, one line for each record
/// @param found what DNS has
/// @param finding what there is to say about it
record WantedRecord(
    String name, String type, List<String> lines, List<String> found, Finding finding) {
  /// How it is.
  enum State {
    /// As it should be.
    OK,
    /// It is missing, and the host works without it, in part.
    OPTIONAL,
    /// It is missing.
    MISSING,
    /// It leads elsewhere.
    DIFFERENT,
    /// DNS does not answer, or cannot be compared.
    UNKNOWN
  }

  /// Copies the lists.
  WantedRecord {
    lines = List.copyOf(lines);
    found = List.copyOf(found);
  }

  State state() {
    if (finding.text().startsWith("not known: ")) {
      return State.UNKNOWN;
    }
    if (!found.isEmpty()) {
      return finding.level() == Finding.Level.OK ? State.OK : State.DIFFERENT;
    }
    return finding.level() == Finding.Level.OK ? State.OPTIONAL : State.MISSING;
  }
}
