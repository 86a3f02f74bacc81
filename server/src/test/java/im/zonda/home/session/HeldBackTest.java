package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.home.lifecycle.TestClock;
import im.zonda.home.lifecycle.TestStanzas;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// XEP-0352: what a client that nobody looks at gets later.
final class HeldBackTest {
  private static final String ROOM = "http://jabber.org/protocol/muc#user";
  private static final String STATES = "http://jabber.org/protocol/chatstates";

  private final HeldBack held =
      new HeldBack(new Share(new Budget<>(Limits.defaults(), Long.MAX_VALUE, new TestClock())));

  private List<String> taken() {
    return held.take().stream().map(kept -> TestStanzas.text(kept.stanza())).toList();
  }

  private boolean presence(String from, String status) {
    return held.add(TestStanzas.presence(from, status), 0);
  }

  private static boolean canWait(String xml) {
    return HeldBack.canWait(TestStanzas.of(xml));
  }

  @Test
  void ofOneSenderTheLatestIsKeptAtThePlaceOfTheLatest() {
    presence("romeo@example.org/orchard", "1");
    presence("nurse@example.org/hall", "2");
    presence("romeo@example.org/orchard", "3");
    assertThat(taken()).containsExactly("2", "3");
    assertThat(held.isEmpty()).isTrue();
  }

  @Test
  void resourcesOfOneAccountAreSendersOfTheirOwn() {
    presence("romeo@example.org/orchard", "1");
    presence("romeo@example.org/phone", "2");
    assertThat(taken()).containsExactly("1", "2");
  }

  @Test
  void presenceAndChatStatesDoNotReplaceEachOther() {
    presence("romeo@example.org/orchard", "1");
    held.add(TestStanzas.of(state("chat", "composing")), 0);
    held.add(TestStanzas.of(state("groupchat", "composing")), 0);
    held.add(TestStanzas.of(state("chat", "paused")), 0);
    assertThat(held.take().stream().map(kept -> kept.stanza().toElement().toString()))
        .hasSize(3)
        .satisfiesExactly(
            first -> assertThat(first).contains("status"),
            second -> assertThat(second).contains("groupchat"),
            third -> assertThat(third).contains("paused"));
  }

  private static String state(String type, String state) {
    return "<message from='romeo@example.org/orchard' type='"
        + type
        + "'><"
        + state
        + " xmlns='"
        + STATES
        + "'/></message>";
  }

  @Test
  void noMoreIsHeldThanTheLimit() {
    for (int i = 0; i < HeldBack.MAX; i++) {
      assertThat(presence("u" + i + "@example.org/r", "s")).isTrue();
    }
    assertThat(presence("one.more@example.org/r", "s")).isFalse();
    // Who is held already can change.
    assertThat(presence("u0@example.org/r", "again")).isTrue();
    assertThat(held.take()).hasSize(HeldBack.MAX);
    assertThat(presence("one.more@example.org/r", "s")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<presence from='a@b/c'/>",
        "<presence from='a@b/c' type='unavailable'/>",
        "<presence from='room@b/nick'><x xmlns='" + ROOM + "'><item role='none'/></x></presence>",
        "<message from='a@b/c' type='chat'><composing xmlns='" + STATES + "'/></message>",
        "<message from='a@b/c' type='chat'><active xmlns='"
            + STATES
            + "'/><thread>t</thread><no-store xmlns='urn:xmpp:hints'/></message>",
      })
  void whatNobodyMissesWaits(String xml) {
    assertThat(canWait(xml)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<presence from='a@b' type='subscribe'/>",
        "<presence from='a@b' type='unsubscribed'/>",
        "<presence from='a@b/c' type='error'/>",
        "<presence from='room@b/nick'><x xmlns='" + ROOM + "'><status code='110'/></x></presence>",
        "<presence from='room@b/nick' type='unavailable'><x xmlns='"
            + ROOM
            + "'><status code='307'/></x></presence>",
        "<message from='a@b/c' type='chat'><body>b</body></message>",
        "<message from='a@b/c' type='chat'><body>b</body><active xmlns='"
            + STATES
            + "'/></message>",
        "<message from='a@b/c' type='error'><composing xmlns='" + STATES + "'/></message>",
        "<message from='a@b/c' type='chat'/>",
        "<message from='a@b/c'><thread>t</thread></message>",
        "<iq from='a@b/c' type='result' id='i'/>",
      })
  void whatMattersDoesNotWait(String xml) {
    assertThat(canWait(xml)).isFalse();
  }
}
