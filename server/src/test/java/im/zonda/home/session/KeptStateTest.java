package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeptStateTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/<&'orchard");

  private static KeptState state(
      Jid jid,
      long resumptions,
      @Nullable Presence presence,
      Map<String, String> values,
      long readUpTo) {
    return new KeptState(
        new SessionSnapshot.State(jid, "hash", resumptions, presence, values), readUpTo);
  }

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
    KeptState state =
        Objects.requireNonNull(KeptState.read(state(ROMEO, 2, presence, values, 7).write()));
    assertThat(state.state().jid()).isEqualTo(ROMEO);
    assertThat(state.state().id()).isEqualTo("hash");
    assertThat(state.state().resumptions()).isEqualTo(2);
    assertThat(state.state().values()).isEqualTo(values);
    assertThat(Objects.requireNonNull(state.state().presence()).toElement())
        .isEqualTo(presence.toElement());
  }

  @Test
  void aSessionThatIsNotAvailableHasNoPresence() {
    KeptState state =
        Objects.requireNonNull(KeptState.read(state(ROMEO, 0, null, Map.of(), 0).write()));
    assertThat(state.state().presence()).isNull();
    assertThat(state.state().values()).isEmpty();
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
    String written = state(ROMEO, 2, presence, Map.of("a", "b"), 7).write();
    String spoiled = written.replace("&lt;status&gt;", "&lt;status&lt;");
    assertThat(spoiled).isNotEqualTo(written);
    KeptState state = Objects.requireNonNull(KeptState.read(spoiled));
    assertThat(state.state().values()).containsEntry("a", "b");
    Presence read = Objects.requireNonNull(state.state().presence());
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
    String written = state(old, 2, presence, Map.of(), 7).write();
    KeptState state = Objects.requireNonNull(KeptState.read(written));
    assertThat(state.state().jid()).isEqualTo(old);
    assertThat(Objects.requireNonNull(state.state().presence()).payloads()).isNotEmpty();
  }

  @Test
  void aValueThatCannotBeWrittenIsLeftOut() {
    Map<String, String> values = Map.of("a", "b", "bad", "\u0001");
    KeptState state =
        Objects.requireNonNull(KeptState.read(state(ROMEO, 0, null, values, 0).write()));
    assertThat(state.state().values()).isEqualTo(Map.of("a", "b"));
  }

  /// The version before keeps the number among the values of modules.
  @Test
  void theNumberOfTheLastResumptionIsReadWhereTheVersionBeforeWritesIt() {
    String former =
        "<session xmlns='urn:zonda:session' jid='romeo@example.org/orchard' id='hash'>"
            + "<value name='carbons'>true</value><value name='resumptions'>3</value></session>";
    KeptState state = Objects.requireNonNull(KeptState.read(former));
    assertThat(state.state().resumptions()).isEqualTo(3);
    assertThat(state.state().values()).isEqualTo(Map.of("carbons", "true"));
    assertThat(state.write()).contains("<value name='resumptions'>3</value>");
  }

  /// It would count as older than all others.
  @Test
  void aStateWhoseResumptionsCannotBeReadIsNotRead() {
    String written = state(ROMEO, 3, null, Map.of("a", "b"), 0).write();
    for (String number : List.of("", "three", "-1", "9223372036854775808")) {
      String spoiled = written.replace(">3<", ">" + number + "<");
      assertThat(spoiled).isNotEqualTo(written);
      assertThat(KeptState.read(spoiled)).as(number).isNull();
    }
  }

  @Test
  void otherTextsAreNotRead() {
    for (String text : List.of("", "<a/>", "<session", "<session xmlns='urn:zonda:session'/>")) {
      assertThat(KeptState.read(text)).as(text).isNull();
    }
  }
}
