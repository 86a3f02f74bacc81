package im.zonda.link;

/// The version of a session that can be resumed (XEP-0198), or of a snapshot of it. Only the
/// session's present home makes versions; what restores a session from a snapshot has the
/// snapshot's version until a stream has been given the session.
///
/// Of two versions from one home after the other, the earlier one [#lacks] something. After the
/// loss of a node two homes may go on from one snapshot, one after the other: the client has seen
/// the versions that its stream was given, so the session of a home is right for a stream only if
/// it [#covers] what the stream has.
///
/// @param resumptions the number of the client's last resumption, which is the same for one stream
///   of the client wherever the session moves; 0 for the stream on which it was bound
/// @param sent how many stanzas a stream has been given
/// @param handled how many of the client's stanzas have been handled; 0 if that is unknown
public record SessionVersion(long resumptions, long sent, long handled) {
  /// The version of a session whose client has just enabled stream management.
  public static final SessionVersion FIRST = new SessionVersion(0, 0, 0);

  /// How many resumptions are numbered in one epoch.
  private static final int EPOCH_SHIFT = 20;

  /// The number of the client's next resumption. It is higher than all that homes have given in
  /// earlier epochs, also those of which the session's snapshot does not know.
  ///
  /// @param last the number of the resumption before
  /// @param epoch the number of the cluster's membership; 0 without a cluster
  public static long nextResumption(long last, long epoch) {
    return Math.max(last + 1, epoch << EPOCH_SHIFT);
  }

  /// Whether a session of this version can continue on a stream that has that version: the client
  /// has resumed it on no other stream since, and has got neither a stanza nor a count that it
  /// lacks.
  public boolean covers(SessionVersion stream) {
    return resumptions == stream.resumptions && sent >= stream.sent && handled >= stream.handled;
  }

  /// Whether a session of this version lacks something that a stream with that version has: a
  /// resumption of the client, a stanza or a count. Each of two that two homes have made from one
  /// snapshot may lack something of the other.
  public boolean lacks(SessionVersion stream) {
    return resumptions <= stream.resumptions && !covers(stream);
  }
}
