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
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Any bytes: the framer gives the same events however they are cut and keeps its limits, and
/// accepted input can be written and read again. Runs the committed seeds; `./zonda test --fuzz`
/// searches for more.
class FramerFuzzTest {
  /// So small that short inputs reach each of them.
  private static final XmlLimits SMALL = new XmlLimits(300, 3, 4, 5, 8, 64);

  @FuzzTest(maxDuration = "2m")
  void anyStream(byte[] data) throws XmlException {
    List<String> whole = Recorder.split(data, XmlLimits.BEFORE_AUTHENTICATION, new int[0]);
    for (int part : new int[] {1, 5}) {
      assertThat(Recorder.inParts(data, part, XmlLimits.BEFORE_AUTHENTICATION)).isEqualTo(whole);
    }
    int[] cuts =
        new SplittableRandom(Arrays.hashCode(data)).ints(0, data.length + 1).limit(4).toArray();
    Arrays.sort(cuts);
    assertThat(Recorder.split(data, XmlLimits.BEFORE_AUTHENTICATION, cuts)).isEqualTo(whole);
  }

  /// The framer holds no more of an unfinished element than the limit, and what it passes on is
  /// within each limit.
  @FuzzTest(maxDuration = "2m")
  void limitsAreKept(byte[] data) {
    Recorder recorder = new Recorder();
    XmppFramer framer = new XmppFramer(SMALL, recorder);
    int held = 0;
    try {
      for (int i = 0; i < data.length; i++) {
        framer.feed(data, i, 1);
        held = Math.max(held, framer.heldBytes());
      }
    } catch (XmlException e) {
      assertThat(framer.heldBytes()).isZero();
    }
    assertThat(held).isLessThanOrEqualTo(SMALL.maxBytes());
    for (Frame frame : recorder.frames) {
      assertThat(frame.bytes().length).isLessThanOrEqualTo(SMALL.maxBytes());
      Element element = frame.toElement();
      assertThat(depth(element)).isLessThanOrEqualTo(SMALL.maxDepth());
      assertThat(count(element)).isLessThanOrEqualTo(SMALL.maxElements());
    }
  }

  private static int depth(Element element) {
    return 1 + element.children().stream().mapToInt(FramerFuzzTest::depth).max().orElse(0);
  }

  /// The elements, of which each has names and attributes within the limits.
  private static int count(Element element) {
    assertThat(element.attributes().size()).isLessThanOrEqualTo(SMALL.maxAttributes());
    assertThat(element.name().name().length()).isLessThanOrEqualTo(SMALL.maxNameBytes());
    assertThat(element.name().namespace().length()).isLessThanOrEqualTo(SMALL.maxNameBytes());
    return 1 + element.children().stream().mapToInt(FramerFuzzTest::count).sum();
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
