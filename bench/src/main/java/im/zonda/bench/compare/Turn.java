package im.zonda.bench.compare;

/// Runs the load for a while at one of two servers, which both stand ready all the time.
public interface Turn {
  /// Runs one turn.
  ///
  /// @param side which server
  /// @return what an operation cost, such as CPU time of the server in microseconds; above 0
  /// @throws Exception ends the comparison, with its message
  double run(Side side) throws Exception;

  /// The two servers.
  enum Side {
    /// The one that is compared with.
    A,
    /// The one that is looked at.
    B
  }
}
