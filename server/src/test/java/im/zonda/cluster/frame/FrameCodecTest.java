package im.zonda.cluster.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Stamp;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrameCodecTest {
  private static final Frame SAFE =
      new Frame.Data(
          Frame.VERSION, new Stamp(3, 7), new Member("a", 9), 5, 6, new NodeValue.Stored(300));

  @Test
  void everyKindIsReadAsItWasWritten() throws FrameFormatException {
    for (int seed = 0; seed < 200; seed++) {
      for (Frame frame : new AnyFrames(new SplittableRandom(seed)).everyKind()) {
        assertThat(FrameCodec.read(FrameCodec.write(frame))).isEqualTo(frame);
      }
    }
  }

  @Test
  void everyKindHasAForm() {
    assertThat(NodeValueCodec.types()).isEqualTo(AnyFrames.kinds(NodeValue.class));
  }

  /// Frames that version 1 has written, as hexadecimal numbers with what they say. A change of the
  /// form that makes one of them unreadable needs another version. Kinds that were removed are
  /// `unread`: their tags have no other meaning now.
  @Test
  void framesOfYesterdayAreRead() throws Exception {
    List<String> lines = yesterday();
    assertThat(lines.size()).isGreaterThanOrEqualTo(AnyFrames.kinds(NodeValue.class).size());
    for (String line : lines) {
      String[] parts = line.split("\t", -1);
      Frame frame = FrameCodec.read(HexFormat.of().parseHex(parts[0]));
      if (parts[1].equals("unread")) {
        assertThat(frame).isInstanceOf(Frame.Unread.class);
      } else {
        assertThat(frame.toString()).isEqualTo(parts[1]);
      }
    }
  }

  private static List<String> yesterday() throws Exception {
    try (InputStream in = FrameCodecTest.class.getResourceAsStream("frames-1.txt")) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  @Test
  void theFormIsFixed() {
    // version, kind, epoch, topology, name, incarnation, received, number, tag, length, entry
    assertThat(HexFormat.of().formatHex(FrameCodec.write(SAFE)))
        .isEqualTo("02" + "01" + "03" + "07" + "0161" + "09" + "05" + "06" + "02" + "02" + "ac02");
  }

  @Test
  void fieldsOfALaterVersionBehindTheKnownOnesAreIgnored() throws FrameFormatException {
    byte[] bytes = FrameCodec.write(SAFE);
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 2);
    longer[bytes.length - 3] = (byte) (longer[bytes.length - 3] + 2); // the length of the fields
    assertThat(FrameCodec.read(longer)).isEqualTo(SAFE);
  }

  @Test
  void anotherVersionIsRefused() {
    for (int version : List.of(0, Frame.VERSION + 1)) {
      byte[] bytes = FrameCodec.write(SAFE);
      bytes[0] = (byte) version;
      assertThatThrownBy(() -> FrameCodec.read(bytes)).hasMessageContaining("version " + version);
    }
  }

  @Test
  void whatIsTooShortOrTooLongIsRefused() {
    List<byte[]> wrong = new ArrayList<>();
    byte[] bytes = FrameCodec.write(SAFE);
    for (int length = 0; length < bytes.length; length++) {
      wrong.add(Arrays.copyOf(bytes, length));
    }
    wrong.add(Arrays.copyOf(bytes, bytes.length + 1));
    for (byte[] each : wrong) {
      assertThatThrownBy(() -> FrameCodec.read(each)).isInstanceOf(FrameFormatException.class);
    }
  }

  /// A length that nothing follows must not reserve memory.
  @Test
  void aClaimedLengthIsComparedWithWhatIsThere() throws FrameFormatException {
    String head = "01" + "01" + "03" + "07" + "0161" + "09" + "05" + "06";
    String huge = "ffffffff7f";
    byte[] bytes = HexFormat.of().parseHex(head + "01" + huge);
    assertThatThrownBy(() -> FrameCodec.read(bytes)).isInstanceOf(FrameFormatException.class);
    isUnread(head + "10" + "07" + "05" + huge + "00", 16);
  }

  /// It counts, or all that follows it would wait for it for ever.
  @Test
  void aValueThatCannotBeReadKeepsItsNumber() throws FrameFormatException {
    String head = "01" + "01" + "03" + "07" + "0161" + "09" + "05" + "06";
    isUnread(head + "7f00", 127); // an unknown kind
    isUnread(head + "02" + "00", 2); // without its fields
    Frame.Unread route = isUnread(head + "01" + "03" + "ac02" + "ff", 1);
    assertThat(route.entries()).containsExactly(300L);
  }

  private static Frame.Unread isUnread(String frame, int tag) throws FrameFormatException {
    Frame.Unread read = (Frame.Unread) FrameCodec.read(HexFormat.of().parseHex(frame));
    assertThat(read.number()).isEqualTo(6);
    assertThat(read.received()).isEqualTo(5);
    assertThat(read.tag()).isEqualTo(tag);
    assertThat(HexFormat.of().formatHex(FrameCodec.write(read))).isEqualTo(frame);
    return read;
  }
}
