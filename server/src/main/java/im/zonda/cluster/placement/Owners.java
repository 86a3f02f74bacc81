package im.zonda.cluster.placement;

import im.zonda.cluster.Member;
import org.jspecify.annotations.Nullable;

/// The owners of a segment.
///
/// @param standby null while the engine has not chosen one
public record Owners(Member home, @Nullable Member standby) {}
