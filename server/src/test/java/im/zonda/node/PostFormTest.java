package im.zonda.node;

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

class PostFormTest {
  private static final StanzaBytes STANZA =
      new StanzaBytes("<message/>".getBytes(StandardCharsets.UTF_8));

  private static final List<Post> ALL =
      List.of(
          new Post.ComponentOpened("gateway.example", 1),
          new Post.ComponentWritten("gateway.example", 1, 77),
          new Post.ComponentEnded("gateway.example", 1, true),
          new Post.ComponentStanza(1, 2, STANZA),
          new Post.ComponentClosed(1, "conflict", ""),
          new Post.ComponentPresence("gateway.example", Post.Presence.AWAY),
          new Post.MovedHandled(4),
          new Post.Asked("a.example", "b@a.example", "x".repeat(70_000), "c.example"),
          new Post.AskedNoMore("a.example", "b@a.example", "x"),
          new Post.Answered(STANZA),
          new Post.Served("hosts=00ff;rooms=ff00"),
          new Post.ModuleNotice("a.example", "admin"),
          new Post.BoshAsked(5, true, STANZA),
          new Post.BoshAnswered(5, 200, "text/xml; charset=utf-8", STANZA),
          new Post.OnlineAsked(3, "a.example", "ACTIVE", 25),
          new Post.OnlineFound(3, 2, STANZA),
          new Post.StreamAsked(5, "972b7bf47291ca609517f67f86b5081086052dad", "b@a.example"),
          new Post.StreamAnswered(5, "ACTIVE"),
          new Post.Features(
              "sha-1", "q07IKJEyjvHSyhy//CH0CxmKi8w=", List.of("urn:a", "ä"), "b@a.example"));

  @Test
  void everyKindIsReadAsItWasWritten() throws IOException {
    for (Post post : ALL) {
      assertThat(PostForm.read(PostForm.write(post))).isEqualTo(post);
    }
    Set<Class<?>> kinds =
        Stream.of(Post.class.getPermittedSubclasses()).collect(Collectors.toSet());
    assertThat(ALL.stream().map(Post::getClass).collect(Collectors.toSet())).isEqualTo(kinds);
  }

  @Test
  void whatIsTooShortIsRefused() {
    for (Post post : ALL) {
      byte[] bytes = PostForm.write(post).array();
      int step = Math.max(1, bytes.length / 100);
      for (int length = 0; length < bytes.length; length += step) {
        StanzaBytes cut = new StanzaBytes(Arrays.copyOf(bytes, length));
        assertThatThrownBy(() -> PostForm.read(cut)).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void anUnknownKindIsRefused() {
    assertThatThrownBy(() -> PostForm.read(new StanzaBytes(new byte[] {99})))
        .hasMessageContaining("unknown kind");
  }

  /// A length that nothing follows must not reserve memory.
  @Test
  void aClaimedLengthIsComparedWithWhatIsThere() {
    byte[] bytes = PostForm.write(new Post.Answered(STANZA)).array();
    bytes[1] = 0x7f;
    assertThatThrownBy(() -> PostForm.read(new StanzaBytes(bytes)))
        .hasMessageContaining("bytes left");
  }
}
