package im.zonda.storage.sql.server;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The columns `members` and `incarnations` of a [ClusterRow]: name and incarnation of each
/// process, such as `a 7,b 9`; `draining` follows a member that is to have no homes.
final class ClusterRowCodec {
  private static final String DRAINING = " draining";

  /// Stands in `incarnations` in place of a node's name, before the version of the frames. No node
  /// has this name.
  private static final String FRAMES = "/frames";

  private ClusterRowCodec() {}

  /// The text of the column `members`.
  static String members(ClusterRow row) {
    return row.members().stream()
        .map(member ->
            member.name()
                + " "
                + member.incarnation()
                + (row.draining().contains(member) ? DRAINING : ""))
        .collect(Collectors.joining(","));
  }

  /// The text of the column `incarnations`.
  static String incarnations(ClusterRow row) {
    Map<String, Long> counts = new TreeMap<>(row.incarnations());
    if (row.frames() != ClusterRow.UNKNOWN_FRAMES) {
      counts.put(FRAMES, row.frames());
    }
    return counts.entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(","));
  }

  /// The members of a column `members`.
  ///
  /// @throws SQLException if it cannot be read
  static List<Member> members(String text) throws SQLException {
    return processes(text, new HashSet<>());
  }

  /// The row that has these columns.
  ///
  /// @throws SQLException if they cannot be read
  static ClusterRow read(long epoch, String members, String incarnations, long renewals)
      throws SQLException {
    Set<Member> draining = new HashSet<>();
    List<Member> all = processes(members, draining);
    Map<String, Long> counts = new HashMap<>();
    for (Member process : processes(incarnations, new HashSet<>())) {
      counts.put(process.name(), process.incarnation());
    }
    @Nullable Long frames = counts.remove(FRAMES);
    return new ClusterRow(
        epoch,
        all,
        counts,
        renewals,
        draining,
        frames == null ? ClusterRow.UNKNOWN_FRAMES : frames);
  }

  /// @param draining takes those that are marked as draining
  private static List<Member> processes(String text, Set<Member> draining) throws SQLException {
    List<Member> processes = new ArrayList<>();
    for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      boolean drains = each.endsWith(DRAINING);
      String plain = drains ? each.substring(0, each.length() - DRAINING.length()) : each;
      int space = plain.lastIndexOf(' ');
      try {
        Member process =
            new Member(plain.substring(0, space), Long.parseLong(plain.substring(space + 1)));
        processes.add(process);
        if (drains) {
          draining.add(process);
        }
      } catch (IndexOutOfBoundsException | NumberFormatException e) {
        throw new SQLException("the row of the cluster is damaged: " + text, e);
      }
    }
    return processes;
  }
}
