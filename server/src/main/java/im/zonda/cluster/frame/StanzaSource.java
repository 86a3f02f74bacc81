package im.zonda.cluster.frame;

/// Where a stanza entered the cluster. The same origin is the same stanza, however often it is sent
/// again.
///
/// @param source the id of the session that sent it, or the room that reflects it
/// @param number its number among all stanzas of that source, from 1 on
public record StanzaSource(String source, long number) {}
