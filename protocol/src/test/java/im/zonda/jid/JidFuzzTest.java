package im.zonda.jid;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/// Any text: an address is rejected or has one form.
class JidFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void anyAddress(byte[] data) {
    String address = new String(data, StandardCharsets.UTF_8);
    Jid jid;
    try {
      jid = Jid.of(address);
    } catch (JidFormatException e) {
      return;
    }
    assertThat(Jid.of(jid.toString())).isEqualTo(jid);
  }
}
