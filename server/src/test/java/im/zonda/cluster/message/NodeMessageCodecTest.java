package im.zonda.cluster.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.cluster.frame.StanzaBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeMessageCodecTest {
  private static final StanzaBytes STANZA =
      new StanzaBytes("<message/>".getBytes(StandardCharsets.UTF_8));

  private static final List<NodeMessage> ALL =
      List.of(
          new NodeMessage.ComponentOpened("gateway.example", 1),
          new NodeMessage.ComponentWritten("gateway.example", 1, 77),
          new NodeMessage.ComponentEnded("gateway.example", 1, true),
          new NodeMessage.ComponentStanza(1, 2, STANZA),
          new NodeMessage.ComponentClosed(1, "conflict", ""),
          new NodeMessage.ComponentPresence("gateway.example", NodeMessage.Presence.AWAY),
          new NodeMessage.MovedHandled(4),
          new NodeMessage.Asked("a.example", "b@a.example", "x".repeat(70_000), "c.example"),
          new NodeMessage.AskedNoMore("a.example", "b@a.example", "x"),
          new NodeMessage.Answered(STANZA),
          new NodeMessage.Served("hosts=00ff;rooms=ff00"),
          new NodeMessage.ModuleNotice("a.example", "admin"),
          new NodeMessage.BoshAsked(5, true, STANZA),
          new NodeMessage.BoshAnswered(5, 200, "text/xml; charset=utf-8", STANZA),
          new NodeMessage.OnlineAsked(3, "a.example", "ACTIVE", 25, "b@a.example"),
          new NodeMessage.OnlineFound(3, 2, STANZA),
          new NodeMessage.StreamAsked(5, "972b7bf47291ca609517f67f86b5081086052dad", "b@a.example"),
          new NodeMessage.StreamAnswered(5, "ACTIVE"),
          new NodeMessage.OperationAsked(6, STANZA),
          new NodeMessage.OperationAnswered(6, STANZA),
          new NodeMessage.Probed(7),
          new NodeMessage.ProbeAnswered(7),
          new NodeMessage.Features(
              "sha-1", "q07IKJEyjvHSyhy//CH0CxmKi8w=", List.of("urn:a", "ä"), "b@a.example"));

  @Test
  void everyKindIsReadAsItWasWritten() throws IOException {
    for (NodeMessage post : ALL) {
      assertThat(NodeMessageCodec.read(NodeMessageCodec.write(post))).isEqualTo(post);
    }
    Set<Class<?>> kinds =
        Stream.of(NodeMessage.class.getPermittedSubclasses()).collect(Collectors.toSet());
    assertThat(ALL.stream().map(NodeMessage::getClass).collect(Collectors.toSet()))
        .isEqualTo(kinds);
  }

  @Test
  void whatIsTooShortIsRefused() {
    for (NodeMessage post : ALL) {
      byte[] bytes = NodeMessageCodec.write(post).array();
      int step = Math.max(1, bytes.length / 100);
      for (int length = 0; length < bytes.length; length += step) {
        StanzaBytes cut = new StanzaBytes(Arrays.copyOf(bytes, length));
        assertThatThrownBy(() -> NodeMessageCodec.read(cut)).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void anUnknownKindIsRefused() {
    assertThatThrownBy(() -> NodeMessageCodec.read(new StanzaBytes(new byte[] {99})))
        .hasMessageContaining("unknown kind");
  }

  /// A length that nothing follows must not reserve memory.
  @Test
  void aClaimedLengthIsComparedWithWhatIsThere() {
    byte[] bytes = NodeMessageCodec.write(new NodeMessage.Answered(STANZA)).array();
    bytes[1] = 0x7f;
    assertThatThrownBy(() -> NodeMessageCodec.read(new StanzaBytes(bytes)))
        .hasMessageContaining("bytes left");
  }
}
