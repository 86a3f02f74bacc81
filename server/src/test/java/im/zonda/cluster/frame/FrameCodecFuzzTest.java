package im.zonda.cluster.frame;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Any bytes are a frame or are rejected, and a frame can be written and read again. Runs the
/// committed seeds; `JAZZER_FUZZ=1` searches for more.
class FrameCodecFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void anyFrame(byte[] data) throws FrameFormatException {
    Frame frame;
    try {
      frame = FrameCodec.read(data);
    } catch (FrameFormatException e) {
      return;
    }
    assertThat(FrameCodec.read(FrameCodec.write(frame))).isEqualTo(frame);
  }
}
