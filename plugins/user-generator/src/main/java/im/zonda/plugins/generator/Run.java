package im.zonda.plugins.generator;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Parameters of a run, and how far it is.
///
/// @param name its name, of which a host has one at a time
/// @param host the domain of the host
/// @param seed what everything else follows from
/// @param count how many people
/// @param contacts how many contacts each should have
/// @param vcards whether they have vCards
/// @param prefix what the local parts begin with; may be empty
/// @param numbered whether the local parts are numbers behind the prefix, instead of names
/// @param groups the groups of the rosters; may be empty
/// @param progress how far it is
record Run(
    String name,
    String host,
    long seed,
    int count,
    int contacts,
    boolean vcards,
    String prefix,
    boolean numbered,
    List<String> groups,
    Progress progress) {
  /// The key of the value that an account of a run has.
  static final String MARK = "run";

  private static final char BETWEEN = '\t';

  Run {
    groups = List.copyOf(groups);
  }

  /// What becomes of a run.
  enum State {
    /// Accounts are being created, or the job has ended before all were.
    CREATING,
    /// All were created.
    COMPLETE,
    /// Accounts are being removed, or the job has ended before all were.
    REMOVING
  }

  /// How far a run is.
  ///
  /// @param done people up to that number are done: created, or in the state [State#REMOVING]
  ///   removed
  /// @param last people up to that number may have accounts, for the state [State#REMOVING]
  /// @param begun when it began
  record Progress(State state, int done, int last, Instant begun) {}

  /// The value of an account of this run.
  Map<String, byte[]> mark() {
    return Map.of(MARK, name.getBytes(StandardCharsets.UTF_8));
  }

  /// The same at another point.
  Run at(State state, int done, int last) {
    return new Run(
        name,
        host,
        seed,
        count,
        contacts,
        vcards,
        prefix,
        numbered,
        groups,
        new Progress(state, done, last, progress.begun()));
  }

  /// Whether both create the same.
  boolean isLike(Run other) {
    return other.withProgress(progress).equals(this);
  }

  private Run withProgress(Progress other) {
    return new Run(name, host, seed, count, contacts, vcards, prefix, numbered, groups, other);
  }

  byte[] write() {
    return ("seed="
            + seed
            + "\ncount="
            + count
            + "\ncontacts="
            + contacts
            + "\nvcards="
            + vcards
            + "\nprefix="
            + prefix
            + "\nnumbered="
            + numbered
            + "\ngroups="
            + String.join(String.valueOf(BETWEEN), groups)
            + "\nstate="
            + progress.state()
            + "\ndone="
            + progress.done()
            + "\nlast="
            + progress.last()
            + "\nbegun="
            + progress.begun()
            + "\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  /// Reads what [#write] wrote.
  ///
  /// @throws IllegalArgumentException if it is something else
  static Run read(String name, String host, byte[] stored) {
    Map<String, String> lines = new HashMap<>();
    for (String line : new String(stored, StandardCharsets.UTF_8).split("\n", -1)) {
      int end = line.indexOf('=');
      if (end > 0) {
        lines.put(line.substring(0, end), line.substring(end + 1));
      }
    }
    String groups = value(lines, "groups");
    return new Run(
        name,
        host,
        Long.parseLong(value(lines, "seed")),
        Integer.parseInt(value(lines, "count")),
        Integer.parseInt(value(lines, "contacts")),
        Boolean.parseBoolean(value(lines, "vcards")),
        value(lines, "prefix"),
        Boolean.parseBoolean(lines.get("numbered")), // runs before version 1.1 have none
        groups.isEmpty() ? List.of() : List.of(groups.split(String.valueOf(BETWEEN), -1)),
        new Progress(
            State.valueOf(value(lines, "state")),
            Integer.parseInt(value(lines, "done")),
            Integer.parseInt(value(lines, "last")),
            Instant.parse(value(lines, "begun"))));
  }

  private static String value(Map<String, String> lines, String key) {
    String value = lines.get(key);
    if (value == null) {
      throw new IllegalArgumentException("a run without " + key);
    }
    return value;
  }
}
