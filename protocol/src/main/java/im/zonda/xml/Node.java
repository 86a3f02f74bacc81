package im.zonda.xml;

/// The content of an element: child elements and text.
public sealed interface Node permits Element, Text {}
