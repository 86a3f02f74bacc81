package im.zonda.bench.load;

/// An option of a scenario, given as `--name VALUE`.
///
/// @param name without hyphens at the beginning
/// @param usual the value if none is given; `false` for one that is a flag
/// @param meaning for the help, with the unit
public record Option(String name, String usual, String meaning) {}
