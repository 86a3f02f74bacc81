package im.zonda.module.privilege;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContactPresencesTest {
  private static final Jid ROMEO = Jid.of("romeo@montague.lit/orchard");
  private final ContactPresences contacts = new ContactPresences(10_000);

  private static Presence available(String status) {
    return Presence.of(
        Presence.Type.AVAILABLE,
        null,
        null,
        null,
        List.of(Element.builder("jabber:client", "status").text(status).build()));
  }

  private static Presence unavailable() {
    return Presence.of(Presence.Type.UNAVAILABLE, null, null, null, List.of());
  }

  @Test
  void theSamePresenceCountsOnce() {
    assertThat(contacts.add(ROMEO, available("a"))).isTrue();
    assertThat(contacts.add(ROMEO, available("a"))).isFalse();
    assertThat(contacts.add(ROMEO, available("b"))).isTrue();
    assertThat(contacts.all()).hasSize(1);
    assertThat(contacts.all().getFirst().from()).isEqualTo(ROMEO);
    assertThat(contacts.add(ROMEO, unavailable())).isTrue();
    assertThat(contacts.add(ROMEO, unavailable())).isFalse();
    assertThat(contacts.all()).isEmpty();
  }

  @Test
  void unavailablePresenceOfABareAddressIsForAllResources() {
    contacts.add(ROMEO, available("a"));
    contacts.add(Jid.of("romeo@montague.lit/garden"), available("a"));
    contacts.add(Jid.of("mercutio@montague.lit/x"), available("a"));
    assertThat(contacts.add(ROMEO.bare(), unavailable())).isTrue();
    assertThat(contacts.all()).hasSize(1);
  }

  @Test
  void theOldestIsForgottenWhenThereIsTooMuch() {
    for (int i = 0; i < 1_000; i++) {
      contacts.add(Jid.of("user" + i + "@montague.lit/x"), available("a"));
    }
    assertThat(contacts.all()).hasSizeBetween(10, 50);
    assertThat(contacts.all().getLast().from()).isEqualTo(Jid.of("user999@montague.lit/x"));
  }
}
