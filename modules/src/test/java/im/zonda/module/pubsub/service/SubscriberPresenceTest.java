package im.zonda.module.pubsub.service;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SubscriberPresenceTest {
  private static final Jid USER = Jid.of("francisco@example.org");
  private static final Jid PHONE = Jid.of("francisco@example.org/phone");
  private static final Jid DESK = Jid.of("francisco@example.org/desk");

  private final SubscriberPresence presence = new SubscriberPresence();

  @Test
  void aUserIsAvailableWithAnyClient() {
    assertThat(presence.add(PHONE)).isTrue();
    assertThat(presence.add(PHONE)).isFalse();
    assertThat(presence.add(DESK)).isTrue();
    assertThat(presence.isAvailable(USER)).isTrue();
    assertThat(presence.isAvailable(PHONE)).isTrue();
    assertThat(presence.remove(PHONE)).isFalse();
    assertThat(presence.isAvailable(PHONE)).isFalse();
    assertThat(presence.isAvailable(USER)).isTrue();
    assertThat(presence.remove(DESK)).isTrue();
    assertThat(presence.isEmpty()).isTrue();
    assertThat(presence.remove(DESK)).isTrue();
  }

  @Test
  void allClientsGoWithTheirUser() {
    boolean _ = presence.add(PHONE);
    boolean _ = presence.add(DESK);
    assertThat(presence.remove(USER)).isTrue();
    assertThat(presence.isEmpty()).isTrue();
  }

  @Test
  void oneUserHasABoundedNumberOfClients() {
    for (int i = 0; i < 100; i++) {
      boolean _ = presence.add(USER.withResource("r" + i));
    }
    assertThat(new String(presence.bytes(), StandardCharsets.UTF_8).lines()).hasSize(32);
  }

  @Test
  void anotherHomeKnowsTheSame() {
    boolean _ = presence.add(PHONE);
    boolean _ = presence.add(DESK);
    SubscriberPresence other = new SubscriberPresence();
    assertThat(other.isKnown()).isFalse();
    other.restore(presence.bytes());
    assertThat(other.isKnown()).isTrue();
    assertThat(other.isAvailable(PHONE)).isTrue();
    assertThat(other.isAvailable(DESK)).isTrue();
    other.restore(new SubscriberPresence().bytes());
    assertThat(other.isAvailable(Jid.of("x@example.org"))).isFalse();
  }

  @Test
  void presenceAnswersAProbeForAWhile() {
    assertThat(presence.isProbing(Instant.EPOCH)).isFalse();
    presence.asked(Instant.EPOCH.plusSeconds(5));
    presence.expectAnswer(Instant.EPOCH.plusSeconds(2));
    assertThat(presence.isProbing(Instant.EPOCH.plusSeconds(4))).isTrue();
    assertThat(presence.isProbing(Instant.EPOCH.plusSeconds(5))).isFalse();
  }

  @Test
  void aClientWhoseAddressWasValidOnceIsStillAvailable() {
    Jid old = Jid.stored("a\u0378@example.org/desk");
    boolean _ = presence.add(old);
    SubscriberPresence other = new SubscriberPresence();
    other.restore(presence.bytes());
    assertThat(other.isAvailable(old)).isTrue();
  }
}
