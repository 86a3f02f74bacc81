package im.zonda.cluster.replica;

/// Learns what has become of parts of the state of a home that another node is to have
/// ([Replication#copy]). Called once at most, on any thread; must not block. Never called if the
/// home leaves this node first.
@FunctionalInterface
public interface ReplicaListener {
  /// The standby has the parts in the given version or a newer one.
  ///
  /// @param kept false if the standby does not have them: there is no standby, or a part is too
  ///   large or without room. Then no standby has an older state of that part either
  void confirmed(boolean kept);
}
