package im.zonda.xml;

/// Limits for one first-level element of a stream. Checked while parsing, before memory is
/// allocated.
///
/// @param maxBytes bytes of one first-level element, or of the stream header
/// @param maxDepth levels of nesting, the first-level element being 1
/// @param maxAttributes attributes of one element, namespace declarations included
/// @param maxNamespaceDeclarations namespace declarations in scope at one place
/// @param maxElements elements in one first-level element, itself included
/// @param maxNameBytes bytes of one element or attribute name, prefix included, or of one namespace
///   name
public record XmlLimits(
    int maxBytes,
    int maxDepth,
    int maxAttributes,
    int maxNamespaceDeclarations,
    int maxElements,
    int maxNameBytes) {
  /// Limits for a stream before authentication.
  public static final XmlLimits BEFORE_AUTHENTICATION = new XmlLimits(10_000, 8, 32, 16, 128, 256);

  /// The most that a configuration may allow any peer, so that the server can read what it writes.
  public static final XmlLimits MAXIMUM = new XmlLimits(8 << 20, 128, 256, 128, 65_536, 4_096);

  /// Limits for an authenticated client.
  public static final XmlLimits CLIENT = new XmlLimits(262_144, 64, 64, 32, 4_096, 1_024);
}
