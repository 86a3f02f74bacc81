package im.zonda.console.login;

import im.zonda.jid.Jid;
import im.zonda.operation.Grant;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A session as the store has it: who has signed in, from where and when. It is written when the
/// session begins, and never again.
///
/// @param address the network address
record StoredSession(Identity identity, String address, Instant began) {
  private static final int LINES = 7;
  private static final String ALL = "*";

  /// Between the values of a claim; the settings have none with it.
  private static final String SEPARATOR = "\t";

  /// Lines, of which the name is the last.
  byte[] bytes() {
    Grant grant = identity instanceof Identity.ByLink(String _, Grant given) ? given : null;
    return String.join(
            "\n",
            identity.way().name(),
            Long.toString(began.toEpochMilli()),
            address,
            grant == null ? "" : grant.role().name(),
            grant == null || grant.hosts() == null
                ? ALL
                : String.join(" ", new TreeSet<>(grant.hosts())),
            grant == null ? mark() : names(grant.rights()),
            identity.name())
        .getBytes(StandardCharsets.UTF_8);
  }

  private String mark() {
    return switch (identity) {
      case Identity.ByLink(var _, var _) -> "";
      case Identity.ByPassword(var _, String mark) -> mark;
      case Identity.ByPasskey(var _, String mark) -> mark;
      case Identity.BySso(var _, List<String> values) -> String.join(SEPARATOR, values);
    };
  }

  private static String names(@Nullable Set<Right> rights) {
    return rights == null
        ? ALL
        : rights.stream().map(Right::name).sorted().collect(Collectors.joining(" "));
  }

  /// Reads what [#bytes] has written.
  ///
  /// @throws IllegalArgumentException if it is something else
  static StoredSession of(byte[] bytes) {
    String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", LINES);
    if (lines.length < LINES) {
      throw new IllegalArgumentException("no session");
    }
    Identity identity =
        switch (Identity.Way.valueOf(lines[0])) {
          case LINK -> new Identity.ByLink(lines[6], grant(lines));
          case PASSWORD -> new Identity.ByPassword(Jid.stored(lines[6]), lines[5]);
          case PASSKEY -> new Identity.ByPasskey(Jid.stored(lines[6]), lines[5]);
          case SSO ->
              new Identity.BySso(
                  lines[6].substring(Identity.BySso.PREFIX.length()),
                  List.of(lines[5].split(SEPARATOR, -1)));
        };
    return new StoredSession(identity, lines[2], Instant.ofEpochMilli(Long.parseLong(lines[1])));
  }

  private static Grant grant(String[] lines) {
    return new Grant(
        Role.valueOf(lines[3]),
        lines[4].equals(ALL) ? null : words(lines[4]),
        lines[5].equals(ALL) ? null : rights(words(lines[5])));
  }

  private static Set<String> words(String line) {
    return line.isEmpty() ? Set.of() : Set.of(line.split(" ", -1));
  }

  /// Rights that no longer exist are left out: a session never has more for them.
  private static Set<Right> rights(Set<String> names) {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (Right each : Right.values()) {
      if (names.contains(each.name())) {
        rights.add(each);
      }
    }
    return rights;
  }
}
