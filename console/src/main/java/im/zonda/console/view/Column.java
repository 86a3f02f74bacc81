package im.zonda.console.view;

/// A column of a table.
///
/// @param label its heading
/// @param number whether it has numbers
public record Column(String label, boolean number) {}
