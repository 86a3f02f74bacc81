package im.zonda.edge.core;

import im.zonda.metric.Timing;

/// Times of messages on their way to the clients of the edges, in two parts: the clocks of two
/// processes cannot be compared.
///
/// @param toEdges from their arrival at this process until they were written to an edge
/// @param atEdges from their arrival at an edge until they were written to a client, as the edges
///   have said
public record EdgeTimes(Timing toEdges, Timing atEdges) {
  /// None so far.
  EdgeTimes() {
    this(new Timing(), new Timing());
  }
}
