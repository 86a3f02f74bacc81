package im.zonda.edge;

import im.zonda.link.LinkFormatException;
import im.zonda.link.LinkInput;
import im.zonda.link.LinkOutput;
import im.zonda.xml.XmlLimits;

/// The binary form of the limits for the XML of a stream: six numbers.
final class EdgeLimits {
  private EdgeLimits() {}

  static void write(XmlLimits limits, LinkOutput out) {
    out.number(limits.maxBytes());
    out.number(limits.maxDepth());
    out.number(limits.maxAttributes());
    out.number(limits.maxNamespaceDeclarations());
    out.number(limits.maxElements());
    out.number(limits.maxNameBytes());
  }

  static XmlLimits read(LinkInput in) throws LinkFormatException {
    return new XmlLimits(bound(in), bound(in), bound(in), bound(in), bound(in), bound(in));
  }

  private static int bound(LinkInput in) throws LinkFormatException {
    long bound = in.number();
    if (bound < 1 || bound > Integer.MAX_VALUE) {
      throw new LinkFormatException("not a limit");
    }
    return (int) bound;
  }
}
