package im.zonda.cluster.rule;

import im.zonda.cluster.placement.Stamp;

/// Every decision on which an invariant of the cluster's protocol rests, as a function of plain
/// values. The simulation replaces one of them at a time and must notice.
public class ProtocolRules {
  /// Whether a change of a session is in two processes.
  ///
  /// @param version the session's version that has the change
  /// @param confirmed the version that the mirror has confirmed
  public boolean isMirrored(long version, long confirmed) {
    return version <= confirmed;
  }

  /// Whether the client at the home's own edge, or a room's occupants, may see a change.
  public boolean isVisible(long version, long confirmed) {
    return version <= confirmed;
  }

  /// Whether a stanza is SAFE for its source.
  ///
  /// @param sessions sessions that have got the stanza and whose mirrors do not have it yet
  /// @param commits writes of the stanza to the database that are not committed yet
  public boolean isSafe(int sessions, int commits) {
    return sessions == 0 && commits == 0;
  }

  /// Whether a session has been given a stanza before.
  ///
  /// @param seen the highest number of that origin that the session was given; 0 for none
  public boolean isDuplicate(long number, long seen) {
    return number <= seen;
  }

  /// Whether a frame is to be discarded: it was sent in an older placement, and its sender sends
  /// what still matters again in this one.
  public boolean isOutdated(Stamp sent, Stamp installed) {
    return sent.compareTo(installed) < 0;
  }

  /// Whether a frame waits for its placement to be installed here.
  public boolean isEarly(Stamp sent, Stamp installed) {
    return sent.compareTo(installed) > 0;
  }

  /// Whether a gated segment opens.
  ///
  /// @param missing members that have not answered yet
  public boolean opens(int missing, int members) {
    return missing == 0;
  }

  /// Whether a node that is not the home any more stops handling the segment.
  public boolean seals() {
    return true;
  }

  /// Whether a session whose mirror has changed is copied to the new one.
  public boolean copiesToNewMirror() {
    return true;
  }

  /// Whether a session without a client is mirrored at the standby.
  public boolean mirrorsDetached() {
    return true;
  }

  /// Whether a session that is resumed elsewhere must wait until its old edge has closed it.
  public boolean waitsForOldEdge() {
    return true;
  }

  /// Whether a home needs another member to refuse a client of its own node.
  public boolean refusesWithWitness() {
    return true;
  }

  /// Whether what the outbox holds is sent again when a placement is installed.
  public boolean sendsAgain() {
    return true;
  }

  /// Whether an entry leaves the outbox when it is sent.
  public boolean trimsWhenSent() {
    return false;
  }

  /// The count of a client's stanzas that are SAFE without a gap.
  ///
  /// @param before the count before
  /// @param firstPending the lowest number that is not SAFE; one above the last received if all are
  public long handled(long before, long firstPending, long received) {
    return Math.max(before, firstPending - 1);
  }

  /// The count that a client is given.
  ///
  /// @param given the count that it was given before
  /// @param mirrored the count that two processes have
  /// @param handled the count that only the edge has
  public long acknowledged(long given, long mirrored, long handled) {
    return Math.max(given, mirrored);
  }

  /// Whether the rest of a cluster that has lost members may go on at once.
  ///
  /// @param survivors members of the last legal membership that are still in view
  /// @param before size of the last legal membership
  public boolean isMajority(int survivors, int before) {
    return 2 * survivors > before;
  }

  /// Whether a minority may take the epoch because nobody else shows a sign of life.
  ///
  /// @param waited how long the row has not been touched, in milliseconds
  public boolean isAbandoned(long waited, long patience) {
    return waited >= patience;
  }

  /// Whether a process that the cluster has gone on without forgets its state.
  public boolean restartsWhenExcluded() {
    return true;
  }

  /// Whether the placement of a topology is legal: its members are those of the epoch.
  public boolean isLegal(boolean sameMembers) {
    return sameMembers;
  }
}
