package im.zonda.plugins.filter.rule;

/// The messages that a rule looks at.
///
/// @param hosts the hosts at which it looks; none for all
/// @param rooms the rooms whose messages it looks at, also private ones to their occupants; none
///   for all messages
/// @param exceptRooms rooms at whose messages it does not look
/// @param users the senders at whose messages it looks; none for all
/// @param exceptUsers senders at whose messages it does not look
public record RuleScope(
    Globs hosts, Globs rooms, Globs exceptRooms, Globs users, Globs exceptUsers) {
  /// Whether messages of a host are among them.
  public boolean includesHost(String host) {
    return hosts.isEmpty() || hosts.match(host);
  }

  /// Whether a message is among them, seen from a host.
  boolean includes(Subject subject, String host) {
    if (!includesHost(host)) {
      return false;
    }
    if (!rooms.isEmpty() && !rooms.match(subject.room())) {
      return false;
    }
    if (!exceptRooms.isEmpty() && exceptRooms.match(subject.room())) {
      return false;
    }
    String sender = subject.sender().bare().toString();
    return (users.isEmpty() || users.match(sender))
        && (exceptUsers.isEmpty() || !exceptUsers.match(sender));
  }
}
