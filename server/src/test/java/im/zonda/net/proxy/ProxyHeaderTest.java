package im.zonda.net.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProxyHeaderTest {
  private static final int TCP4 = 0x11;
  private static final int TCP6 = 0x21;
  private static final int PROXY = 0x21;
  private static final int LOCAL = 0x20;

  /// The source of a header; null if it names none.
  private static @Nullable InetAddress source(byte[] header) throws MalformedHeaderException {
    ByteBuf in = Unpooled.copiedBuffer(header, new byte[] {'<'});
    ProxyHeader read = Objects.requireNonNull(ProxyHeader.read(in), "the whole header has come");
    assertThat(in.readableBytes()).as("what follows is left").isEqualTo(1);
    // Each shorter part is waited for, and none of it is read.
    for (int i = 0; i < header.length; i++) {
      ByteBuf part = Unpooled.copiedBuffer(header, 0, i);
      assertThat(ProxyHeader.read(part)).as("after %d bytes", i).isNull();
      assertThat(part.readableBytes()).isEqualTo(i);
    }
    return read.source();
  }

  private static void rejects(byte[] header) {
    assertThatThrownBy(() -> ProxyHeader.read(Unpooled.wrappedBuffer(header)))
        .as(Unpooled.wrappedBuffer(header).toString())
        .isInstanceOf(MalformedHeaderException.class);
  }

  private static void rejectsLine(String line) {
    assertThatThrownBy(() -> ProxyHeader.read(Unpooled.wrappedBuffer(ProxyBytes.line(line))))
        .as(line)
        .isInstanceOf(MalformedHeaderException.class);
  }

  private static InetAddress address(String literal) {
    return InetAddress.ofLiteral(literal);
  }

  // ---- version 1

  @Test
  void aLineNamesTheClient() throws Exception {
    assertThat(source(ProxyBytes.line("PROXY TCP4 192.168.0.1 192.168.0.11 56324 443")))
        .isEqualTo(address("192.168.0.1"));
    assertThat(source(ProxyBytes.line("PROXY TCP4 255.255.255.255 255.255.255.255 65535 0")))
        .isEqualTo(address("255.255.255.255"));
    assertThat(source(ProxyBytes.line("PROXY TCP6 2001:db8::17 2001:DB8::1 4711 5222")))
        .isEqualTo(address("2001:db8::17"));
    assertThat(source(ProxyBytes.line("PROXY TCP6 ::ffff:192.0.2.4 ::ffff:192.0.2.1 1 2")))
        .isEqualTo(address("192.0.2.4"));
  }

  @Test
  void anUnknownClientHasNoAddress() throws Exception {
    assertThat(source(ProxyBytes.line("PROXY UNKNOWN"))).isNull();
    String worst = "ffff:".repeat(7) + "ffff";
    byte[] longest = ProxyBytes.line("PROXY UNKNOWN " + worst + " " + worst + " 65535 65535");
    assertThat(longest).hasSize(ProxyHeader.MAX_LINE);
    assertThat(source(longest)).isNull();
    assertThat(source(ProxyBytes.line("PROXY UNKNOWN anything at all"))).isNull();
  }

  @Test
  void row95_aLineThatIsNotExactIsRejected() {
    for (String line :
        List.of(
            "PROXY ",
            "PROXY TCP4",
            "PROXY TCP5 192.0.2.4 192.0.2.1 1 2",
            "PROXY UDP4 192.0.2.4 192.0.2.1 1 2",
            "PROXY UNKNOWNX",
            "PROXY tcp4 192.0.2.4 192.0.2.1 1 2",
            "PROXY  TCP4 192.0.2.4 192.0.2.1 1 2",
            "PROXY TCP4 192.0.2.4 192.0.2.1 1",
            "PROXY TCP4 192.0.2.4 192.0.2.1 1 2 ",
            "PROXY TCP4 192.0.2.4 192.0.2.1 1 2 3",
            "PROXY TCP4 192.0.2.4\t192.0.2.1 1 2",
            "PROXY TCP4 192.0.2 192.0.2.1 1 2",
            "PROXY TCP4 3221225988 192.0.2.1 1 2",
            "PROXY TCP4 192.0.2.256 192.0.2.1 1 2",
            "PROXY TCP4 192.0.2.04 192.0.2.1 1 2",
            "PROXY TCP4 localhost 192.0.2.1 1 2",
            "PROXY TCP4 2001:db8::1 2001:db8::2 1 2",
            "PROXY TCP6 192.0.2.4 192.0.2.1 1 2",
            "PROXY TCP6 2001:db8::1::2 ::1 1 2",
            "PROXY TCP6 fe80::1%eth0 ::1 1 2",
            "PROXY TCP6 [::1] ::1 1 2",
            "PROXY TCP4 192.0.2.4 x 1 2",
            "PROXY TCP4 192.0.2.4 192.0.2.1 65536 2",
            "PROXY TCP4 192.0.2.4 192.0.2.1 1 99999",
            "PROXY TCP4 192.0.2.4 192.0.2.1 01 2",
            "PROXY TCP4 192.0.2.4 192.0.2.1 -1 2",
            "PROXY TCP4 192.0.2.4 192.0.2.1 +1 2",
            "PROXY TCP4 192.0.2.4 192.0.2.1  2")) {
      rejectsLine(line);
    }
  }

  @Test
  void row95_aLineEndsWithBothCharacters() {
    rejectsLine("PROXY TCP4 192.0.2.4 192.0.2.1 1 2\n");
    rejectsLine("PROXY TCP4 192.0.2.4 192.0.2.1 1 2\rx");
    rejectsLine("PROXY UNKNOWN\nPROXY TCP4 192.0.2.4 192.0.2.1 1 2");
  }

  @Test
  void row95_aLineIsNotWaitedForEndlessly() throws Exception {
    byte[] endless = ("PROXY UNKNOWN " + "x".repeat(200)).getBytes(StandardCharsets.US_ASCII);
    assertThat(ProxyHeader.read(Unpooled.copiedBuffer(endless, 0, ProxyHeader.MAX_LINE - 1)))
        .isNull();
    rejects(Arrays.copyOf(endless, ProxyHeader.MAX_LINE));
    rejectsLine("PROXY UNKNOWN " + "x".repeat(92)); // one byte too long with its end
  }

  // ---- version 2

  @Test
  void aBinaryHeaderNamesTheClient() throws Exception {
    assertThat(source(ProxyBytes.binaryFor("198.51.100.4"))).isEqualTo(address("198.51.100.4"));
    assertThat(source(ProxyBytes.binaryFor("2001:db8::17"))).isEqualTo(address("2001:db8::17"));
  }

  @Test
  void furtherFieldsAreSkippedWhateverTheySay() throws Exception {
    byte[] nonsense = new byte[900];
    Arrays.fill(nonsense, (byte) 0xff); // types and lengths that are none
    assertThat(source(ProxyBytes.binaryFor("198.51.100.4", nonsense)))
        .isEqualTo(address("198.51.100.4"));
  }

  /// Health checks. The family is ignored, the length is not.
  @Test
  void aProxyMaySpeakForItself() throws Exception {
    assertThat(source(ProxyBytes.binary(LOCAL, 0x00, 0))).isNull();
    assertThat(source(ProxyBytes.binary(LOCAL, TCP4, 12, new byte[12]))).isNull();
    assertThat(source(ProxyBytes.binary(LOCAL, 0xff, 5, new byte[5]))).isNull();
    assertThat(source(ProxyBytes.binary(LOCAL, TCP4, 3, new byte[3]))).isNull();
  }

  @Test
  void clientsWithoutAnIpAddressAreAcceptedWithoutOne() throws Exception {
    assertThat(source(ProxyBytes.binary(PROXY, 0x00, 0))).isNull();
    assertThat(source(ProxyBytes.binary(PROXY, 0x31, 216, new byte[216]))).isNull();
    assertThat(source(ProxyBytes.binary(PROXY, 0x32, 216, new byte[216]))).isNull();
    assertThat(source(ProxyBytes.binary(PROXY, 0x12, 12, new byte[12]))).isNull();
    assertThat(source(ProxyBytes.binary(PROXY, 0x22, 36, new byte[36]))).isNull();
    assertThat(source(ProxyBytes.binary(PROXY, 0x10, 4, new byte[4]))).isNull();
  }

  @Test
  void row95_aHeaderThatIsTooShortForItsAddressesIsRejected() {
    rejects(ProxyBytes.binary(PROXY, TCP4, 11, new byte[11]));
    rejects(ProxyBytes.binary(PROXY, TCP4, 0));
    rejects(ProxyBytes.binary(PROXY, TCP6, 35, new byte[35]));
    rejects(ProxyBytes.binary(PROXY, 0x31, 215, new byte[215]));
    rejects(ProxyBytes.binary(PROXY, 0x12, 8, new byte[8]));
  }

  @Test
  void row95_whatIsNotKnownIsRejected() {
    rejects(ProxyBytes.binary(0x11, TCP4, 12, new byte[12])); // version
    rejects(ProxyBytes.binary(0x31, TCP4, 12, new byte[12]));
    rejects(ProxyBytes.binary(0x01, TCP4, 12, new byte[12]));
    rejects(ProxyBytes.binary(0x22, TCP4, 12, new byte[12])); // command
    rejects(ProxyBytes.binary(PROXY, 0x41, 12, new byte[12])); // family
    rejects(ProxyBytes.binary(PROXY, 0x13, 12, new byte[12])); // transport
  }

  /// Rejected when the length has come, not when that much has.
  @Test
  void row95_aHeaderThatAnnouncesTooMuchIsRejectedAtOnce() throws Exception {
    rejects(ProxyBytes.binary(PROXY, TCP4, 65_535));
    rejects(ProxyBytes.binary(LOCAL, 0x00, 65_535));
    rejects(ProxyBytes.binary(PROXY, TCP4, ProxyHeader.MAX_BYTES - 15));
    byte[] largest = new byte[ProxyHeader.MAX_BYTES - 16 - 12];
    assertThat(source(ProxyBytes.binaryFor("198.51.100.4", largest))).isNotNull();
  }

  @Test
  void row95_whatIsNoHeaderIsRejectedAtItsFirstByte() {
    rejects(new byte[] {'<'});
    rejects(new byte[] {0x16, 3, 1}); // TLS
    rejects(new byte[] {'G', 'E', 'T', ' '});
    rejects(new byte[] {'P', 'O', 'S', 'T'});
    rejects(new byte[] {0x0D, 0x0A, 0x0D, 0x0D});
    rejects(new byte[] {0});
  }
}
