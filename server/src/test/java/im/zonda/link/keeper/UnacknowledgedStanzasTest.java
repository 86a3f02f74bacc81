package im.zonda.link.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnacknowledgedStanzasTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");

  private final AtomicLong bytes = new AtomicLong();
  private final UnacknowledgedStanzas stanzas =
      new UnacknowledgedStanzas(ROMEO, 5, new KeptBytes(bytes, 50_000));

  private static Stanza message(String id, String by, Message.Type type, int size) {
    return Message.of(
        type,
        Jid.of("juliet@example.org/balcony"),
        ROMEO,
        id,
        List.of(
            Element.builder("jabber:client", "body").text("x".repeat(size)).build(),
            Element.builder(StanzaIds.NAME).attribute("by", by).attribute("id", id).build()));
  }

  private static Stanza logged(String id) {
    return message(id, "romeo@example.org", Message.Type.CHAT, 10);
  }

  @Test
  void whatIsAcknowledgedGoesAndItsLastIdStays() {
    stanzas.add(logged("a"), 100);
    stanzas.add(logged("b"), 200);
    stanzas.add(message("room", "romeo@example.org", Message.Type.GROUPCHAT, 10), 300);
    stanzas.add(message("other", "juliet@example.org", Message.Type.CHAT, 10), 400);
    assertThat(stanzas.lastIds()).isEmpty();
    stanzas.acknowledge(8);
    assertThat(stanzas.lastIds()).containsEntry(ROMEO.bare(), "b");
    assertThat(stanzas.list(1_000))
        .extracting(LostSession.Sent::age)
        .containsExactly(Duration.ofMillis(600));
    stanzas.acknowledge(9);
    assertThat(stanzas.lastIds()).containsEntry(ROMEO.bare(), "b");
    assertThat(bytes).hasValue(0);
  }

  @Test
  void aClientThatLeavesMuchIsGivenUpWhileAllHaveTooMuch() {
    stanzas.add(message("a", "romeo@example.org", Message.Type.CHAT, 40_000), 0);
    assertThat(stanzas.isComplete()).isTrue();
    stanzas.add(message("b", "romeo@example.org", Message.Type.CHAT, 20_000), 0);
    assertThat(stanzas.isComplete()).isFalse();
    assertThat(bytes).hasValue(0);
    stanzas.add(logged("c"), 0);
    stanzas.acknowledge(7);
    assertThat(stanzas.isComplete()).isFalse();
    stanzas.acknowledge(8);
    assertThat(stanzas.isComplete()).isTrue();
    assertThat(stanzas.lastIds()).containsEntry(ROMEO.bare(), "c");
    stanzas.add(logged("d"), 0);
    assertThat(stanzas.list(0)).hasSize(1);
  }
}
