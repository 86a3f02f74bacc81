package im.zonda.cluster.placement;

/// The version of a [Placement]. Two nodes with the same stamp have the same placement.
///
/// @param epoch the number of the legal membership, which the database gives out once
/// @param topology the number of the engine's table within that membership
public record Stamp(long epoch, long topology) implements Comparable<Stamp> {
  /// Older than every placement.
  public static final Stamp NONE = new Stamp(0, 0);

  @Override
  public int compareTo(Stamp other) {
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(topology, other.topology);
  }

  @Override
  public String toString() {
    return epoch + "/" + topology;
  }
}
