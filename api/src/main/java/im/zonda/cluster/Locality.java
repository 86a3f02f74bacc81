package im.zonda.cluster;

import im.zonda.jid.Jid;

/// Whether this node is the home of an account or room.
@FunctionalInterface
public interface Locality {
  /// The single node: everything is at home here.
  Locality LOCAL = jid -> true;

  /// Whether this node is home of the bare address.
  boolean isHere(Jid jid);
}
