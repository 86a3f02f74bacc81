package im.zonda.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Any bytes are a value or are rejected, and a value can be written and read again. Runs the
/// committed seeds; `JAZZER_FUZZ=1` searches for more.
class LinkCodecFuzzTest {
  private static final LinkCodec FORM = new LinkCodec(1 << 16);

  @FuzzTest(maxDuration = "2m")
  void anyValueForASession(byte[] data) throws LinkFormatException {
    ToSession value;
    try {
      value = FORM.readToSession(data);
    } catch (LinkFormatException e) {
      return;
    }
    byte[] written = LinkCodec.write(value);
    assertThat(LinkCodec.write(FORM.readToSession(written))).isEqualTo(written);
  }

  @FuzzTest(maxDuration = "2m")
  void anyValueForAStream(byte[] data) throws LinkFormatException {
    ToStream value;
    try {
      value = FORM.readToStream(data);
    } catch (LinkFormatException e) {
      return;
    }
    byte[] written = LinkCodec.write(value);
    assertThat(LinkCodec.write(FORM.readToStream(written))).isEqualTo(written);
  }
}
