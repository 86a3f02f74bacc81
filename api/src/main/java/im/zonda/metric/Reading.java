package im.zonda.metric;

import java.util.List;
import java.util.function.Supplier;

/// A meter with where its values come from.
///
/// @param samples gives the values at present
public record Reading(Meter meter, Supplier<List<Sample>> samples) {}
