package im.zonda.storage.sql.archive;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SearchWordsTest {
  /// A row of PostgreSQL's index has at most a megabyte of words; one that cannot be written would
  /// keep all later ones from being indexed.
  @Test
  void manyBodiesHaveNoMoreWordsThanOne() {
    List<Element> bodies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int body = i;
      bodies.add(
          Element.builder(Namespaces.CLIENT, "body")
              .text(
                  IntStream.range(0, 2_000)
                      .mapToObj(word -> "w" + body + "x" + word)
                      .collect(Collectors.joining(" ")))
              .build());
    }
    Jid romeo = Jid.of("romeo@example.net");
    Message message = Message.of(Message.Type.CHAT, romeo, romeo, null, bodies);
    assertThat(SearchWords.of(message)).hasSize(2_000).contains("w0x0");
  }
}
