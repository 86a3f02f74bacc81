package im.zonda.module.testing;

import im.zonda.module.IqReply;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.Element;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.FrameHandler;
import im.zonda.xml.framing.XmppFramer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Stanzas and elements from text, read the way the server reads a client's stream.
public final class TestXml {
  private static final String HEADER =
      "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
          + " to='example.org' version='1.0'>";

  private TestXml() {}

  /// The one first-level element in `xml`; the default namespace is `jabber:client`.
  public static Frame frame(String xml) {
    List<Frame> frames = new ArrayList<>();
    XmppFramer framer =
        new XmppFramer(
            XmlLimits.CLIENT,
            new FrameHandler() {
              @Override
              public void onStreamOpen(StreamHeader header) {}

              @Override
              public void onFrame(Frame frame) {
                frames.add(frame);
              }

              @Override
              public void onStreamClose() {}
            });
    byte[] bytes = (HEADER + xml).getBytes(StandardCharsets.UTF_8);
    try {
      framer.feed(bytes, 0, bytes.length);
    } catch (XmlException e) {
      throw new IllegalArgumentException(xml, e);
    }
    if (frames.size() != 1) {
      throw new IllegalArgumentException(frames.size() + " elements in " + xml);
    }
    return frames.getFirst();
  }

  /// The element in `xml` as a tree; the default namespace is `jabber:client`.
  public static Element element(String xml) {
    return frame(xml).toElement();
  }

  /// The stanza in `xml`.
  public static Stanza stanza(String xml) {
    try {
      return Stanza.of(frame(xml));
    } catch (StanzaFormatException e) {
      throw new IllegalArgumentException(xml, e);
    }
  }

  /// The presence in `xml`.
  public static Presence presence(String xml) {
    return (Presence) stanza(xml);
  }

  /// The message in `xml`.
  public static Message message(String xml) {
    return (Message) stanza(xml);
  }

  /// The IQ in `xml`.
  public static Iq iq(String xml) {
    return (Iq) stanza(xml);
  }

  /// The error reply to a stanza.
  static Stanza error(Stanza stanza, StanzaError error) {
    return switch (stanza) {
      case Message message -> Message.error(message, error);
      case Presence presence -> Presence.error(presence, error);
      case Iq iq -> Iq.error(iq, error);
    };
  }

  /// Sends what a module answers to a request.
  static void reply(Iq request, IqReply reply, Consumer<Stanza> way) {
    switch (reply) {
      case IqReply.Result(Element payload) -> way.accept(Iq.result(request, payload));
      case IqReply.Refuse(StanzaError error) -> way.accept(Iq.error(request, error));
      case IqReply.Later later -> {}
    }
  }
}
