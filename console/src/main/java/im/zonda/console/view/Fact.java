package im.zonda.console.view;

/// A value with its name.
public record Fact(String label, Cell value) {}
