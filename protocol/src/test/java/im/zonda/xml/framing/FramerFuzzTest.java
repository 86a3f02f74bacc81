package im.zonda.xml.framing;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
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
}
