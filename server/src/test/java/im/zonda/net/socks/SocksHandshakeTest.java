package im.zonda.net.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SocksHandshakeTest {
  private static final String HASH = "972b7bf47291ca609517f67f86b5081086052dad";
  private static final String REQUEST = "0501000328" + hex(HASH) + "0000";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private ByteArrayInputStream in = new ByteArrayInputStream(new byte[0]);

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
  }

  private SocksHandshake handshake(String bytes) {
    in = new ByteArrayInputStream(HexFormat.of().parseHex(bytes));
    return new SocksHandshake(in, out);
  }

  private @Nullable String read(String bytes) throws IOException {
    return handshake(bytes).read();
  }

  private String answered() {
    return HexFormat.of().formatHex(out.toByteArray());
  }

  /// XEP-0065, section 5.3.2: BND.ADDR and BND.PORT are those of the request.
  @Test
  void theAnswerNamesTheAddressOfTheRequest() throws IOException {
    SocksHandshake handshake = handshake("050100" + REQUEST + "616263");
    assertThat(handshake.read()).isEqualTo(HASH);
    assertThat(answered()).isEqualTo("0500");
    handshake.answer(SocksHandshake.SUCCEEDED);
    assertThat(answered()).isEqualTo("0500" + "0500000328" + hex(HASH) + "0000");
    assertThat(in.available()).as("bytes of the stream").isEqualTo(3);
  }

  @Test
  void oneOfSeveralMethodsIsChosenAndDigitsMayBeCapital() throws IOException {
    String request = "0501000328" + hex("972B7BF47291CA609517F67F86B5081086052DAD") + "0001";
    assertThat(read("0503020100" + request)).isEqualTo(HASH);
  }

  @ParameterizedTest
  @CsvSource({
    // without the method "no authentication"
    "05010205010003, 05ff",
    "0500, 05ff",
    // another version
    "0401, ''",
    "0501000401, 0500",
    // an IPv4 address; a name that is no hash; BIND
    "050100050100017f0000010050, 050005080003000000",
    "0501000501000301610050, 05000504000301610050",
    "0501000502000301610050, 05000507000301610050"
  })
  void whatCannotBeGrantedIsAnsweredAndEnds(String bytes, String answer) throws IOException {
    assertThat(read(bytes)).isNull();
    assertThat(answered()).isEqualTo(answer);
  }

  @Test
  void aNameOfAnotherLengthIsNoHash() throws IOException {
    assertThat(read("0501000501000327" + hex(HASH.substring(1)) + "0000")).isNull();
  }

  @Test
  void aConnectionMayEndAnywhere() {
    for (int length = 0; length < REQUEST.length(); length += 2) {
      String bytes = "050100" + REQUEST.substring(0, length);
      assertThatThrownBy(() -> read(bytes)).isInstanceOf(EOFException.class);
    }
  }
}
