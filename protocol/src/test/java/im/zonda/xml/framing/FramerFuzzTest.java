package im.zonda.xml.framing;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.XmlWriter;
import java.util.List;

/// Any bytes: the framer gives the same events however they are cut, and accepted input can be
/// written and read again. Runs the committed seeds; `JAZZER_FUZZ=1` searches for more.
class FramerFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void anyStream(byte[] data) throws XmlException {
    List<String> whole = Recorder.split(data, XmlLimits.BEFORE_AUTHENTICATION, new int[0]);
    for (int part : new int[] {1, 5}) {
      assertThat(Recorder.inParts(data, part, XmlLimits.BEFORE_AUTHENTICATION)).isEqualTo(whole);
    }
  }

  @FuzzTest(maxDuration = "2m")
  void anyElement(byte[] data) throws XmlException {
    Element element;
    try {
      element = XmlParser.parse(data);
    } catch (XmlException e) {
      return;
    }
    assertThat(XmlParser.parse(XmlWriter.toString(element))).isEqualTo(element);
  }

  /// What a peer may send is written in at most twice the bytes, and read again: its bytes, its
  /// tree, and one inside another.
  @FuzzTest(maxDuration = "2m")
  void anyStanza(byte[] data) throws XmlException {
    Frame frame;
    Stanza stanza;
    try {
      frame = XmlParser.frame(data, 0, "jabber:client");
      stanza = Stanza.received(frame);
    } catch (XmlException | StanzaFormatException e) {
      return;
    }
    Element tree = stanza.toElement();
    for (Element each : List.of(tree, Element.builder("urn:outer", "o").child(tree).build())) {
      ByteArraySink sink = new ByteArraySink(64);
      XmlWriter.write(each, "jabber:client", sink);
      assertThat(sink.size()).isLessThanOrEqualTo(2 * data.length + 1_100);
      assertThat(XmlParser.frame(sink.toByteArray(), 0, "jabber:client").toElement())
          .isEqualTo(each);
    }
  }
}
