package im.zonda.jid;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Any text: an address is rejected or has one form, whose parts are within the limits of RFC 7622.
/// Runs the committed seeds; `./zonda test --fuzz` searches for more.
class JidFuzzTest {
  private static final int MAX_PART = 1_023;

  @FuzzTest(maxDuration = "2m")
  void anyAddress(byte[] data) {
    String address = new String(data, StandardCharsets.UTF_8);
    Jid jid;
    try {
      jid = Jid.of(address);
    } catch (JidFormatException e) {
      return;
    }
    assertThat(Jid.of(jid.toString())).isEqualTo(jid).hasSameHashCodeAs(jid);
    assertThat(Jid.stored(jid.toString())).isEqualTo(jid);
    assertThat(Jid.of(jid.local(), jid.domain(), jid.resource())).isEqualTo(jid);
    assertThat(jid.utf8()).isEqualTo(jid.toString().getBytes(StandardCharsets.UTF_8));
    assertThat(jid.asciiDomain().chars()).allMatch(c -> c > ' ' && c < 0x7F);
    checkPart(jid.local());
    checkPart(jid.domain());
    checkPart(jid.resource());
  }

  private static void checkPart(@Nullable String part) {
    if (part != null) {
      assertThat(part.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1, MAX_PART);
    }
  }
}
