package im.zonda.cluster.frame;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.runtime.AllocatedBytes;
import org.jspecify.annotations.Nullable;

/// Any bytes from another node are a frame or are rejected, and a frame can be written and read
/// again. Runs the committed seeds; `./zonda test --fuzz` searches for more.
class FrameCodecFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void anyFrame(byte[] data) throws FrameFormatException {
    Frame frame = read(data);
    assertThat(AllocatedBytes.of(() -> read(data))).isLessThan(AllocatedBytes.allowed(data));
    if (frame != null) {
      assertThat(FrameCodec.read(FrameCodec.write(frame))).isEqualTo(frame);
    }
  }

  private static @Nullable Frame read(byte[] data) {
    try {
      return FrameCodec.read(data);
    } catch (FrameFormatException e) {
      return null;
    }
  }
}
