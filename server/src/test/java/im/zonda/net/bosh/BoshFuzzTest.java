package im.zonda.net.bosh;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.config.limits.BoshLimits;
import im.zonda.stream.InputLimits;
import im.zonda.xml.Element;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.framing.Frame;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Any bytes as the body of a request of BOSH: the request is the same however the bytes come, what
/// a client may choose is within the limits, and the elements can be written and read again. Runs
/// the committed seeds; `./zonda test --fuzz` searches for more.
class BoshFuzzTest {
  private static final InputLimits LARGEST = InputLimits.ofElements(XmlLimits.MAXIMUM);

  @FuzzTest(maxDuration = "2m")
  void anyBody(byte[] data) throws IOException {
    BoshRequest request = read(data, data.length + 1, TestBodies.STRANGER);
    for (int size : new int[] {1, 7}) {
      assertThat(text(read(data, size, TestBodies.STRANGER))).isEqualTo(text(request));
    }
    if (request == null) {
      return;
    }
    assertThat(request.rid()).isBetween(1L, BoshRequest.MAX_RID);
    checkTerms(request);
    List<Element> elements = request.payloads().stream().map(Frame::toElement).toList();
    BodyWriter writer = new BodyWriter().attribute("rid", request.rid());
    elements.forEach(each -> writer.payload(Payload.of(each)));
    byte[] written = writer.toBytes();
    BoshRequest again = read(written, written.length, LARGEST);
    assertThat(again).isNotNull();
    if (again != null) {
      assertThat(again.payloads().stream().map(Frame::toElement))
          .containsExactlyElementsOf(elements);
    }
  }

  /// The terms of a session that the request creates are within those of the server.
  private static void checkTerms(BoshRequest first) {
    BoshLimits limits = BoshLimits.DEFAULTS;
    BoshTerms terms;
    try {
      terms = BoshTerms.of(first, limits);
    } catch (BoshException e) {
      return;
    }
    assertThat(terms.waitMillis()).isBetween(0L, limits.waitTime().toMillis());
    assertThat(terms.hold()).isBetween(0, limits.hold());
    assertThat(terms.requests()).isEqualTo(terms.hold() + 1);
    assertThat(terms.contentType().chars()).allMatch(c -> c >= ' ' && c < 0x7F);
  }

  /// A request, or null if it is rejected.
  ///
  /// @param size how many bytes come at a time
  private static @Nullable BoshRequest read(byte[] data, int size, InputLimits limits)
      throws IOException {
    try {
      return new BodyReader(limits, _ -> limits).read(TestBodies.body(data, size));
    } catch (BoshException e) {
      return null;
    }
  }

  private static String text(@Nullable BoshRequest request) {
    if (request == null) {
      return "rejected";
    }
    TreeMap<String, String> attributes = new TreeMap<>();
    request.body().attributes().forEach((name, value) -> attributes.put(name.toString(), value));
    return request.rid()
        + " "
        + attributes
        + " "
        + request.payloads().stream().map(each -> each + " " + each.toElement()).toList();
  }
}
