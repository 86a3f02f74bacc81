package im.zonda.net.bosh;

import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stream.StreamXml;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;

/// One element for the client, as it is within `<body/>`.
///
/// @param xml the element, which declares its namespace
/// @param prefixed whether it uses the prefix `stream`, which `<body/>` must declare
/// @param number the number to report when the client has it ([im.zonda.link.ToStream.Deliver]), or
///   0
/// @param since [im.zonda.module.Origin#since] of what has caused it, or 0
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
record Payload(byte[] xml, boolean prefixed, long number, long since) {
  private static final byte[] CLIENT =
      (" xmlns='" + Namespaces.CLIENT + "'").getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  /// An element of the stream's own.
  static Payload of(Element element) {
    ByteArraySink sink = new ByteArraySink(512);
    StreamXml.writeElement(element, BoshRequest.NAMESPACE, sink);
    boolean prefixed = element.name().namespace().equals(Namespaces.STREAM);
    return new Payload(sink.toByteArray(), prefixed, 0, 0);
  }

  /// A stanza.
  static Payload of(Stanza stanza, long number, long since) {
    ByteArraySink sink = new ByteArraySink(512);
    stanza.writeTo(sink);
    byte[] bare = sink.toByteArray();
    int name = 1;
    while (bare[name] != ' ' && bare[name] != '>' && bare[name] != '/') {
      name++;
    }
    byte[] xml = new byte[bare.length + CLIENT.length];
    System.arraycopy(bare, 0, xml, 0, name);
    System.arraycopy(CLIENT, 0, xml, name, CLIENT.length);
    System.arraycopy(bare, name, xml, name + CLIENT.length, bare.length - name);
    return new Payload(xml, false, number, since);
  }

  int size() {
    return xml.length;
  }
}
