package im.zonda.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.runtime.AllocatedBytes;
import org.jspecify.annotations.Nullable;

/// Any bytes on a link are a value or are rejected, and a value can be written and read again. Runs
/// the committed seeds; `./zonda test --fuzz` searches for more.
class LinkCodecFuzzTest {
  private static final LinkCodec FORM = new LinkCodec(1 << 16);

  @FuzzTest(maxDuration = "2m")
  void anyValueForASession(byte[] data) throws LinkFormatException {
    ToSession value = readToSession(data);
    assertThat(AllocatedBytes.of(() -> readToSession(data)))
        .isLessThan(AllocatedBytes.allowed(data));
    if (value != null) {
      byte[] written = LinkCodec.write(value);
      assertThat(LinkCodec.write(FORM.readToSession(written))).isEqualTo(written);
    }
  }

  private static @Nullable ToSession readToSession(byte[] data) {
    try {
      return FORM.readToSession(data);
    } catch (LinkFormatException e) {
      return null;
    }
  }

  @FuzzTest(maxDuration = "2m")
  void anyValueForAStream(byte[] data) throws LinkFormatException {
    ToStream value = readToStream(data);
    assertThat(AllocatedBytes.of(() -> readToStream(data)))
        .isLessThan(AllocatedBytes.allowed(data));
    if (value != null) {
      byte[] written = LinkCodec.write(value);
      assertThat(LinkCodec.write(FORM.readToStream(written))).isEqualTo(written);
    }
  }

  private static @Nullable ToStream readToStream(byte[] data) {
    try {
      return FORM.readToStream(data);
    } catch (LinkFormatException e) {
      return null;
    }
  }
}
