package im.zonda.stream;

import im.zonda.xml.XmlLimits;

/// The limits of a peer's input.
///
/// @param xml limits of the stream header and of each first-level element
/// @param totalBytes the most bytes received in all while these limits apply; [#UNBOUNDED] for no
///   such limit
public record InputLimits(XmlLimits xml, int totalBytes) {
  /// No limit of the bytes in all.
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  /// Limits of each element only.
  public static InputLimits ofElements(XmlLimits xml) {
    return new InputLimits(xml, UNBOUNDED);
  }
}
