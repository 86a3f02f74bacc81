package im.zonda.plugins.filter.rule;

import im.zonda.jid.Jid;
import im.zonda.plugin.FilterPoint;

/// A message as the scopes of rules see it.
///
/// @param point where it passes
/// @param host at which host
/// @param room the bare address of the room, or of the account that stands in its place in a
///   message that is of no room
/// @param sender the true address of the sender, or the one in the room if that is not known
/// @param isSenderLocal whether it has passed the filter where it was sent
/// @param isFromOwnRoom whether it has passed the filter of a room
public record Subject(
    FilterPoint point,
    String host,
    String room,
    Jid sender,
    boolean isSenderLocal,
    boolean isFromOwnRoom) {}
