/// Meters: what the server counts and measures, for those who watch it.
///
/// A [Meter] is a definition: a name by the convention of OpenMetrics, a help text, and labels with
/// few values. A [Reading] joins it with where its values come from: a [Counter], a [Timing], or
/// what some part of the server knows anyway. [Meters] has the readings of the server and of the
/// modules of its hosts; every way to see them reads that one list. Nothing is counted for a user,
/// a room or a remote domain.
///
/// Unlike the other contracts, counters and timings hold state: they are counted on the way of
/// every stanza, without locks and without allocation.
@NullMarked
package im.zonda.metric;

import org.jspecify.annotations.NullMarked;
