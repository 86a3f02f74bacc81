package im.zonda.plugin;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;

/// A stanza on its way past a filter.
///
/// @param stanza the stanza; at [FilterPoint#ROOM] as the occupant has sent it, from the true
///   address to that of the room
/// @param point where it passes
/// @param host the domain of the virtual host; at [FilterPoint#ROOM] that to which the service of
///   rooms belongs
/// @param owner whose home the filter stands at: the bare address of the account or room
@Stable(since = "1.0")
public record Filtered<S extends Stanza>(S stanza, FilterPoint point, String host, Jid owner) {}
