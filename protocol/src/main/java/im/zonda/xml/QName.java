package im.zonda.xml;

/// The name of an element or attribute: namespace and local name, kept apart and never joined.
///
/// @param namespace the namespace name; empty for "no namespace"
/// @param name the local name
public record QName(String namespace, String name) {}
