package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import im.zonda.jid.Property;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class XmppFramerTest {
  static List<String> streams() {
    List<String> all = new ArrayList<>(Streams.VALID);
    all.addAll(Streams.BROKEN);
    return all;
  }

  @ParameterizedTest
  @MethodSource("streams")
  void everySplitGivesTheSameEvents(String stream) {
    byte[] bytes = stream.getBytes(UTF_8);
    List<String> whole = Recorder.split(bytes, XmlLimits.CLIENT, new int[0]);
    assertThat(whole).isNotEmpty();
    for (int cut = 1; cut < bytes.length; cut++) {
      assertThat(Recorder.split(bytes, XmlLimits.CLIENT, new int[] {cut}))
          .as("cut at %d", cut)
          .isEqualTo(whole);
    }
    for (int size = 1; size < 8; size++) {
      assertThat(Recorder.inParts(bytes, size, XmlLimits.CLIENT))
          .as("parts of %d", size)
          .isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @MethodSource("im.zonda.xml.framing.XmppFramerTest#valid")
  void validStreamsAreRead(String stream) {
    assertThat(Recorder.events(stream)).noneMatch(event -> event.matches("[A-Z0-9_]+"));
  }

  static List<String> valid() {
    return Streams.VALID;
  }

  @Test
  void readsHeaderElementsAndEnd() {
    Recorder recorder = new Recorder();
    feed(recorder, Streams.HEADER + Streams.SIMPLE + "</stream:stream>");
    assertThat(recorder.events).hasSize(3);
    assertThat(recorder.events.getFirst())
        .contains("http://etherx.jabber.org/streams", "example.org", "jabber:client");
    assertThat(recorder.events.getLast()).isEqualTo("close");
    Frame frame = recorder.frames.getFirst();
    assertThat(frame.name()).isEqualTo(new QName("jabber:client", "message"));
    assertThat(frame.attribute("to")).isEqualTo("romeo@example.net/orchard");
    assertThat(frame.attribute("nothing")).isNull();
    assertThat(frame.childCount()).isEqualTo(1);
    assertThat(frame.childName(0)).isEqualTo(new QName("jabber:client", "body"));
    assertThat(frame.child(0).text()).isEqualTo("Art thou not Romeo?");
    assertThat(frame.bytes()).isEqualTo(Streams.SIMPLE.getBytes(UTF_8));
  }

  @Test
  void damagedStreamsGiveTheSameEventsHoweverTheyAreCut() {
    Property.holds(
        3_000,
        random -> {
          String elements = Documents.text(random) + " " + Documents.stanza(random);
          byte[] stream = (Streams.HEADER + elements + "</stream:stream>").getBytes(UTF_8);
          byte[] bytes = random.nextInt(4) == 0 ? stream : Documents.damaged(stream, random);
          List<String> whole = Recorder.split(bytes, XmlLimits.CLIENT, new int[0]);
          int[] cuts = random.ints(5, 0, bytes.length + 1).sorted().toArray();
          assertThat(Recorder.split(bytes, XmlLimits.CLIENT, cuts)).isEqualTo(whole);
          assertThat(Recorder.inParts(bytes, 1, XmlLimits.CLIENT)).isEqualTo(whole);
        });
  }

  @Test
  void afterACallbackHasThrownLaterCallsFail() {
    Recorder failing =
        new Recorder() {
          @Override
          public void onFrame(Frame frame) {
            throw new UnsupportedOperationException();
          }
        };
    XmppFramer framer = new XmppFramer(XmlLimits.CLIENT, failing);
    byte[] bytes = (Streams.HEADER + "<a/><b>").getBytes(UTF_8);
    assertThat(catchThrowable(() -> framer.feed(bytes, 0, bytes.length)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(catchThrowable(() -> framer.feed(bytes, 0, 0)))
        .isInstanceOf(IllegalStateException.class);
    framer.reset();
    assertThat(catchThrowable(() -> framer.feed(bytes, 0, Streams.HEADER.length()))).isNull();
  }

  @Test
  void betweenElementsNothingIsHeld() throws XmlException {
    XmppFramer framer = new XmppFramer(XmlLimits.CLIENT, new Recorder());
    byte[] bytes = (Streams.HEADER + Streams.RICH).getBytes(UTF_8);
    framer.feed(bytes, 0, bytes.length - 1);
    assertThat(framer.isIdle()).isFalse();
    framer.feed(bytes, bytes.length - 1, 1);
    assertThat(framer.isIdle()).isTrue();
  }

  @Test
  void resetInACallbackReadsTheRestAsANewStream() throws XmlException {
    List<XmppFramer> framers = new ArrayList<>();
    Recorder recorder = new Recorder();
    XmppFramer framer =
        new XmppFramer(
            XmlLimits.CLIENT,
            new FrameHandler() {
              @Override
              public void onStreamOpen(StreamHeader header) {
                recorder.onStreamOpen(header);
              }

              @Override
              public void onFrame(Frame frame) {
                recorder.onFrame(frame);
                framers.getFirst().reset();
              }

              @Override
              public void onStreamClose() {
                recorder.onStreamClose();
              }
            });
    framers.add(framer);
    byte[] bytes =
        (Streams.HEADER + "<a/> \r\n\t<?xml version='1.0'?>\n" + Streams.HEADER + "<b/>")
            .getBytes(UTF_8);
    framer.feed(bytes, 0, bytes.length);
    assertThat(recorder.events).hasSize(4);
    assertThat(recorder.events.get(2)).startsWith("open");
  }

  @Test
  void pauseDropsTheRestOfTheCallAndCountsIt() throws XmlException {
    List<XmppFramer> framers = new ArrayList<>();
    Recorder recorder = new Recorder();
    FrameHandler handler =
        new FrameHandler() {
          @Override
          public void onStreamOpen(StreamHeader header) {}

          @Override
          public void onFrame(Frame frame) {
            recorder.onFrame(frame);
            framers.getFirst().pause();
            framers.getFirst().reset();
          }

          @Override
          public void onStreamClose() {}
        };
    XmppFramer framer = new XmppFramer(XmlLimits.CLIENT, handler);
    framers.add(framer);
    byte[] bytes = (Streams.HEADER + "<starttls/>injected").getBytes(UTF_8);
    framer.feed(bytes, 0, bytes.length);
    assertThat(framer.droppedBytes()).isEqualTo("injected".length());
    byte[] next = (Streams.HEADER + "<b/>").getBytes(UTF_8);
    framer.feed(next, 0, next.length);
    assertThat(recorder.frames).hasSize(2);
    assertThat(framer.droppedBytes()).isZero();
  }

  @Test
  void afterAnErrorEveryCallThrowsTheSame() {
    XmppFramer framer = new XmppFramer(XmlLimits.CLIENT, new Recorder());
    byte[] bytes = "x".getBytes(UTF_8);
    Throwable first = catchThrowable(() -> framer.feed(bytes, 0, 1));
    assertThat(first).isInstanceOf(XmlException.class);
    assertThat(catchThrowable(() -> framer.feed(bytes, 0, 0))).isSameAs(first);
  }

  @Test
  void limitsChangeFromTheNextElementOn() throws XmlException {
    Recorder recorder = new Recorder();
    XmppFramer framer = new XmppFramer(XmlLimits.BEFORE_AUTHENTICATION, recorder);
    byte[] header = (Streams.HEADER + "<a>").getBytes(UTF_8);
    framer.feed(header, 0, header.length);
    framer.limits(XmlLimits.CLIENT);
    byte[] text = ("<b>" + "x".repeat(9_000) + "</b></a>").getBytes(UTF_8);
    framer.feed(text, 0, text.length);
    byte[] big = ("<c>" + "x".repeat(20_000) + "</c>").getBytes(UTF_8);
    framer.feed(big, 0, big.length);
    assertThat(recorder.frames).hasSize(2);
  }

  @Test
  void anElementOfExactlyTheLimitPasses() {
    XmlLimits limits = new XmlLimits(200, 8, 8, 8, 8, 64);
    String header = "<s xmlns='u'>";
    String fits = "<a>" + "x".repeat(193) + "</a>";
    assertThat(Recorder.split((header + fits).getBytes(UTF_8), limits, new int[0])).hasSize(2);
    String over = "<a>" + "x".repeat(194) + "</a>";
    for (int part : new int[] {1, 7, 300}) {
      assertThat(Recorder.inParts((header + fits).getBytes(UTF_8), part, limits))
          .noneMatch("POLICY_VIOLATION"::equals);
      assertThat(Recorder.inParts((header + over).getBytes(UTF_8), part, limits))
          .endsWith("POLICY_VIOLATION");
    }
  }

  private static void feed(Recorder recorder, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    try {
      new XmppFramer(XmlLimits.CLIENT, recorder).feed(bytes, 0, bytes.length);
    } catch (XmlException e) {
      throw new AssertionError(e.condition() + " " + e.getMessage(), e);
    }
  }
}
