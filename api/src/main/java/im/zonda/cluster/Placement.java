package im.zonda.cluster;

import im.zonda.jid.Jid;

/// Decides which node is home of an account or room.
@FunctionalInterface
public interface Placement {
  /// The single node: everything is at home here.
  Placement LOCAL = jid -> true;

  /// Whether this node is home of the bare address.
  boolean isHere(Jid jid);
}
