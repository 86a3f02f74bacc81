package im.zonda.cluster.frame;

/// A stanza in the queue of a session or a room.
///
/// @param number its place among all that the session is sent, or that the room reflects; from 1 on
/// @param inStore whether the database has it too, to be deleted once the client has it
public record Delivery(long number, RoutedStanza stanza, boolean inStore) {}
