package im.zonda.link;

/// Opens links from streams to the homes of their accounts.
@FunctionalInterface
public interface SessionGate {
  /// Opens a link. Its first value is a [ToSession.Bind] or a [ToSession.Resume]; after a refusal
  /// the stream may try again on the same link. A link has one session at most.
  SessionEnd open(StreamEnd stream);
}
