package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SessionStateTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/<&'orchard");

  @Test
  void itIsReadAsItWasWritten() {
    Presence presence =
        Presence.of(
            Presence.Type.AVAILABLE,
            ROMEO,
            null,
            "id",
            List.of(Element.builder("jabber:client", "status").text("<here>").build()));
    Map<String, String> values = Map.of("directed", "a@b/c\nd@e/f", "carbons", "true", "empty", "");
    SessionState state =
        Objects.requireNonNull(
            SessionState.read(new SessionState(ROMEO, "hash", 2, presence, values, 7).write()));
    assertThat(state.jid()).isEqualTo(ROMEO);
    assertThat(state.id()).isEqualTo("hash");
    assertThat(state.resumptions()).isEqualTo(2);
    assertThat(state.values()).isEqualTo(values);
    assertThat(Objects.requireNonNull(state.presence()).toElement())
        .isEqualTo(presence.toElement());
  }

  @Test
  void aSessionThatIsNotAvailableHasNoPresence() {
    SessionState state =
        Objects.requireNonNull(
            SessionState.read(new SessionState(ROMEO, "hash", 0, null, Map.of(), 0).write()));
    assertThat(state.presence()).isNull();
    assertThat(state.values()).isEmpty();
  }

  @Test
  void aPresenceThatCannotBeReadLeavesTheSessionAvailable() {
    Presence presence =
        Presence.of(
            Presence.Type.AVAILABLE,
            ROMEO,
            null,
            null,
            List.of(Element.builder("jabber:client", "status").text("here").build()));
    String written = new SessionState(ROMEO, "hash", 2, presence, Map.of("a", "b"), 7).write();
    String spoiled = written.replace("&lt;status&gt;", "&lt;status&lt;");
    assertThat(spoiled).isNotEqualTo(written);
    SessionState state = Objects.requireNonNull(SessionState.read(spoiled));
    assertThat(state.values()).containsEntry("a", "b");
    Presence read = Objects.requireNonNull(state.presence());
    assertThat(read.type()).isEqualTo(Presence.Type.AVAILABLE);
    assertThat(read.payloads()).isEmpty();
  }

  /// The stream may be older than the server, and so may the rules for addresses.
  @Test
  void addressesThatWereAllowedOnceAreRead() {
    Jid old = Jid.stored("romeo@example.org/a\u00B7b");
    Presence presence =
        Presence.of(
            Presence.Type.AVAILABLE,
            old,
            null,
            null,
            List.of(Element.builder("jabber:client", "status").text("here").build()));
    String written = new SessionState(old, "hash", 2, presence, Map.of(), 7).write();
    SessionState state = Objects.requireNonNull(SessionState.read(written));
    assertThat(state.jid()).isEqualTo(old);
    assertThat(Objects.requireNonNull(state.presence()).payloads()).isNotEmpty();
  }

  @Test
  void aValueThatCannotBeWrittenIsLeftOut() {
    Map<String, String> values = Map.of("a", "b", "bad", "\u0001");
    SessionState state =
        Objects.requireNonNull(
            SessionState.read(new SessionState(ROMEO, "hash", 0, null, values, 0).write()));
    assertThat(state.values()).isEqualTo(Map.of("a", "b"));
  }

  /// The version before keeps the number among the values of modules.
  @Test
  void theNumberOfTheLastResumptionIsReadWhereTheVersionBeforeWritesIt() {
    String former =
        "<session xmlns='urn:zonda:session' jid='romeo@example.org/orchard' id='hash'>"
            + "<value name='carbons'>true</value><value name='resumptions'>3</value></session>";
    SessionState state = Objects.requireNonNull(SessionState.read(former));
    assertThat(state.resumptions()).isEqualTo(3);
    assertThat(state.values()).isEqualTo(Map.of("carbons", "true"));
    assertThat(state.write()).contains("<value name='resumptions'>3</value>");
  }

  /// It would count as older than all others.
  @Test
  void aStateWhoseResumptionsCannotBeReadIsNotRead() {
    String written = new SessionState(ROMEO, "hash", 3, null, Map.of("a", "b"), 0).write();
    for (String number : List.of("", "three", "-1", "9223372036854775808")) {
      String spoiled = written.replace(">3<", ">" + number + "<");
      assertThat(spoiled).isNotEqualTo(written);
      assertThat(SessionState.read(spoiled)).as(number).isNull();
    }
  }

  @Test
  void otherTextsAreNotRead() {
    for (String text : List.of("", "<a/>", "<session", "<session xmlns='urn:zonda:session'/>")) {
      assertThat(SessionState.read(text)).as(text).isNull();
    }
  }
}
