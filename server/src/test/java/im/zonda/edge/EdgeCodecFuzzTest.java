package im.zonda.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.link.LinkFormatException;

/// Any bytes are a value or are rejected, and a value can be written and read again. Runs the
/// committed seeds; `JAZZER_FUZZ=1` searches for more.
class EdgeCodecFuzzTest {
  private static final EdgeCodec FORM = new EdgeCodec(1 << 16);

  @FuzzTest(maxDuration = "2m")
  void anyValueForACore(byte[] data) throws LinkFormatException {
    ToCore value;
    try {
      value = FORM.readToCore(data);
    } catch (LinkFormatException e) {
      return;
    }
    byte[] written = EdgeCodec.write(value);
    assertThat(EdgeCodec.write(FORM.readToCore(written))).isEqualTo(written);
  }

  @FuzzTest(maxDuration = "2m")
  void anyValueForAnEdge(byte[] data) throws LinkFormatException {
    ToEdge value;
    try {
      value = FORM.readToEdge(data);
    } catch (LinkFormatException e) {
      return;
    }
    byte[] written = EdgeCodec.write(value);
    assertThat(EdgeCodec.write(FORM.readToEdge(written))).isEqualTo(written);
  }
}
