package im.zonda.xml;

/// What an element contains: elements and text.
public sealed interface Node permits Element, Text {}
