package im.zonda.cluster.frame;

import im.zonda.cluster.Member;

/// The connection of a client.
///
/// @param connection its number at that edge; never used twice by one member
public record Attachment(Member edge, long connection) {}
