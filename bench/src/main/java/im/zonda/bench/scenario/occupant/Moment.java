package im.zonda.bench.scenario.occupant;

import im.zonda.bench.trace.EventKind;

/// Something that a player does.
///
/// @param index of the stay or session among those of the player, or of the message in the trace
record Moment(long millis, EventKind kind, int player, int index) {}
