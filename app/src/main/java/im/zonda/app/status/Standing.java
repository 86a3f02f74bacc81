package im.zonda.app.status;

import im.zonda.cluster.membership.MembershipStatus;
import im.zonda.cluster.placement.Placement;

/// Whether a node takes part in its cluster.
public enum Standing {
  /// It has homes, or is ready to get some.
  MEMBER,
  /// It gives its homes to others, or has done so.
  DRAINING,
  /// It is in no placement yet, or members are lost and nothing is decided.
  WAITING;

  /// The standing of the node whose status that is.
  public static Standing of(MembershipStatus membership) {
    Placement placement = membership.placement();
    if (placement == null
        || membership.suspended()
        || !placement.members().contains(membership.self())) {
      return WAITING;
    }
    return placement.isDraining(membership.self()) ? DRAINING : MEMBER;
  }
}
