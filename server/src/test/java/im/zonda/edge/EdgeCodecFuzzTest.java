package im.zonda.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.link.LinkFormatException;
import im.zonda.runtime.AllocatedBytes;
import org.jspecify.annotations.Nullable;

/// Any bytes between an edge and its core are a value or are rejected, and a value can be written
/// and read again. Runs the committed seeds; `./zonda test --fuzz` searches for more.
class EdgeCodecFuzzTest {
  private static final EdgeCodec FORM = new EdgeCodec(1 << 16);

  @FuzzTest(maxDuration = "2m")
  void anyValueForACore(byte[] data) throws LinkFormatException {
    ToCore value = readToCore(data);
    assertThat(AllocatedBytes.of(() -> readToCore(data))).isLessThan(AllocatedBytes.allowed(data));
    if (value != null) {
      byte[] written = EdgeCodec.write(value);
      assertThat(EdgeCodec.write(FORM.readToCore(written))).isEqualTo(written);
    }
  }

  private static @Nullable ToCore readToCore(byte[] data) {
    try {
      return FORM.readToCore(data);
    } catch (LinkFormatException e) {
      return null;
    }
  }

  @FuzzTest(maxDuration = "2m")
  void anyValueForAnEdge(byte[] data) throws LinkFormatException {
    ToEdge value = readToEdge(data);
    assertThat(AllocatedBytes.of(() -> readToEdge(data))).isLessThan(AllocatedBytes.allowed(data));
    if (value != null) {
      byte[] written = EdgeCodec.write(value);
      assertThat(EdgeCodec.write(FORM.readToEdge(written))).isEqualTo(written);
    }
  }

  private static @Nullable ToEdge readToEdge(byte[] data) {
    try {
      return FORM.readToEdge(data);
    } catch (LinkFormatException e) {
      return null;
    }
  }
}
